"""Render the `exercise` and `checkpoint` fences.

An exercise has a question, an editor (or a program to point at), hints and a solution. docs/assets/exercises.js makes
it interactive. Without JavaScript all four parts are still on the page, the hints and the solution folded.
"""

from __future__ import annotations

import contextlib
import html
from collections.abc import Iterator, Mapping
from typing import Any

from snippetcheck.kinds import FenceType, Snippets
from snippetcheck.pages import Fence
from snippetcheck.report import python_command
from snippetcheck.settings import find_root

from gradnotes import inputs
from gradnotes.exercises import point
from gradnotes.exercises.parser import Exercise
from gradnotes.exercises.record import record_exercises
from gradnotes.fences import highlight
from gradnotes.fences.prose import link_to, prose
from gradnotes.fences.registry import renders
from gradnotes.links import address, link
from gradnotes.markup import Page, as_attributes, script_json
from gradnotes.problems import FenceError
from gradnotes.project import Project
from gradnotes.translation import sources
from gradnotes.viewer import graph_svg
from gradnotes.words import say

ENGINE = "the small NumPy engine of this site"
_TITLES = {"repair": "Exercise: repair", "write": "Exercise: write", "point": "Exercise: point"}
ENGINE_PAGE = "inside-the-engine/a-number-that-remembers.md"
ENGINE_SECTION = "a-complete-engine"


def check_file(fence: Fence, snippets: Snippets) -> Iterator[tuple[str, str]]:
    """Yield (message, remedy) if the exercise file does not exist. Called by the ledger."""
    if not (find_root(fence.page.parent) / "exercises" / fence.keys["file"]).is_file():
        yield f"no exercise {fence.keys['file']!r}", "create it below exercises/ or correct the name"


@renders(FenceType("exercise", ("file",), check=check_file))
def render_exercise(project: Project, page: Page, keys: dict[str, str]) -> str:
    """Render one exercise as a `<figure>`."""
    exercise = exercise_in_language(project, page, keys["file"])
    figure_id = page.id_for("exercise-" + exercise.name.removesuffix(".py").replace("/", "-").replace("_", "-"))
    question = "".join(f"<p>{prose(project, page, text)}</p>" for text in exercise.question)
    body, solution, script_data = (
        _pointing_body(project, page, exercise, figure_id)
        if exercise.kind == "point"
        else _editor_body(project, page, exercise)
    )
    script_data["hints"] = len(exercise.hints)
    footer = say("To read again: {link}. ", link=link_to(project, page, exercise.about)) if exercise.about else ""
    footer += "" if exercise.kind == "point" else _engine_note(project, page)
    footer = f'<p class="exercise-about">{footer}</p>' if footer else ""
    attributes = {"id": figure_id, "data-practice": figure_id, "data-kind": exercise.kind, "data-file": exercise.name}
    return (
        f'<figure class="exercise"{as_attributes(attributes)}>'
        f'<figcaption><span class="snippet-title">{say(_TITLES[exercise.kind])}</span>'
        f'<span class="practice-mark"></span></figcaption>'
        f'<div class="exercise-question">{question}</div>{body}{_button_bar(exercise)}'
        f'<div class="exercise-said" role="status"></div>{_hint_list(project, page, exercise)}'
        f'<details class="exercise-solution"><summary>{say("Solution")}</summary>{solution}</details>{footer}'
        f'<script type="application/json">{script_json(script_data)}</script></figure>'
    )


def _engine_note(project: Project, page: Page) -> str:
    """Return the sentence about the engine, with a link where the project has the page that explains it."""
    engine = say(ENGINE)
    if inputs.is_file(project.docs / ENGINE_PAGE):
        href = link(address(project.address_in(ENGINE_PAGE, page.path)), page.path)
        engine = f'<a href="{href}#{ENGINE_SECTION}">{engine}</a>'
    return say("<em>Check</em> runs in your browser, on {engine}, which has PyTorch's API.", engine=engine)


def exercise_in_language(project: Project, page: Page, name: str) -> Exercise:
    """Return an exercise with the texts of the page's language, or with the English ones if it has no others."""
    exercise = project.exercise(name)
    texts = project.chinese(sources.EXERCISES).get(name.removesuffix(".py")) if page.is_chinese else None
    return sources.in_chinese(exercise, texts) if isinstance(texts, dict) and texts.get("question") else exercise


def _button_bar(exercise: Exercise) -> str:
    buttons = [("check", say("Check")), *([("stop", say("Stop"))] if exercise.kind != "point" else [])]
    hint = say("Hint {number} of {count}", number=1, count=len(exercise.hints))
    buttons += [("hint", hint)] * bool(exercise.hints)
    buttons += [("solution", say("Solution")), ("reset", say("Start over"))]
    buttons_html = "".join(
        f'<button type="button" data-do="{action}"{" hidden" * (action == "stop")}>{label}</button>'
        for action, label in buttons
    )
    return f'<div class="run-bar exercise-bar" role="group" aria-label="{say("This exercise")}">{buttons_html}</div>'


def _hint_list(project: Project, page: Page, exercise: Exercise) -> str:
    if not exercise.hints:
        return ""
    items = "".join(f"<li>{prose(project, page, text)}</li>" for text in exercise.hints)
    summary = say("{count} hint", "{count} hints", count=len(exercise.hints))
    return f'<details class="exercise-hints"><summary>{summary}</summary><ol>{items}</ol></details>'


def _editor_body(project: Project, page: Page, exercise: Exercise) -> tuple[str, str, dict[str, Any]]:
    """Render the editor and the solution, and collect the data that *Check* needs."""
    assert exercise.solution
    start = html.escape(exercise.start.rstrip("\n"))
    rows = exercise.start.count("\n") + 1
    question = exercise.question[0].replace("`", "")
    label = html.escape(say("The program of the exercise: {question}", question=question))
    body = (
        f'<div class="exercise-start">{highlight.block(exercise.start.rstrip(), "python", project.cache)}</div>'
        f'<textarea class="exercise-editor" rows="{min(rows, 32)}" spellcheck="false" autocapitalize="off"'
        f' aria-label="{label}">\n{start}</textarea>'
    )
    errors = [
        {"error": answer.error, "hint": prose(project, page, answer.hint)} for answer in exercise.wrongs if answer.error
    ]
    return (
        body,
        highlight.block(exercise.solution.text.rstrip(), "python", project.cache),
        {"check": exercise.check, "errors": errors},
    )


def _cache_key(project: Project, exercise: Exercise) -> tuple[str, ...]:
    return ("asked", exercise.text, project.recorder())


def _recording(project: Project, exercise: Exercise) -> dict[str, Any]:
    """Return the recording of one exercise.

    The first call records the exercises of all pages together, since starting the recorder takes longer than recording.

    Raises:
        FenceError: the program could not be recorded.
    """
    missing = {}
    if not project.records_singly:
        missing = project.memoize("pointed", lambda: record_missing(project, required_recordings(project)))
    recording = missing.get(_cache_key(project, exercise)) or record_exercises([exercise], project.root)[0]
    if "error" in recording:
        raise _recording_error(exercise, recording["error"])
    return recording


def _recording_error(exercise: Exercise, reason: object) -> FenceError:
    command = python_command("-m", "pytest", f"exercises/{exercise.name}")
    return FenceError(f"could not record the answer key of {exercise.name}: {reason}", f"for details, run `{command}`")


def required_recordings(project: Project) -> dict[tuple[str, ...], Exercise]:
    """Map the cache key of each pointing exercise on the pages that is not in the cache to the exercise."""
    exercises = {}
    for page in project.pages():
        for fence in project.fences(page):
            if fence.kind != "exercise":
                continue
            with contextlib.suppress(FenceError):  # rendering the page reports it
                exercise = project.exercise(fence.keys.get("file", ""))
                if exercise.kind == "point" and not project.cache.has(_cache_key(project, exercise)):
                    exercises[_cache_key(project, exercise)] = exercise
    return exercises


def record_missing(
    project: Project, exercises: Mapping[tuple[str, ...], Exercise]
) -> dict[tuple[str, ...], dict[str, Any]]:
    """Record these exercises in one process, and cache what succeeds."""
    if not exercises:
        return {}
    recordings = dict(zip(exercises, record_exercises(list(exercises.values()), project.root), strict=True))
    for key, recording in recordings.items():
        if "error" not in recording:
            project.cache.get(key, lambda: recording)  # noqa: B023
    return recordings


def _pointing_body(project: Project, page: Page, exercise: Exercise, figure_id: str) -> tuple[str, str, dict[str, Any]]:
    """Render the program and its choices, and the solution. The answer key comes from a recorded run."""
    try:
        recording = project.cache.get(_cache_key(project, exercise), lambda: _recording(project, exercise))
        choices: list[str] = list(recording["choices"])
        hints_by_selection = {}
        for answer in exercise.wrongs:
            selection = point.selection(exercise, answer.label, tuple(choices))
            hints_by_selection[_indices(choices, selection)] = prose(project, page, answer.hint)
    except point.PointError as error:
        raise _recording_error(exercise, error) from None
    script_data = {"at": exercise.at, "key": _indices(choices, recording["key"]), "said": hints_by_selection}
    separator = say(", then ") if exercise.at == "order" else say(", ")
    solution = f"<p>{separator.join(f'<code>{html.escape(text)}</code>' for text in recording['key'])}</p>"
    if exercise.at == "line":
        return _line_form(project, exercise, figure_id, choices, len(recording["key"])), solution, script_data
    return _graph_form(project, exercise, figure_id, choices, recording), solution, script_data


def _graph_form(
    project: Project, exercise: Exercise, figure_id: str, choices: list[str], recording: dict[str, Any]
) -> str:
    """Render the program, its graph, and one control per tensor or node."""
    node_ids = {title: node_id for node_id, title in recording["names"].items()}
    description = say(
        "{number} of the program's tensors, each with arrows to those that are computed from it.", number=len(choices)
    )
    graph = graph_svg.svg(recording["trace"], figure_id, description if exercise.at == "tensors" else "")
    controls = "".join(
        _choice_control(exercise, figure_id, index, text, node_ids[text]) for index, text in enumerate(choices)
    )
    legend = say("Which of them?") if exercise.at == "tensors" else say("Choose them one after the other")
    return (
        f"{highlight.block(exercise.start.rstrip(), 'python', project.cache)}"
        f'<div class="point-graph">{graph}</div>'
        f'<form class="ask point"><fieldset><legend>{legend}</legend>'
        f'<div class="point-choices">{controls}</div></fieldset></form>'
    )


def _choice_control(exercise: Exercise, figure_id: str, index: int, text: str, node_id: str) -> str:
    label = f"<code>{html.escape(text)}</code>"
    if exercise.at == "order":
        return f'<button type="button" data-choice="{index}" data-of="{html.escape(node_id)}"><b></b>{label}</button>'
    box = f'<input type="checkbox" name="{figure_id}" value="{index}" data-of="{html.escape(node_id)}">'
    return f"<label>{box}<span>{label}</span></label>"


def _line_form(project: Project, exercise: Exercise, figure_id: str, choices: list[str], answer_count: int) -> str:
    """Render the program with a radio button or checkbox beside each statement that can be chosen."""
    highlighted = highlight.lines(exercise.start, "python", project.cache)
    statements = {first: (choices.index(text), last) for first, last, text in point.statements(exercise)}
    input_type = "radio" if answer_count == 1 else "checkbox"
    rows, line, last_line = [], 1, exercise.start.count("\n")
    while line <= last_line:
        index, last = statements.get(line, (None, line))
        text = "\n".join(highlighted[line - 1 : last]) or " "
        if index is None:
            rows.append(f'<span class="point-line"><span></span><code>{text}</code></span>')
        else:
            control = f'<input type="{input_type}" name="{figure_id}" value="{index}">'
            rows.append(f'<label class="point-line"><span>{control}</span><code>{text}</code></label>')
        line = last + 1
    legend = say("Which line?") if answer_count == 1 else say("Which lines?")
    return f'<form class="point point-lines"><fieldset><legend>{legend}</legend><div>{"".join(rows)}</div></fieldset></form>'


def _indices(choices: list[str], selected: tuple[str, ...] | list[str]) -> str:
    """Return the positions of the selected choices, separated by spaces."""
    return " ".join(str(choices.index(text)) for text in selected)


@renders(FenceType("checkpoint"))
def render_checkpoint(project: Project, page: Page, keys: dict[str, str]) -> str:
    """Render the list of the page's predictions and exercises. A script fills in which ones are done."""
    return (
        '<div class="checkpoint" data-checkpoint><p class="checkpoint-head"></p><ul class="checkpoint-list"></ul>'
        f"<noscript><p>{say('What you have done is remembered only where scripts may run.')}</p></noscript></div>"
    )

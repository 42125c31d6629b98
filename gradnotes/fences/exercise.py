"""Render the `exercise` and `checkpoint` fences.

An exercise has a question, an editor (or choices to select), hints and a solution. docs/assets/exercises.js makes
it interactive. Without JavaScript, question and program are visible, and hints and solution are in folds.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from markupsafe import Markup
from snippetcheck.fence_types import FenceType, Snippets
from snippetcheck.pages import Fence
from snippetcheck.report import python_command
from snippetcheck.settings import find_root

from gradnotes import inputs
from gradnotes.exercises import point
from gradnotes.exercises.lookup import find_exercise
from gradnotes.exercises.parser import Exercise
from gradnotes.exercises.record import record_exercises
from gradnotes.fences import highlight, ideas
from gradnotes.fences.prose import link_to, prose
from gradnotes.fences.registry import renders
from gradnotes.links import Link, address, link
from gradnotes.markup import Page
from gradnotes.problems import FenceError
from gradnotes.project import Project
from gradnotes.recorder import shipped
from gradnotes.templating import render
from gradnotes.translation import edition
from gradnotes.viewer import graph_svg
from gradnotes.words import say

ENGINE = "the small NumPy engine of this site"
_TITLES = {"repair": "Exercise: repair", "write": "Exercise: write", "point": "Exercise: select"}
ENGINE_PAGE = "inside-the-engine/a-number-that-remembers.md"
ENGINE_SECTION = "a-complete-engine"


def check_file(fence: Fence, snippets: Snippets) -> Iterator[tuple[str, str]]:
    """Yield (message, remedy) if the exercise file does not exist. The ledger calls this."""
    if not (find_root(fence.page.parent) / "exercises" / fence.keys["file"]).is_file():
        yield f"no exercise {fence.keys['file']!r}", "create it below exercises/ or correct the name"


@renders(FenceType("exercise", ("file",), check=check_file))
def render_exercise(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render one exercise as a `<figure>`.

    Raises:
        FenceError: the exercise is missing or malformed, or its answer key cannot be recorded.
    """
    exercise = edition.exercise_in_language(project, keys["file"], page.path)
    figure_id = page.id_for("exercise-" + exercise.name.removesuffix(".py").replace("/", "-").replace("_", "-"))
    body, script_data = (
        _pointing_body(project, page, exercise, figure_id)
        if exercise.kind == "point"
        else _editor_body(project, page, exercise)
    )
    return render(
        "exercise",
        exercise=exercise,
        id=figure_id,
        title=_TITLES[exercise.kind],
        start=highlight.code(exercise.start.rstrip(), "python", project.cache),
        prose=partial(prose, project, page),
        about=_link_to_section(project, page, exercise.about) if exercise.about else None,
        engine_name=ENGINE,
        engine_href=_engine_href(project, page),
        script_data={**script_data, "hints": len(exercise.hints)},
        **body,
    )


def _link_to_section(project: Project, page: Page, target: str) -> Link:
    """Return a link to `target`, `page.md#section` below docs/. Its text is the heading of the section.

    If the section is on another page, the title of the page precedes the heading. Without such a section, the text is the
    title of the page.

    Raises:
        FenceError: there is no such page.
    """
    page_link = link_to(project, page, target)
    name, _, section = target.partition("#")
    target_page = edition.page_in_edition(project, name, page.path)
    heading = next((text for _, text, anchor in ideas.sections(project, target_page) if anchor == section), None)
    if heading is None:
        return page_link
    return replace(page_link, text=heading if target_page == page.path else f"{page_link.text} › {heading}")


def _engine_href(project: Project, page: Page) -> str | None:
    """Return the address of the section about reference_impl, or None if the project lacks its page."""
    if not inputs.is_file(project.docs / ENGINE_PAGE):
        return None
    return f"{link(address(edition.page_in_edition(project, ENGINE_PAGE, page.path)), page.path)}#{ENGINE_SECTION}"


def _editor_body(project: Project, page: Page, exercise: Exercise) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return two dicts for an exercise with an editor: the fields of the template, and the data of its script.

    The script, docs/assets/exercises.js, passes the check and the errors of wrong answers to
    gradnotes.browser.check_exercise, and shows the hint of the error that occurred.
    """
    assert exercise.solution
    solution = highlight.code(exercise.solution.text.rstrip(), "python", project.cache)
    errors = [
        {"error": answer.error, "hint": prose(project, page, answer.hint)} for answer in exercise.wrongs if answer.error
    ]
    return {"solution": solution}, {"check": exercise.check, "errors": errors}


def _cache_key(project: Project, exercise: Exercise) -> tuple[str, ...]:
    return ("answer key", exercise.text, shipped.fingerprint(project))


def _make_recording(project: Project, exercise: Exercise) -> dict[str, Any]:
    """Return the recording of an exercise.

    Unless `project.records_singly`, the first call records the exercises of all pages in one process, because starting
    the process takes longer than recording.

    Raises:
        FenceError: recording the exercise failed.
    """
    batch = {}
    if not project.records_singly:
        batch = project.memoize("answer keys", lambda: record_missing(project, required_recordings(project)))
    recording = batch.get(_cache_key(project, exercise)) or record_exercises([exercise], project.root)[0]
    if "error" in recording:
        raise _recording_error(exercise, recording["error"])
    return recording


def _recording_error(exercise: Exercise, reason: object) -> FenceError:
    command = python_command("-m", "pytest", f"exercises/{exercise.name}")
    return FenceError(f"could not record the answer key of {exercise.name}: {reason}", f"for details, run `{command}`")


def required_recordings(project: Project) -> dict[tuple[str, ...], Exercise]:
    """Return the `point` exercises on pages whose recordings are not cached, by the cache key of the recording."""
    exercises = {}
    for page in project.pages():
        for fence in project.fences(page):
            if fence.kind != "exercise":
                continue
            with contextlib.suppress(FenceError):  # rendering the page reports the error
                exercise = find_exercise(project, fence.keys.get("file", ""))
                if exercise.kind == "point" and not project.cache.has(_cache_key(project, exercise)):
                    exercises[_cache_key(project, exercise)] = exercise
    return exercises


def record_missing(
    project: Project, exercises: Mapping[tuple[str, ...], Exercise]
) -> dict[tuple[str, ...], dict[str, Any]]:
    """Record exercises in one process. Return all recordings by cache key; cache those without an error."""
    if not exercises:
        return {}
    recordings = dict(zip(exercises, record_exercises(list(exercises.values()), project.root), strict=True))
    for key, recording in recordings.items():
        if "error" not in recording:
            project.cache.get(key, lambda: recording)  # noqa: B023
    return recordings


def _pointing_body(
    project: Project, page: Page, exercise: Exercise, figure_id: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return two dicts for a `point` exercise: the fields of the template, and the data of its script.

    The choices and the right answer come from a recorded run.

    Raises:
        FenceError: recording the exercise failed, or a wrong answer cannot be selected.
    """
    try:
        recording = project.cache.get(_cache_key(project, exercise), lambda: _make_recording(project, exercise))
        choices: list[str] = list(recording["choices"])
        hints_by_selection = {}
        for answer in exercise.wrongs:
            selection = point.selection(exercise, answer.label, tuple(choices))
            hints_by_selection[_indices(choices, selection)] = prose(project, page, answer.hint)
    except point.PointError as error:
        raise _recording_error(exercise, error) from None
    script_data = {"at": exercise.at, "key": _indices(choices, recording["key"]), "said": hints_by_selection}
    body: dict[str, Any] = {"answers": recording["key"]}
    if exercise.at == "line":
        body["lines"] = list(_choice_lines(project, exercise, choices))
    else:
        node_ids = {title: node_id for node_id, title in recording["names"].items()}
        body["choices"] = [(text, node_ids[text]) for text in choices]
        trace, alt_text = recording["trace"], _describe_graph(exercise, choices)
        body["graph"] = Markup(graph_svg.svg(trace, graph_svg.place_nodes(trace), figure_id, alt_text))
    return body, script_data


def _describe_graph(exercise: Exercise, choices: list[str]) -> str:
    """Return the text alternative of a graph of tensors; "" for a graph of nodes, which `graph_svg` describes."""
    if exercise.at != "tensors":
        return ""
    return say(
        "{number} of the program's tensors, each with arrows to the tensors computed from it.", number=len(choices)
    )


def _choice_lines(project: Project, exercise: Exercise, choices: list[str]) -> Iterator[tuple[int | None, Markup]]:
    """Yield (index of the choice, HTML) of each statement that can be chosen, and (None, HTML) of each other line."""
    html_lines = highlight.lines(exercise.start, "python", project.cache)
    statements = {first: (choices.index(text), last) for first, last, text in point.statements(exercise)}
    line, last_line = 1, exercise.start.count("\n")
    while line <= last_line:
        index, last = statements.get(line, (None, line))
        yield index, Markup("\n".join(html_lines[line - 1 : last]) or " ")
        line = last + 1


def _indices(choices: list[str], selection: tuple[str, ...] | list[str]) -> str:
    """Return the indices of the selected choices, separated by spaces, such as "0 2"."""
    return " ".join(str(choices.index(text)) for text in selection)


@renders(FenceType("checkpoint"))
def render_checkpoint(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render an empty list. docs/assets/practice.js fills it with the predictions and exercises of the page."""
    return render("checkpoint")

"""Exercises on a page: question, editor or drawing, hints, solution. docs/assets/exercises.js brings them to life.

Without script the question, the start, the hints and the solution are there, the last two folded.
"""

from __future__ import annotations

import contextlib
import html
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from snippetcheck.kinds import Kind, Snippets
from snippetcheck.pages import Fence
from snippetcheck.settings import find_root
from snippetcheck.shell import python_command
from snippetcheck.source import plural

from gradnotes import inputs
from gradnotes.exercises import pointing
from gradnotes.exercises.format import Exercise
from gradnotes.exercises.recorded import recorded
from gradnotes.fences import code
from gradnotes.fences.kinds import shows
from gradnotes.fences.markup import Page, as_attributes, inline
from gradnotes.fences.problems import FenceError
from gradnotes.fences.project import Project, address, link
from gradnotes.fences.prose import link_to, prose
from gradnotes.steps import drawing

ENGINE = "the small NumPy engine of this site"
ENGINE_PAGE = "inside-the-engine/a-number-that-remembers.md"
ENGINE_SECTION = "a-complete-engine"


def check(fence: Fence, snippets: Snippets) -> Iterator[tuple[str, str]]:
    """For the ledger: that there is such an exercise."""
    if not (find_root(fence.page.parent) / "exercises" / fence.keys["file"]).is_file():
        yield f"no exercise {fence.keys['file']!r}", "write it below exercises/, or correct the name"


@shows(Kind("exercise", ("file",), check=check))
def exercise(project: Project, page: Page, keys: dict[str, str]) -> str:
    """One exercise."""
    one = project.exercise(keys["file"])
    name = page.id_for("exercise-" + one.name.removesuffix(".py").replace("/", "-").replace("_", "-"))
    question = "".join(f"<p>{prose(project, page, text)}</p>" for text in one.question)
    body, solution, data = _pointed(project, page, one, name) if one.kind == "point" else _written(project, page, one)
    data["hints"] = len(one.hints)
    about = f"To read again: {link_to(project, page, one.about)}. " if one.about else ""
    about += "" if one.kind == "point" else _engine_note(project, page)
    about = f'<p class="exercise-about">{about}</p>' if about else ""
    attributes = {"id": name, "data-practice": name, "data-kind": one.kind, "data-file": one.name}
    return (
        f'<figure class="exercise"{as_attributes(attributes)}>'
        f'<figcaption><span class="snippet-title">Exercise: {one.label.lower()}</span>'
        f'<span class="practice-mark"></span></figcaption>'
        f'<div class="exercise-question">{question}</div>{body}{_bar(one)}'
        f'<div class="exercise-said" role="status"></div>{_hints(project, page, one)}'
        f'<details class="exercise-solution"><summary>Solution</summary>{solution}</details>{about}'
        f'<script type="application/json">{_json(data)}</script></figure>'
    )


def _engine_note(project: Project, page: Page) -> str:
    """Return the sentence about the engine, with a link where the project has the page that explains it."""
    engine = ENGINE
    if inputs.is_file(project.docs / ENGINE_PAGE):
        engine = f'<a href="{link(address(ENGINE_PAGE), page.path)}#{ENGINE_SECTION}">{ENGINE}</a>'
    return f"<em>Check</em> runs in your browser, on {engine}, which has PyTorch's API."


def _bar(one: Exercise) -> str:
    buttons = [("check", "Check"), *([("stop", "Stop")] if one.kind != "point" else [])]
    buttons += [("hint", f"Hint 1 of {len(one.hints)}")] * bool(one.hints)
    buttons += [("solution", "Solution"), ("reset", "Start over")]
    made = "".join(
        f'<button type="button" data-do="{name}"{" hidden" * (name == "stop")}>{label}</button>'
        for name, label in buttons
    )
    return f'<div class="run-bar exercise-bar" role="group" aria-label="This exercise">{made}</div>'


def _hints(project: Project, page: Page, one: Exercise) -> str:
    if not one.hints:
        return ""
    items = "".join(f"<li>{prose(project, page, text)}</li>" for text in one.hints)
    return (
        f'<details class="exercise-hints"><summary>{plural(len(one.hints), "hint")}</summary><ol>{items}</ol></details>'
    )


def _written(project: Project, page: Page, one: Exercise) -> tuple[str, str, dict[str, Any]]:
    """The editor, the solution, and what *Check* needs."""
    assert one.solution
    start = html.escape(one.start.rstrip("\n"))
    rows = one.start.count("\n") + 1
    label = html.escape(f"The program of the exercise: {one.question[0]}".replace("`", ""))
    body = (
        f'<div class="exercise-start">{code.block(one.start.rstrip(), "python", project.cache)}</div>'
        f'<textarea class="exercise-editor" rows="{min(rows, 32)}" spellcheck="false" autocapitalize="off"'
        f' aria-label="{label}">\n{start}</textarea>'
    )
    errors = [{"error": wrong.error, "hint": prose(project, page, wrong.hint)} for wrong in one.wrongs if wrong.error]
    return body, code.block(one.solution.text.rstrip(), "python", project.cache), {"check": one.check, "errors": errors}


def _key(project: Project, one: Exercise) -> tuple[str, ...]:
    return ("asked", inputs.read_text(one.path), project.recorder())


def _recorded(project: Project, one: Exercise) -> dict[str, Any]:
    """Its key. All that the pages ask and nobody has kept is recorded at once. Raises FenceError."""
    missing = (
        {} if project.records_singly else project.once("pointed", lambda: record_missing(project, needed(project)))
    )
    made = missing.get(_key(project, one)) or recorded([one.path], project.root)[0]
    if "error" in made:
        raise _unrecorded(one, made["error"])
    return made


def _unrecorded(one: Exercise, why: object) -> FenceError:
    command = python_command("-m", "pytest", f"exercises/{one.name}")
    return FenceError(f"the key of {one.name} could not be recorded: {why}", f"this says more: {command}")


def needed(project: Project) -> dict[tuple[str, ...], Path]:
    """The exercises on the pages whose keys nobody has recorded, by what decides the key."""
    exercises = {}
    for page in project.pages():
        for fence in (fence for fence in project.fences(page) if fence.kind == "exercise"):
            with contextlib.suppress(FenceError):  # the page that shows it says what is wrong
                one = project.exercise(fence.keys.get("file", ""))
                if one.kind == "point" and not project.cache.has(_key(project, one)):
                    exercises[_key(project, one)] = one.path
    return exercises


def record_missing(
    project: Project, exercises: Mapping[tuple[str, ...], Path]
) -> dict[tuple[str, ...], dict[str, Any]]:
    """Record the keys of these exercises in one process."""
    if not exercises:
        return {}
    made = dict(zip(exercises, recorded(list(exercises.values()), project.root), strict=True))
    for key, answer in made.items():
        if "error" not in answer:
            project.cache.get(key, lambda: answer)  # noqa: B023
    return made


def _pointed(project: Project, page: Page, one: Exercise, name: str) -> tuple[str, str, dict[str, Any]]:
    """The program, with what can be pointed at; the answer in words; and the key."""
    try:
        made = project.cache.get(_key(project, one), lambda: _recorded(project, one))
        choices: list[str] = list(made["choices"])
        wrong = {
            _numbers(choices, pointing.selection(one, answer.label, tuple(choices))): prose(project, page, answer.hint)
            for answer in one.wrongs
        }
    except pointing.PointError as error:
        raise _unrecorded(one, error) from None
    data = {"at": one.at, "key": _numbers(choices, made["key"]), "said": wrong}
    answer = ", then ".join if one.at == "order" else ", ".join
    solution = f"<p>{answer(f'<code>{html.escape(text)}</code>' for text in made['key'])}</p>"
    if one.at == "line":
        return _lines(project, one, name, choices, len(made["key"])), solution, data
    ids = {title: key for key, title in made["names"].items()}
    words = f"{len(choices)} of the program's tensors, each with arrows to those that are computed from it."
    graph = drawing.svg(made["trace"], name, words if one.at == "tensors" else "")
    parts = "".join(_choice(one, name, number, text, ids[text]) for number, text in enumerate(choices))
    legend = "Which of them?" if one.at == "tensors" else "Choose them one after the other"
    body = (
        f"{code.block(one.start.rstrip(), 'python', project.cache)}"
        f'<div class="point-graph">{graph}</div>'
        f'<form class="ask point"><fieldset><legend>{legend}</legend>'
        f'<div class="point-choices">{parts}</div></fieldset></form>'
    )
    return body, solution, data


def _choice(one: Exercise, name: str, number: int, text: str, node: str) -> str:
    shown = f"<code>{html.escape(text)}</code>"
    if one.at == "order":
        return f'<button type="button" data-choice="{number}" data-of="{html.escape(node)}"><b></b>{shown}</button>'
    box = f'<input type="checkbox" name="{name}" value="{number}" data-of="{html.escape(node)}">'
    return f"<label>{box}<span>{shown}</span></label>"


def _lines(project: Project, one: Exercise, name: str, choices: list[str], wanted: int) -> str:
    """The program, each line of it that can be pointed at a label."""
    coloured = code.lines(one.start, "python", project.cache)
    number_of = {first: (choices.index(text), last) for first, last, text in pointing.statements(one)}
    kind = "radio" if wanted == 1 else "checkbox"
    rows, line, last_line = [], 1, one.start.count("\n")
    while line <= last_line:
        number, last = number_of.get(line, (None, line))
        shown = "\n".join(coloured[line - 1 : last]) or " "
        if number is None:
            rows.append(f'<span class="point-line"><span></span><code>{shown}</code></span>')
        else:
            box = f'<input type="{kind}" name="{name}" value="{number}">'
            rows.append(f'<label class="point-line"><span>{box}</span><code>{shown}</code></label>')
        line = last + 1
    legend = "Which line?" if wanted == 1 else "Which lines?"
    return f'<form class="point point-lines"><fieldset><legend>{legend}</legend><div>{"".join(rows)}</div></fieldset></form>'


def _numbers(choices: list[str], chosen: tuple[str, ...] | list[str]) -> str:
    return " ".join(str(choices.index(one)) for one in chosen)


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


@shows(Kind("checkpoint"))
def checkpoint(project: Project, page: Page, keys: dict[str, str]) -> str:
    """What of the predictions and exercises of the page is done; the script fills it."""
    return (
        '<div class="checkpoint" data-checkpoint><p class="checkpoint-head"></p><ul class="checkpoint-list"></ul>'
        f"<noscript><p>{inline('What you have done is remembered only where scripts may run.')}</p></noscript></div>"
    )

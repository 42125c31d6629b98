"""Each page as a notebook: its text as Markdown cells, its examples as code cells with their outputs.

The outputs are those that the snippets state and that the harness compared with a run. An example in
which a statement raises is cut after it, since a cell ends there. The examples of a page share one
kernel, but nothing else: where there are several, each begins with `begin_afresh()`, see notebook_fresh. An
example that forks runs as a program of its own: a fork of a process that has run backward can hang.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import partial
from pathlib import Path
from typing import Any

from snippetcheck.pages import Fence, after_front_matter
from snippetcheck.places import shows_a_snippet
from snippetcheck.snippet import Snippet, Statement

from gradnotes.exercises.format import Exercise
from gradnotes.fences import symbols
from gradnotes.fences.project import Project
from gradnotes.problems import InputError

_FORKS = re.compile(r"\bstart_processes\(|\bos\.fork\(")
FRESH = Path(__file__).with_name("notebook_fresh.py")


def made(project: Project) -> dict[str, str]:
    """Map the path of each notebook below docs/ to its text: one for each page that shows a snippet or an exercise."""
    with_exercises = {
        page for page in project.pages() if any(fence.kind == "exercise" for fence in project.fences(page))
    }
    pages = sorted({*project.shown().values(), *with_exercises})
    return {
        f"notebooks/{Path(page).with_suffix('.ipynb')}": project.once(("notebook", page), partial(_text, project, page))
        for page in pages
    }


def _text(project: Project, page: str) -> str:
    return as_text(notebook(project, page))


def as_text(made: dict[str, Any]) -> str:
    """A notebook as JSON, a line for each cell."""
    dump = partial(json.dumps, ensure_ascii=False, sort_keys=True)
    cells = ",\n".join(map(dump, made["cells"]))
    rest = dump({key: value for key, value in made.items() if key != "cells"})
    return f'{{"cells": [\n{cells}\n], {rest[1:]}\n'


def notebook(project: Project, page: str) -> dict[str, Any]:
    """The notebook of one page, in nbformat 4.5."""
    text = project.text(page)
    lines = text.splitlines()
    cells: list[dict[str, Any]] = []
    shown: set[str] = set()
    start = after_front_matter(lines)
    for fence in project.fences(page, text):
        _markdown(cells, lines[start : fence.line - 1])
        start = fence.last_line
        cells += _cells_of(project, fence, shown)
    _markdown(cells, lines[start:])
    if not any("# " in "".join(cell["source"])[:2] for cell in cells[:1]):
        cells.insert(0, _cell("markdown", f"# {project.title(page)}"))
    _keep_apart(cells)
    for number, cell in enumerate(cells):
        digest = hashlib.sha256(f"{page} {number} {cell['source']}".encode()).hexdigest()
        cell["id"] = digest[:12]
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _keep_apart(cells: list[dict[str, Any]]) -> None:
    """Let each example begin afresh, where there are several."""
    first = [cell for cell in cells if cell["metadata"].pop("first", False)]
    if len(first) > 1:
        setup = _code(FRESH.read_text(encoding="utf-8").rstrip("\n"), [])
        cells.insert(1, {**setup, "metadata": {"jupyter": {"source_hidden": True}}})
        for cell in first:
            forks = _FORKS.search("".join(cell["source"]))
            cell["source"].insert(0, "%%script {sys.executable}\n" if forks else "begin_afresh()\n")


def _markdown(cells: list[dict[str, Any]], lines: list[str]) -> None:
    text = "\n".join(lines).strip("\n")
    text = re.sub(r"\s*\{#[\w-]+\}", "", text)
    if text.strip():
        cells.append(_cell("markdown", text))


def _cells_of(project: Project, fence: Fence, shown: set[str]) -> list[dict[str, Any]]:
    """The cells of a fence; one that cannot be shown is left out, since the build reports it."""
    try:
        if shows_a_snippet(fence):
            one = project.snippet(fence.keys["file"])
            if one.name in shown:
                return []
            shown.add(one.name)
            asked = [_cell("markdown", f"**Before you look:** {fence.keys['ask']}")] if "ask" in fence.keys else []
            return asked + _program(one)
        if fence.kind == "exercise":
            return _exercise(project.exercise(fence.keys["file"]))
        if fence.kind == "engine":
            found = symbols.find(fence.keys["symbol"], project.root)
            return [_cell("markdown", f"`{found.symbol}`:\n\n```python\n{found.text}\n```")]
    except (InputError, KeyError):
        return []
    if fence.kind == "illustrative":
        return [_cell("markdown", "```\n" + "\n".join(fence.body) + "\n```")]
    return []


def _exercise(one: Exercise) -> list[dict[str, Any]]:
    """The question and the start, as text: the answer is checked on the page only."""
    question = "\n\n".join(one.question)
    return [_cell("markdown", f"**Exercise** (the page checks it). {question}\n\n```python\n{one.start}```")]


def _program(one: Snippet) -> list[dict[str, Any]]:
    """A snippet as cells: one more after each statement that raises."""
    cells = [_cell("markdown", f"**{one.title}**")]
    expected = _expected_lines(one)
    begin = (one.manifest.last_line or one.title_last_line) + 1
    group: list[Statement] = []
    for statement in one.statements:
        group.append(statement)
        if statement.error or statement is one.statements[-1]:
            hidden = expected | one.region_marks
            source = [line for n, line in _numbered(one, begin, statement.last) if n not in hidden]
            cells.append(_code("\n".join(source).strip("\n"), group))
            cells[-1]["metadata"] |= {"first": True} if len(cells) == 2 else {}
            begin, group = statement.block_last + 1, []
    return cells


def _numbered(one: Snippet, first: int, last: int) -> list[tuple[int, str]]:
    return [(number, one.lines[number - 1]) for number in range(first, last + 1)]


def _expected_lines(one: Snippet) -> set[int]:
    return {n for s in one.statements for n in range(s.last + 1, s.block_last + 1)}


def _code(source: str, statements: list[Statement]) -> dict[str, Any]:
    outputs: list[dict[str, Any]] = []
    printed = "".join(line.text + "\n" for s in statements for line in s.output)
    if printed:
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.splitlines(True)})
    warned = "".join(f"{w.category}: {w.message}\n" for s in statements for w in s.warnings)
    if warned:
        outputs.append({"output_type": "stream", "name": "stderr", "text": warned.splitlines(True)})
    error = statements[-1].error if statements else None
    if error:
        text = f"{error.type}: {error.message}"
        outputs.append(
            {"output_type": "error", "ename": error.type, "evalue": error.message, "traceback": text.splitlines()}
        )
    tags = {"tags": ["raises-exception"]} if error else {}
    return {**_cell("code", source), "outputs": outputs, "execution_count": None, "metadata": tags}


def _cell(kind: str, text: str) -> dict[str, Any]:
    return {"cell_type": kind, "metadata": {}, "source": text.splitlines(True)}

"""Export pages as notebooks: the text as Markdown cells, the examples as code cells with their outputs.

The outputs are the expected output of the snippets, which the harness compares with runs. After a statement that
raises, a new cell begins, because an error ends a cell. The examples of a page share one kernel but no state: on a page
with several examples, each begins with `begin_afresh()`, see isolation_cell. An example that forks runs as a separate
program, because a fork of a process that has run backward can hang.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import partial
from pathlib import Path
from typing import Any

from snippetcheck.pages import Fence, after_front_matter, embeds_snippet
from snippetcheck.snippet import Snippet, Statement

from gradnotes.engine_source import symbols
from gradnotes.exercises.parser import Exercise
from gradnotes.problems import InputError
from gradnotes.project import Project

_FORKS = re.compile(r"\bstart_processes\(|\bos\.fork\(")
ISOLATION_CELL = Path(__file__).with_name("isolation_cell.py")


def export_notebooks(project: Project) -> dict[str, str]:
    """Map the path of each notebook below docs/ to its text.

    A page has a notebook if it has an exercise, or if it is the page of a snippet (`Project.pages_by_snippet`).
    """
    exercise_pages = {
        page for page in project.pages() if any(fence.kind == "exercise" for fence in project.fences(page))
    }
    pages = sorted({*project.pages_by_snippet().values(), *exercise_pages})
    return {
        f"notebooks/{Path(page).with_suffix('.ipynb')}": project.memoize(
            ("notebook", page), partial(_notebook_text, project, page)
        )
        for page in pages
    }


def _notebook_text(project: Project, page: str) -> str:
    return as_text(build_notebook(project, page))


def as_text(notebook: dict[str, Any]) -> str:
    """Return a notebook as JSON with one line per cell."""
    dump = partial(json.dumps, ensure_ascii=False, sort_keys=True)
    cells = ",\n".join(map(dump, notebook["cells"]))
    rest = dump({key: value for key, value in notebook.items() if key != "cells"})
    return f'{{"cells": [\n{cells}\n], {rest[1:]}\n'


def build_notebook(project: Project, page: str) -> dict[str, Any]:
    """Return the notebook of a page, as a dict in nbformat 4.5."""
    text = project.text(page)
    lines = text.splitlines()
    cells: list[dict[str, Any]] = []
    exported_names: set[str] = set()
    start = after_front_matter(lines)
    for fence in project.fences(page, text):
        _add_markdown(cells, lines[start : fence.line - 1])
        start = fence.last_line
        cells += _fence_cells(project, fence, exported_names)
    _add_markdown(cells, lines[start:])
    if not any("# " in "".join(cell["source"])[:2] for cell in cells[:1]):
        cells.insert(0, _cell("markdown", f"# {project.title(page)}"))
    _isolate_examples(cells)
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


def _isolate_examples(cells: list[dict[str, Any]]) -> None:
    """Make the first cell of each example reset the kernel, if the notebook has several examples.

    The cell of an example that forks becomes a separate program instead.
    """
    first_cells = [cell for cell in cells if cell["metadata"].pop("first", False)]
    if len(first_cells) > 1:
        setup = _code_cell(ISOLATION_CELL.read_text(encoding="utf-8").rstrip("\n"), [])
        cells.insert(1, {**setup, "metadata": {"jupyter": {"source_hidden": True}}})
        for cell in first_cells:
            is_forking = _FORKS.search("".join(cell["source"]))
            cell["source"].insert(0, "%%script {sys.executable}\n" if is_forking else "begin_afresh()\n")


def _add_markdown(cells: list[dict[str, Any]], lines: list[str]) -> None:
    text = "\n".join(lines).strip("\n")
    text = re.sub(r"\s*\{#[\w-]+\}", "", text)
    if text.strip():
        cells.append(_cell("markdown", text))


def _fence_cells(project: Project, fence: Fence, exported_names: set[str]) -> list[dict[str, Any]]:
    """Return the cells for a fence. If the fence has a problem, which the build reports, return no cells.

    `exported_names` has the names of the snippets that the notebook already contains; they are not added twice.
    """
    try:
        if embeds_snippet(fence):
            snippet = project.snippet(fence.keys["file"])
            if snippet.name in exported_names:
                return []
            exported_names.add(snippet.name)
            question = [_cell("markdown", f"**Before you look:** {fence.keys['ask']}")] if "ask" in fence.keys else []
            return question + _snippet_cells(snippet)
        if fence.kind == "exercise":
            return _exercise_cells(project.exercise(fence.keys["file"]))
        if fence.kind == "engine":
            source = symbols.find(fence.keys["symbol"], project.root)
            return [_cell("markdown", f"`{source.symbol}`:\n\n```python\n{source.text}\n```")]
    except (InputError, KeyError):
        return []
    if fence.kind == "illustrative":
        return [_cell("markdown", "```\n" + "\n".join(fence.body) + "\n```")]
    return []


def _exercise_cells(exercise: Exercise) -> list[dict[str, Any]]:
    """Return one Markdown cell with the question and the start. Only the page checks an answer."""
    question = "\n\n".join(exercise.question)
    return [_cell("markdown", f"**Exercise** (the page checks it). {question}\n\n```python\n{exercise.start}```")]


def _snippet_cells(snippet: Snippet) -> list[dict[str, Any]]:
    """Return a snippet as cells: its title, and its program, which is split after each statement that raises."""
    cells = [_cell("markdown", f"**{snippet.title}**")]
    expected_lines = _expected_lines(snippet)
    begin = (snippet.manifest.last_line or snippet.title_last_line) + 1
    group: list[Statement] = []
    for statement in snippet.statements:
        group.append(statement)
        if statement.error or statement is snippet.statements[-1]:
            hidden_lines = expected_lines | snippet.region_marks
            source = [line for n, line in _numbered_lines(snippet, begin, statement.last) if n not in hidden_lines]
            cells.append(_code_cell("\n".join(source).strip("\n"), group))
            cells[-1]["metadata"] |= {"first": True} if len(cells) == 2 else {}
            begin, group = statement.block_last + 1, []
    return cells


def _numbered_lines(snippet: Snippet, first: int, last: int) -> list[tuple[int, str]]:
    return [(number, snippet.lines[number - 1]) for number in range(first, last + 1)]


def _expected_lines(snippet: Snippet) -> set[int]:
    return {n for s in snippet.statements for n in range(s.last + 1, s.block_last + 1)}


def _code_cell(source: str, statements: list[Statement]) -> dict[str, Any]:
    outputs: list[dict[str, Any]] = []
    output = "".join(line.text + "\n" for s in statements for line in s.output)
    if output:
        outputs.append({"output_type": "stream", "name": "stdout", "text": output.splitlines(True)})
    warnings = "".join(f"{w.type}: {w.message}\n" for s in statements for w in s.warnings)
    if warnings:
        outputs.append({"output_type": "stream", "name": "stderr", "text": warnings.splitlines(True)})
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

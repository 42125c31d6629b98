"""Export pages as notebooks: the text as Markdown cells, the examples as code cells with their outputs.

The outputs are the expected output of the snippets, which the harness compares with runs. After a statement that
raises, a new cell begins, because an error ends a cell. The examples of a page share one kernel but no state: on a page
with several examples, each begins with `begin_afresh()`, see isolation_cell. An example that forks runs as a separate
program, because a fork of a process that has run backward can hang.

A notebook is read away from the site, in Jupyter, VS Code or on GitHub. Its links have the address of the published
site, or are only words if there is none. What only the page can show, such as a step viewer, becomes a link to it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from snippetcheck.pages import Fence, after_front_matter, embeds_snippet

import gradnotes.fences.extension  # noqa: F401  registers the fence types
from gradnotes.engine_source import symbols
from gradnotes.exercises.lookup import find_exercise
from gradnotes.exercises.parser import Exercise
from gradnotes.fences import figure, recorded
from gradnotes.links import anchor, link
from gradnotes.markup import Page
from gradnotes.notebooks import pictures
from gradnotes.notebooks.cells import Cell, code_cell, markdown_cell
from gradnotes.notebooks.plain_markdown import Box, Lines, Links, code_block, fold, parts, plain
from gradnotes.notebooks.programs import FORKS, Programs
from gradnotes.problems import InputError
from gradnotes.project import Project

ISOLATION_CELL = Path(__file__).with_name("isolation_cell.py")
SEPARATE_PROGRAM = "%%script {_python}\n"  # IPython inserts the name from isolation_cell, which no example removes
ISOLATION_TEXT = (
    "Run the next cell before the others. Each example below then runs as if it were the only one, because its first "
    "line, `begin_afresh()`, undoes what earlier examples changed."
)


def export_notebooks(project: Project, site: str = "") -> dict[str, str]:
    """Map the path of each notebook below docs/ to its text. `site` is the address of the published site, or empty.

    A page has a notebook if it has an exercise, or if it is the page of a snippet (`Project.pages_by_snippet`).
    """
    exercise_pages = {
        page for page in project.pages() if any(fence.kind == "exercise" for fence in project.fences(page))
    }
    pages = sorted({*project.pages_by_snippet().values(), *exercise_pages})
    return {
        f"notebooks/{Path(page).with_suffix('.ipynb')}": project.memoize(
            ("notebook", page, site), partial(_notebook_text, project, page, site)
        )
        for page in pages
    }


def _notebook_text(project: Project, page: str, site: str) -> str:
    return as_text(build_notebook(project, page, site))


def as_text(notebook: dict[str, Any]) -> str:
    """Return a notebook as JSON with one line per cell."""
    dump = partial(json.dumps, ensure_ascii=False, sort_keys=True)
    cells = ",\n".join(map(dump, notebook["cells"]))
    rest = dump({key: value for key, value in notebook.items() if key != "cells"})
    return f'{{"cells": [\n{cells}\n], {rest[1:]}\n'


def build_notebook(project: Project, page: str, site: str = "") -> dict[str, Any]:
    """Return the notebook of a page, as a dict in nbformat 4.5. `site` is the address of the site, see `export_notebooks`.

    If the page does not begin with a heading, a cell with its title is added.
    """
    cells = _PageCells(project, page, site).all()
    if not any("# " in "".join(cell["source"])[:2] for cell in cells[:1]):
        cells.insert(0, markdown_cell(f"# {project.title(page)}"))
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


def _isolate_examples(cells: list[Cell]) -> None:
    """Change `cells`: if they have several examples, make the first cell of each example reset the kernel.

    The cell of an example that forks becomes a separate program instead. The cell that defines `begin_afresh` is inserted.
    """
    first_cells = [cell for cell in cells if cell["metadata"].pop("first", False)]
    if len(first_cells) > 1:
        hidden = {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]}
        setup = code_cell(ISOLATION_CELL.read_text(encoding="utf-8").rstrip("\n"), [], hidden)
        cells[:1] = [*_split_introduction(cells[0], [markdown_cell(ISOLATION_TEXT), setup])]
        for cell in first_cells:
            is_forking = FORKS.search("".join(cell["source"]))
            cell["source"].insert(0, SEPARATE_PROGRAM if is_forking else "begin_afresh()\n")


def _split_introduction(cell: Cell, inserted: list[Cell]) -> list[Cell]:
    """Split the first Markdown cell of a page before its first section, else after its title. Put `inserted` between.

    Return the cells. A part without text becomes no cell.
    """
    sections = [index for index, line in enumerate(cell["source"]) if line.startswith("## ")]
    position = sections[0] if sections else 1
    texts = ["".join(lines).strip("\n") for lines in (cell["source"][:position], cell["source"][position:])]
    before, after = ([markdown_cell(text)] if text else [] for text in texts)
    return [*before, *inserted, *after]


class _PageCells:
    """Make the cells of one page, in order."""

    def __init__(self, project: Project, page: str, site: str):
        self.project, self.page = project, page
        self.links = Links(page, site.rstrip("/") + "/" if site else "")
        self.ids = Page(page, set())
        text = project.text(page)
        fences = project.fences(page, text)
        self.fences = {fence.line: fence for fence in fences if fence.is_delimited}
        self.programs = Programs([fence for fence in fences if embeds_snippet(fence)])
        lines = text.split("\n")
        self.lines = list(enumerate(lines, 1))[after_front_matter(lines) :]

    def all(self) -> list[Cell]:
        """Return the cells of the page."""
        return list(self._cells(self.lines))

    def _cells(self, lines: Lines) -> Iterator[Cell]:
        for part in parts(lines, self.fences):
            if isinstance(part, Box):
                yield from self._box_cells(part)
            elif isinstance(part, Fence):
                yield from self._fence_cells(part)
            elif text := self._plain(part):
                yield markdown_cell(text)

    def _box_cells(self, box: Box) -> list[Cell]:
        """Return a box as one Markdown cell, or as its title and its cells if it has code cells.

        A fold is a `<details>` element, which cannot contain code cells.
        """
        cells = list(self._cells(box.lines))
        title = markdown_cell(f"**{self._plain(box.title)}**")
        if any(cell["cell_type"] == "code" for cell in cells):
            return [title, *cells]
        body = "\n\n".join("".join(cell["source"]) for cell in cells)
        return [markdown_cell(fold(box.title, body) if box.is_fold else f"{title['source'][0]}\n\n{body}")]

    def _plain(self, text: str) -> str:
        return plain(text, self.links)

    def _fence_cells(self, fence: Fence) -> list[Cell]:
        """Return the cells for a fence. If the fence has a problem, which the build reports, return no cells."""
        if fence.problem:
            return []
        try:
            if embeds_snippet(fence):
                return self._program_cells(fence)
            if fence.kind == "exercise":
                return [self._exercise_cell(find_exercise(self.project, fence.keys["file"]))]
            if fence.kind == "engine":
                source = symbols.find(fence.keys["symbol"], self.project.root)
                return [markdown_cell(f"`{source.symbol}`:\n\n{code_block(source.text, 'python')}")]
            if fence.kind == "figure":
                return [self._figure_cell(fence)]
            if fence.kind == "checkpoint":
                return [self._checkpoint_cell()]
            if fence.kind == "steps":
                name = self.ids.id_for(anchor(fence.keys["file"], "steps"))
                return [self._on_page("The backward pass of this program, step by step", f"#{name}")]
        except (InputError, KeyError):
            return []
        if fence.kind == "illustrative":
            language = fence.info.lstrip("{. ").split()[0].rstrip("}")
            return [markdown_cell(code_block("\n".join(fence.body), language))]
        return [self._on_page("A list that only the page has", "")]

    def _on_page(self, words: str, section: str) -> Cell:
        """Return a Markdown cell that says what the page shows here, with a link to it."""
        title = self.project.title(self.page)
        return markdown_cell(f"{words}: {self.links.link(f'on the page “{title}”', section)}.")

    def _program_cells(self, fence: Fence) -> list[Cell]:
        snippet = self.project.snippet(fence.keys["file"])
        cells = self.programs.cells(snippet, fence)
        if "ask" not in fence.keys:
            return cells
        question = markdown_cell(f"**Before you look:** {self._plain(fence.keys['ask'])}")
        reason_cells = [markdown_cell(fold("Why", self._plain(fence.keys["why"])))] if "why" in fence.keys else []
        return [question, *cells, *reason_cells]

    def _figure_cell(self, fence: Fence) -> Cell:
        keys = fence.keys
        name, caption = figure.figure_id(self.ids, keys), self._plain(keys.get("caption", ""))
        snippet = self.project.snippet(keys["file"])
        style = pictures.load_style_sheet(self.project)
        # after a change of the engine, `make serve` must not wait for the recordings of all pages
        is_ready = not self.project.records_singly or recorded.is_recorded(
            self.project, snippet, recorded.figure_question(snippet, keys)
        )
        if style is None or not is_ready:
            return self._on_page(f"**Figure.** {caption}", f"#{name}")
        drawing = figure.draw_figure(self.project, keys)
        link = self.links.link("On the page", f"#{name}")
        if len(drawing.frames) > 1 or len(drawing.marks) > 1:
            link += ", a slider moves through the figure."
        elif not self.links.site:
            link = ""
        return markdown_cell(pictures.figure_markdown(drawing, caption, style, link))

    def _exercise_cell(self, exercise: Exercise) -> Cell:
        """Return a Markdown cell with the question and the start. Only the page checks an answer."""
        question = "\n\n".join(map(self._plain, exercise.question))
        again = self._read_again(exercise)
        start = code_block(exercise.start.rstrip("\n"), "python")
        text = f"**Exercise** (the page checks it). {question}\n\n{start}"
        return markdown_cell(f"{text}\n\nRead again: {again}." if again else text)

    def _read_again(self, exercise: Exercise) -> str:
        """Return a link to the page that teaches what an exercise asks for, or ""."""
        if not exercise.about:
            return ""
        target, mark, section = exercise.about.partition("#")
        return self.links.link(self.project.title(target), f"{link(target, self.page)}{mark}{section}")

    def _checkpoint_cell(self) -> Cell:
        """Return a Markdown cell that lists the exercises of the page, each with the page to read again, if it names one."""
        lines = []
        for fence in self.fences.values():
            if fence.kind == "exercise":
                exercise = find_exercise(self.project, fence.keys["file"])
                again = self._read_again(exercise)
                lines.append(f"- {self._plain(exercise.question[0])}" + (f" Read again: {again}." if again else ""))
        return markdown_cell("\n".join(lines))

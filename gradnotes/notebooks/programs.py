"""Divide the programs of a page into the cells of its notebook.

The fences of a page show a program whole, or some of its regions. If they show regions in the order of the file, and no
other program in between, the program is split into code cells there. Otherwise each region becomes an excerpt in
Markdown, and the whole program is in code cells at the fence that shows it, else after the last excerpt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from snippetcheck.pages import Fence
from snippetcheck.snippet import Snippet, Statement, excerpt_parts, excerpt_span

from gradnotes.notebooks.cells import Cell, code_cell, markdown_cell
from gradnotes.notebooks.plain_markdown import code_block

FORKS = re.compile(r"\bstart_processes\(|\bos\.fork\(")
REST = "The rest of the program, which the page leaves out:"


class Programs:
    """The cells of all programs of a page. `fences` are its fences that embed snippets, in order."""

    def __init__(self, fences: Sequence[Fence]):
        self.fences = fences
        self.shown_lines: dict[str, int] = {}  # by name of a split program: the last line that is in a cell
        self.whole: set[str] = set()  # names of programs that are completely in cells
        self.mentioned: set[str] = set()

    def cells(self, snippet: Snippet, fence: Fence) -> list[Cell]:
        """Return the cells for one of the fences. Call this once per fence, in order."""
        fences = [other for other in self.fences if other.keys["file"] == fence.keys["file"]]
        region = fence.keys.get("region")
        is_last = fence is fences[-1]
        title = [] if snippet.name in self.mentioned else [markdown_cell(f"**{snippet.title}**")]
        self.mentioned.add(snippet.name)
        if self._is_split(snippet, fences):
            begin = self.shown_lines.get(snippet.name, excerpt_span(snippet)[0] - 1) + 1
            end = self.shown_lines[snippet.name] = excerpt_span(snippet, region)[1]
            is_first = fence is fences[0]
            rest = program_cells(snippet, end + 1, len(snippet.lines), False) if is_last else []
            note = [markdown_cell(REST)] if rest else []
            return [*title, *program_cells(snippet, begin, end, is_first), *note, *rest]
        if region is None:
            return [*title, *self._whole(snippet)]
        location = "above" if snippet.name in self.whole else "below"
        cells = [*title, _excerpt_cell(snippet, region, location)]
        if is_last and snippet.name not in self.whole:
            cells += [markdown_cell(f"**{snippet.title}** The whole program:"), *self._whole(snippet)]
        return cells

    def _whole(self, snippet: Snippet) -> list[Cell]:
        if snippet.name in self.whole:
            return [markdown_cell(f"**{snippet.title}** The whole program stands above.")]
        self.whole.add(snippet.name)
        return program_cells(snippet, excerpt_span(snippet)[0], len(snippet.lines), True)

    def _is_split(self, snippet: Snippet, fences: Sequence[Fence]) -> bool:
        regions = [fence.keys.get("region") for fence in fences]
        if None in regions or FORKS.search(snippet.text):
            return False
        spans = [excerpt_span(snippet, region) for region in regions]
        positions = [number for number, fence in enumerate(self.fences) if fence in fences]
        return (
            all(before[1] < after[0] for before, after in pairwise(spans))
            and positions == list(range(positions[0], positions[-1] + 1))
            and not any(s.first <= last < s.block_last for s in snippet.statements for _, last in spans)
        )


def program_cells(snippet: Snippet, begin: int, end: int, is_first: bool) -> list[Cell]:
    """Return the statements that begin in lines `begin` to `end` as code cells; [] if there are none.

    A cell ends after each statement that raises.
    `is_first` says whether the program begins with these lines; its first cell is marked in the metadata.
    """
    statements = [statement for statement in snippet.statements if begin <= statement.first <= end]
    expected_lines = {n for s in statements for n in range(s.last + 1, s.block_last + 1)}
    hidden_lines = expected_lines | snippet.region_marks
    cells: list[Cell] = []
    group: list[Statement] = []
    for statement in statements:
        group.append(statement)
        if statement.error or statement is statements[-1]:
            lines = [snippet.lines[n - 1] for n in range(begin, statement.last + 1) if n not in hidden_lines]
            cells.append(_cell_with_outputs("\n".join(lines).strip("\n"), group))
            cells[-1]["metadata"] |= {"first": True} if is_first and len(cells) == 1 else {}
            begin, group = statement.block_last + 1, []
    return cells


def _excerpt_cell(snippet: Snippet, region: str, location: str) -> Cell:
    first, last = excerpt_span(snippet, region)
    lines = [snippet.lines[n - 1] for _, numbers in excerpt_parts(snippet, first, last) for n in numbers]
    words = f"A part of the program. The whole stands {location}."
    return markdown_cell(f"{words}\n\n{code_block(chr(10).join(lines), 'python')}")


def _cell_with_outputs(source: str, statements: list[Statement]) -> Cell:
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
    return code_cell(source, outputs, {"tags": ["raises-exception"]} if error else {})

"""A page's program as a reader edits it: without the lines that tell its output, and compared with them after all."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from snippetcheck.compare import Finding, compare
from snippetcheck.outcome import Run
from snippetcheck.snippet import Snippet, SnippetError, Statement, parse

PATH = "program.py"
ALIKE = 0.5  # of two statements, the share of their signs from which the one is the other, edited


def left_out(snippet: Snippet) -> list[int]:
    """The lines that the editor does not show: title and manifest, marks of regions, and what the page says of the output."""
    head = snippet.manifest.last_line or snippet.title_last_line
    gone = set(range(1, head + 1))
    for first, last in snippet.regions.values():
        gone |= {first - 1, last + 1}
    for statement in snippet.statements:
        gone |= set(range(statement.last + 1, statement.block_last + 1))
    left = [n for n in range(1, len(snippet.lines) + 1) if n not in gone]
    for ends in (left, left[::-1]):
        for n in ends:
            if snippet.lines[n - 1].strip():
                break
            gone.add(n)
    return sorted(gone)


@dataclass(frozen=True)
class PageProgram:
    """What a page shows: the snippet, and its program as the editor first shows it."""

    snippet: Snippet
    kept: list[int]  # the line in the snippet of each line in the editor

    @property
    def text(self) -> str:
        return "\n".join(self.snippet.lines[n - 1] for n in self.kept)


def page_program(text: str) -> PageProgram | None:
    """Read a page's program; None if it is no snippet."""
    try:
        snippet = parse(text, PATH, PATH)
    except SnippetError:
        return None
    gone = set(left_out(snippet))
    return PageProgram(snippet, [n for n in range(1, len(snippet.lines) + 1) if n not in gone])


def same_program(one: str, other: str) -> bool:
    """Whether they differ in no more than blanks at the end."""
    return one.rstrip() == other.rstrip()


@dataclass(frozen=True)
class Comparison:
    """How a run differs from the page: the findings, and per index of a statement that differs what the page shows of it."""

    findings: list[Finding]
    page: dict[int, list[str]]
    compared: int  # lines of output, errors and warnings


def compared(text: str, spans: Sequence[tuple[int, int]], page: Snippet, run: Run) -> Comparison:
    """Compare the run of `text`, whose statements stand in the lines `spans`, with what the page says of the statements
    that both have, or that one has in the place of the other."""
    pairs = _pairs(
        [_lines(text, *span) for span in spans], [_lines(page.text, s.first, s.last) for s in page.statements]
    )
    expected = {index: page.statements[other] for index, other in pairs.items()}
    statements = tuple(_as_on_page(span, expected.get(index)) for index, span in enumerate(spans))
    shown = Snippet(page.path, page.name, page.title, 0, page.manifest, statements, {}, page.imports, text)
    findings = [one for one in compare(shown, run) if one.statement in expected]
    differing = {one.statement for one in findings if one.statement is not None}
    total = sum(len(s.output) + bool(s.error) + len(s.warnings) for s in expected.values())
    return Comparison(findings, {index: _said(page, expected[index]) for index in sorted(differing)}, total)


def _lines(text: str, first: int, last: int) -> str:
    return "\n".join(text.split("\n")[first - 1 : last])


def _pairs(now: list[str], page: list[str]) -> dict[int, int]:
    found: dict[int, int] = {}
    for _, a, b, c, d in difflib.SequenceMatcher(None, now, page, autojunk=False).get_opcodes():
        if b - a == d - c:  # equal, or one in the place of the other
            found |= dict(zip(range(a, b), range(c, d), strict=True))
    return {index: other for index, other in found.items() if _alike(now[index], page[other])}


def _alike(now: str, page: str) -> bool:
    """Whether the one can be the other, edited: the page's result says nothing of a program with which it has nothing in common."""
    return now == page or difflib.SequenceMatcher(None, now, page, autojunk=False).ratio() >= ALIKE


def _as_on_page(span: tuple[int, int], page: Statement | None) -> Statement:
    return Statement(*span, *((page.output, page.error, page.warnings) if page else ()))


def _said(page: Snippet, statement: Statement) -> list[str]:
    """What the page shows under a statement, without the signs; one line that says so where it shows nothing."""
    lines = [page.lines[n - 1].partition(" ")[2] for n in range(statement.last + 1, statement.block_last + 1)]
    return lines or ["nothing printed"]

"""Extract from a snippet the program that a reader edits, and compare a run of the edited program with the page."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from snippetcheck.compare import Finding, compare
from snippetcheck.outcome import Run
from snippetcheck.snippet import Snippet, SnippetError, Statement, parse

from gradnotes.words import say

PATH = "program.py"
SIMILARITY = 0.5  # minimum ratio of difflib at which a statement counts as an edit of a statement on the page


def hidden_lines(snippet: Snippet) -> list[int]:
    """Return the numbers of the lines that the editor omits.

    It omits title, manifest, region marks, expected output, and blank lines at the beginning and the end.
    """
    head = snippet.manifest.last_line or snippet.title_last_line
    hidden_numbers = set(range(1, head + 1))
    for first, last in snippet.regions.values():
        hidden_numbers |= {first - 1, last + 1}
    for statement in snippet.statements:
        hidden_numbers |= set(range(statement.last + 1, statement.block_last + 1))
    remaining = [n for n in range(1, len(snippet.lines) + 1) if n not in hidden_numbers]
    for numbers in (remaining, remaining[::-1]):
        for n in numbers:
            if snippet.lines[n - 1].strip():
                break
            hidden_numbers.add(n)
    return sorted(hidden_numbers)


@dataclass(frozen=True)
class PageProgram:
    """The snippet on a page, and which of its lines the editor shows."""

    snippet: Snippet
    visible_lines: list[int]  # per line in the editor, its line in the snippet

    @property
    def text(self) -> str:
        """Return the program as the editor shows it."""
        return "\n".join(self.snippet.lines[n - 1] for n in self.visible_lines)


def parse_page_program(text: str) -> PageProgram | None:
    """Parse the text of a snippet on a page. Return None if it is not in the format of a snippet."""
    try:
        snippet = parse(text, PATH, PATH)
    except SnippetError:
        return None
    hidden_numbers = set(hidden_lines(snippet))
    return PageProgram(snippet, [n for n in range(1, len(snippet.lines) + 1) if n not in hidden_numbers])


def is_same_program(text: str, other: str) -> bool:
    """Return whether two programs are equal except for white space at the end."""
    return text.rstrip() == other.rstrip()


@dataclass(frozen=True)
class Comparison:
    """The differences between a run and the page."""

    findings: list[Finding]
    page_lines_by_index: dict[int, list[str]]  # index of each statement that differs -> its expected output on the page
    compared_count: int  # number of compared lines of output, errors and warnings


def compare_with_page(text: str, spans: Sequence[tuple[int, int]], page: Snippet, run: Run) -> Comparison:
    """Compare `run`, a run of the edited program `text`, with the expected output on the page.

    Only statements that equal or edit a statement of `page` are compared, see `_pair_statements`. `spans` has
    the first and last line of each statement of `text`.
    """
    pairs = _pair_statements(
        [_lines(text, *span) for span in spans], [_lines(page.text, s.first, s.last) for s in page.statements]
    )
    expected = {index: page.statements[other] for index, other in pairs.items()}
    statements = tuple(_with_expected_output(span, expected.get(index)) for index, span in enumerate(spans))
    edited_snippet = Snippet(page.path, page.name, page.title, 0, page.manifest, statements, {}, page.imports, text)
    findings = [finding for finding in compare(edited_snippet, run) if finding.statement in expected]
    differing_indexes = {finding.statement for finding in findings if finding.statement is not None}
    total = sum(len(s.output) + bool(s.error) + len(s.warnings) for s in expected.values())
    page_lines_by_index = {index: _expected_lines(page, expected[index]) for index in sorted(differing_indexes)}
    return Comparison(findings, page_lines_by_index, total)


def _lines(text: str, first: int, last: int) -> str:
    return "\n".join(text.split("\n")[first - 1 : last])


def _pair_statements(edited: list[str], page: list[str]) -> dict[int, int]:
    """Map indexes of edited statements to indexes of the page's statements that they equal or edit.

    A statement without a counterpart, or with one that is not similar, is left out.
    """
    pairs: dict[int, int] = {}
    for _, a, b, c, d in difflib.SequenceMatcher(None, edited, page, autojunk=False).get_opcodes():
        if b - a == d - c:  # equal, or replaced one by one
            pairs |= dict(zip(range(a, b), range(c, d), strict=True))
    return {index: other for index, other in pairs.items() if _is_similar(edited[index], page[other])}


def _is_similar(edited: str, page: str) -> bool:
    """Return whether the statement `edited` can be an edit of the statement `page`."""
    return edited == page or difflib.SequenceMatcher(None, edited, page, autojunk=False).ratio() >= SIMILARITY


def _with_expected_output(span: tuple[int, int], page: Statement | None) -> Statement:
    return Statement(*span, *((page.output, page.error, page.warnings) if page else ()))


def _expected_lines(page: Snippet, statement: Statement) -> list[str]:
    """Return the expected output of a statement without `#>`, `#!` and `#~`; ["nothing printed"] if it is empty."""
    lines = [page.lines[n - 1].partition(" ")[2] for n in range(statement.last + 1, statement.block_last + 1)]
    return lines or [say("nothing printed")]

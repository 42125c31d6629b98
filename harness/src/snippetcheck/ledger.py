"""Find what nothing checks: code and numbers on pages, and files in the snippets folder.

The pytest item of the ledger fails if `check` returns a problem.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from snippetcheck import pages
from snippetcheck.fence_types import FENCE_TYPES
from snippetcheck.numbers import numbers
from snippetcheck.pages import Roots, all_fences, snippet_locations
from snippetcheck.settings import Settings
from snippetcheck.snippet import Snippet, SnippetError, files
from snippetcheck.source import display_path

# The text of a code span with numbers: one number, or numbers in brackets, as a tensor or a size is printed
_NUMBER = r"[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf)"
_NUMBERS = re.compile(rf"(?:tensor|torch\.Size)?[\s(\[]*(?:{_NUMBER})(?:[\s,()\[\]]+(?:{_NUMBER}))*[\s)\],]*")


@dataclass(frozen=True)
class Problem:
    """Something on a page or in the snippets folder that nothing checks."""

    path: Path
    line: int
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{display_path(self.path)}:{self.line}: {self.message}\n    {self.remedy}"


def pages_of(settings: Settings) -> list[Path]:
    """Return the folder of pages, and the README files of the project if they are pages outside this folder."""
    readme_files = sorted(path for path in settings.root.glob("README.*") if path.suffix in pages.PAGE_SUFFIXES)
    return [settings.pages_dir, *(path for path in readme_files if path.parent != settings.pages_dir)]


def check(settings: Settings) -> list[Problem | SnippetError]:
    """Return the problems of pages, README and unembedded snippets; if snippets are malformed, only their errors."""
    results = [result for path in files(settings.snippets_dir) for result in settings.load_all(path)]
    if errors := [error for error in results if isinstance(error, SnippetError)]:
        return [*errors]  # a fence that embeds a malformed snippet would seem to name a missing one
    snippets = {snippet.name: snippet for snippet in results if isinstance(snippet, Snippet)}
    root = pages_of(settings)
    examples = [example for file in settings.example_files() for example in settings.load_all(file)]
    problems = unclassified_blocks(root, examples) + invalid_fences(root, snippets)
    problems += unverified_numbers(root, snippets, examples)
    unembedded = unembedded_snippets(root, snippets) if snippets or not examples else []
    return [*sorted(problems, key=lambda item: (item.path, item.line)), *unembedded]


def unclassified_blocks(pages_dir: Roots, examples: Sequence[Snippet | SnippetError] = ()) -> list[Problem]:
    """Return a problem for each block that is malformed, or neither of a registered fence type nor an example nor illustrative."""
    lines_by_path: dict[Path, set[int]] = {}
    for example in examples:
        lines = [example.line] if isinstance(example, SnippetError) else [part.first for part in example.statements]
        lines_by_path.setdefault(example.path.resolve(), set()).update(lines)
    return [
        Problem(fence.page, fence.problem_line or fence.line, fence.problem, fence.remedy or "")
        for fence in all_fences(pages_dir)
        if fence.problem
        and lines_by_path.get(fence.page.resolve(), set()).isdisjoint(range(fence.line, fence.last_line + 1))
    ]


def invalid_fences(pages_dir: Roots, snippets: Mapping[str, Snippet]) -> list[Problem]:
    """Return the problems that the check of a fence type finds in its fences, such as a missing snippet or region.

    Malformed fences are left out: `unclassified_blocks` returns their problems.
    """
    return [
        Problem(fence.page, fence.line, message, remedy)
        for fence in all_fences(pages_dir, _snippets_folder(snippets))
        if fence.kind in FENCE_TYPES and not fence.problem
        for message, remedy in FENCE_TYPES[fence.kind].check(fence, snippets)
    ]


def unembedded_snippets(pages_dir: Roots, snippets: Mapping[str, Snippet]) -> list[Problem]:
    """Return a problem for each snippet that no page embeds, or a single problem if `snippets` is empty."""
    if not snippets:
        folder = Path(pages_dir) if isinstance(pages_dir, str | Path) else pages_dir[0]
        remedy = "add a snippet, or pass the snippets of the project"
        return [Problem(folder, 1, "the project has no snippets for these pages", remedy)]
    locations = snippet_locations(pages_dir, _snippets_folder(snippets))
    return [
        Problem(snippet.path, 1, "no page shows this snippet", "embed it with a snippet fence, or remove it")
        for name, snippet in snippets.items()
        if name not in locations
    ]


# -- numbers in prose -------------------------------------------------------------------------------


def unverified_numbers(
    pages_dir: Roots, snippets: Mapping[str, Snippet], examples: Sequence[Snippet | SnippetError] = ()
) -> list[Problem]:
    """Return a problem for each number in code style that occurs in no output shown on the same page."""
    problems: list[Problem] = []
    for page in pages.pages(pages_dir):
        spans = pages.code_spans(pages.text_of(page), page)
        spans_with_numbers = [(line, text) for line, text in spans if _NUMBERS.fullmatch(text)]
        if not spans_with_numbers:
            continue
        page_examples = [item for item in examples if isinstance(item, Snippet) and item.path == page.resolve()]
        example_outputs = [part.expected_output for example in page_examples for part in example.statements]
        outputs = [numbers(text) for text in [*_output_texts(page, snippets), *example_outputs]]
        sequences = [[number.exact for number in line_numbers] for line_numbers in outputs]
        for line, text in spans_with_numbers:
            expected = [number.exact for number in numbers(text.replace("_", ""))]
            if not any(_is_part(expected, sequence) for sequence in sequences):
                message = f"the number `{text}` occurs in no output shown on this page"
                problems.append(Problem(page, line, message, "print it in a snippet, or write it without backticks"))
    return problems


def _output_texts(page: Path, snippets: Mapping[str, Snippet]) -> list[str]:
    """Return the texts of the outputs that the fences of a page show."""
    blocks = all_fences(page, _snippets_folder(snippets))
    fences = [fence for fence in blocks if fence.kind in FENCE_TYPES and not fence.problem]
    return [text for fence in fences for text in FENCE_TYPES[fence.kind].prints(fence, snippets)]


def _snippets_folder(snippets: Mapping[str, Snippet]) -> Path | None:
    """Return the folder of the snippets; None if `snippets` is empty."""
    return next((snippet.path.resolve().parents[name.count("/")] for name, snippet in snippets.items()), None)


def _is_part(expected: Sequence[str], sequence: Sequence[str]) -> bool:
    """Return whether `expected` is a contiguous part of `sequence`."""
    starts = range(len(sequence) - len(expected) + 1)
    return any(sequence[start : start + len(expected)] == expected for start in starts)

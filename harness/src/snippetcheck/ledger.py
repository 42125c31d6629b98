"""The ledger: list code on pages and files in the snippets folder that nothing checks.

Each function returns problems, sorted by file and line; a project's ledger must be empty. The inventory
is a list of ids. Each must be covered by a snippet (`# covers:`) or a page (`covers:` in its front matter).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from snippetcheck import pages
from snippetcheck.kinds import FENCE_TYPES
from snippetcheck.numbers import numbers
from snippetcheck.places import all_fences, snippet_locations
from snippetcheck.snippet import Snippet
from snippetcheck.source import display_path

# A code span with numbers: one number, or numbers in brackets, as a tensor or a size is printed.
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


def unclassified(pages_dir: Path) -> list[Problem]:
    """Return the blocks of code of no known fence type that are not illustrative with a reason."""
    return [
        Problem(fence.page, fence.problem_line or fence.line, fence.problem, fence.remedy or "")
        for fence in all_fences(pages_dir)
        if fence.problem
    ]


def misnamed(pages_dir: Path, snippets: Mapping[str, Snippet]) -> list[Problem]:
    """Return fences that refer to a missing snippet or region, or that fail the check of their type."""
    return [
        Problem(fence.page, fence.line, message, remedy)
        for fence in all_fences(pages_dir)
        if fence.kind in FENCE_TYPES and not fence.problem
        for message, remedy in FENCE_TYPES[fence.kind].check(fence, snippets)
    ]


def unembedded_snippets(pages_dir: Path, snippets: Mapping[str, Snippet]) -> list[Problem]:
    """Return snippets that no page embeds, or a single problem if `snippets` is empty."""
    if not snippets:
        return [Problem(pages_dir, 1, "no snippets for these pages", "pass the project's snippets, or write one")]
    locations = snippet_locations(pages_dir)
    return [
        Problem(snippet.path, 1, "no page shows this snippet", "embed it with a snippet fence, or remove it")
        for name, snippet in snippets.items()
        if name not in locations
    ]


def forbidden_imports(modules: Collection[str], snippets: Iterable[Snippet]) -> list[Problem]:
    """Return snippets that import one of `modules`, which readers cannot install."""
    pattern = re.compile(rf"\s*(?:from|import)\s+({'|'.join(map(re.escape, modules))})\b")
    problems = []
    for snippet in snippets:
        for number, line in enumerate(snippet.lines, 1):
            match = pattern.match(line)
            if match:
                problems.append(
                    Problem(
                        snippet.path,
                        number,
                        f"imports {match[1]}, which a reader does not have",
                        "import a package that readers can install",
                    )
                )
    return problems


# -- the inventory ----------------------------------------------------------------------------------


def uncovered(
    inventory: Path, pages_dir: Path, snippets: Iterable[Snippet], pending: Path | None = None
) -> list[Problem]:
    """Return ids of the inventory that nothing covers, and covered ids that are not in the inventory.

    An id with `runnable: yes` needs a snippet; a page may cover any other id. `pending` lists ids without
    content so far; a covered id in this list is a problem too.
    """
    known = {entry["id"]: entry for entry in entries(inventory)}
    lines = _lines_of_ids(inventory)
    pending_lines = _lines_of_ids(pending) if pending and pending.exists() else {}
    by_snippet = {
        name: (snippet.path, snippet.manifest.first_line or 1)
        for snippet in snippets
        for name in snippet.manifest.covers
    }
    by_page = _covered_by_pages(pages_dir)
    problems = [
        Problem(path, line, f"covers {name!r}, which is not in {inventory.name}", "correct the id")
        for name, (path, line) in (by_page | by_snippet).items()
        if name not in known
    ]
    for name, entry in known.items():
        is_runnable = entry.get("runnable", "yes") == "yes"
        covered = name in by_snippet or (name in by_page and not is_runnable)
        if covered and name in pending_lines and pending:
            problems.append(Problem(pending, pending_lines[name], f"{name} is covered by now", "remove this line"))
        elif not covered and name not in pending_lines:
            cover = "a snippet" if is_runnable else "a snippet, or by `covers:` in the front matter of a page"
            suffix = "; a page alone is not enough, since it can be run" if name in by_page else ""
            problems.append(Problem(inventory, lines[name], f"nothing covers {name}{suffix}", f"cover it with {cover}"))
    problems += [
        Problem(pending, line, f"{name} is not in {inventory.name}", "remove this line")
        for name, line in pending_lines.items()
        if name not in known and pending
    ]
    return problems


def _covered_by_pages(pages_dir: Path) -> dict[str, tuple[Path, int]]:
    covered: dict[str, tuple[Path, int]] = {}
    for page in pages.pages(pages_dir):
        front = pages.front_matter(page)
        for name in front.get("covers") or ():
            covered[str(name)] = (page, _line_with(page, "covers"))
    return covered


def entries(path: Path) -> list[dict[str, Any]]:
    """Return the entries of an inventory: a list of mappings, each with an `id`."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_text(encoding="utf-8"), Loader=loader) or []


def _lines_of_ids(path: Path) -> dict[str, int]:
    """Return the line number of each id in a list of ids or of entries with an id."""
    line_by_id = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r"- (?:id:\s*)?([A-Za-z0-9][\w.-]*)\s*(?:#.*)?$", line)
        if match:
            line_by_id[match[1]] = number
    return line_by_id


def _line_with(path: Path, key: str) -> int:
    for number, line in enumerate(pages.text_of(path).splitlines(), 1):
        if line.startswith(f"{key}:"):
            return number
    return 1


# -- figures in prose -------------------------------------------------------------------------------


def unverified_numbers(pages_dir: Path, snippets: Mapping[str, Snippet]) -> list[Problem]:
    """Return numbers in code style in the prose that occur in no output on the same page."""
    problems: list[Problem] = []
    for page in pages.pages(pages_dir):
        spans_with_numbers = [(line, text) for line, text in spans(page) if _NUMBERS.fullmatch(text)]
        if not spans_with_numbers:
            continue
        printed = [numbers(text) for text in _printed(page, snippets)]
        sequences = [[number.exact for number in line_numbers] for line_numbers in printed]
        for line, text in spans_with_numbers:
            expected = [number.exact for number in numbers(text.replace("_", ""))]
            if not any(_occurs(expected, sequence) for sequence in sequences):
                problems.append(
                    Problem(
                        page,
                        line,
                        f"the figure `{text}` occurs in no output shown on this page",
                        "let a snippet print it, or set it without code style",
                    )
                )
    return problems


def spans(page: Path) -> list[tuple[int, str]]:
    """Return (line, text) of the code spans in the prose of a page."""
    return pages.code_spans(pages.text_of(page))


def _printed(page: Path, snippets: Mapping[str, Snippet]) -> list[str]:
    """Return the texts that the fences of a page print."""
    fences = [fence for fence in pages.fences(page) if fence.kind in FENCE_TYPES and not fence.problem]
    return [text for fence in fences for text in FENCE_TYPES[fence.kind].prints(fence, snippets)]


def _occurs(expected: Sequence[str], sequence: Sequence[str]) -> bool:
    """Return whether the numbers occur consecutively in an output."""
    return any(
        sequence[start : start + len(expected)] == expected for start in range(len(sequence) - len(expected) + 1)
    )

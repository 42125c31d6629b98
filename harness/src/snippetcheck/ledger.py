"""The closed ledger: nothing stands on a page, or lies in the snippets folder, unaccounted for.

Each function returns complaints, in the order of files and lines; an empty list is what a project
wants. The inventory is a list of ids that snippets (`# covers:`) and pages (`covers:` in their front
matter) must cover between them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from snippetcheck import pages
from snippetcheck.kinds import KINDS
from snippetcheck.numbers import numbers
from snippetcheck.places import all_fences, places
from snippetcheck.snippet import Snippet
from snippetcheck.source import short

# A code span that states a figure: a number, or numbers in brackets, as a tensor or a size prints them.
_NUMBER = r"[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf)"
_FIGURE = re.compile(rf"(?:tensor|torch\.Size)?[\s(\[]*(?:{_NUMBER})(?:[\s,()\[\]]+(?:{_NUMBER}))*[\s)\],]*")


@dataclass(frozen=True)
class Complaint:
    """Something that is not accounted for."""

    path: Path
    line: int
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{short(self.path)}:{self.line}: {self.message}\n    {self.remedy}"


def unclassified(pages_dir: Path) -> list[Complaint]:
    """Blocks of code that are neither executed, nor engine source, nor illustrative with a reason."""
    return [
        Complaint(fence.page, fence.problem_line or fence.line, fence.problem, fence.remedy or "")
        for fence in all_fences(pages_dir)
        if fence.problem
    ]


def misnamed(pages_dir: Path, snippets: Mapping[str, Snippet]) -> list[Complaint]:
    """Fences that name a snippet, a region or something else that is not there, as their kind has it."""
    return [
        Complaint(fence.page, fence.line, message, remedy)
        for fence in all_fences(pages_dir)
        if fence.kind in KINDS and not fence.problem
        for message, remedy in KINDS[fence.kind].check(fence, snippets)
    ]


def unshown(pages_dir: Path, snippets: Mapping[str, Snippet]) -> list[Complaint]:
    """Snippets that no page shows; and that there is none at all, of which nothing could be told."""
    if not snippets:
        return [
            Complaint(pages_dir, 1, "there is no snippet for these pages", "give those of the project, or write one")
        ]
    shown = places(pages_dir)
    return [
        Complaint(snippet.path, 1, "no page shows this snippet", "embed it with a snippet fence, or remove it")
        for name, snippet in snippets.items()
        if name not in shown
    ]


def imports_of(modules: Collection[str], snippets: Iterable[Snippet]) -> list[Complaint]:
    """Snippets that import what a reader does not have."""
    pattern = re.compile(rf"\s*(?:from|import)\s+({'|'.join(map(re.escape, modules))})\b")
    found = []
    for snippet in snippets:
        for number, line in enumerate(snippet.lines, 1):
            match = pattern.match(line)
            if match:
                found.append(
                    Complaint(
                        snippet.path,
                        number,
                        f"imports {match[1]}, which a reader does not have",
                        "import what a reader can install",
                    )
                )
    return found


# -- the inventory ----------------------------------------------------------------------------------


def uncovered(
    inventory: Path, pages_dir: Path, snippets: Iterable[Snippet], pending: Path | None = None
) -> list[Complaint]:
    """Ids of the inventory that nothing covers, and ids that are covered but not in the inventory.

    An id with `runnable: yes` needs a snippet; another may be covered by a page. `pending` lists
    the ids that are not written yet; an id in it that is covered is a complaint too.
    """
    known = {entry["id"]: entry for entry in entries(inventory)}
    lines = _lines_of_ids(inventory)
    waiting = _lines_of_ids(pending) if pending and pending.exists() else {}
    by_snippet = {word: (one.path, one.manifest.first_line or 1) for one in snippets for word in one.manifest.covers}
    by_page = _covered_by_pages(pages_dir)
    found = [
        Complaint(path, line, f"covers {name!r}, which is not in {inventory.name}", "correct the id")
        for name, (path, line) in (by_page | by_snippet).items()
        if name not in known
    ]
    for name, entry in known.items():
        runs = entry.get("runnable", "yes") == "yes"
        covered = name in by_snippet or (name in by_page and not runs)
        if covered and name in waiting and pending:
            found.append(Complaint(pending, waiting[name], f"{name} is covered by now", "remove this line"))
        elif not covered and name not in waiting:
            what = "a snippet" if runs else "a snippet, or by `covers:` in the front matter of a page"
            also = "; a page alone does not do, since it can be run" if name in by_page else ""
            found.append(Complaint(inventory, lines[name], f"nothing covers {name}{also}", f"cover it with {what}"))
    found += [
        Complaint(pending, line, f"{name} is not in {inventory.name}", "remove this line")
        for name, line in waiting.items()
        if name not in known and pending
    ]
    return found


def _covered_by_pages(pages_dir: Path) -> dict[str, tuple[Path, int]]:
    covered: dict[str, tuple[Path, int]] = {}
    for page in pages.pages(pages_dir):
        front = pages.front_matter(page)
        for name in front.get("covers") or ():
            covered[str(name)] = (page, _line_with(page, "covers"))
    return covered


def entries(path: Path) -> list[dict[str, Any]]:
    """The entries of an inventory: a list of mappings, each with an `id`."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_text(encoding="utf-8"), Loader=loader) or []


def _lines_of_ids(path: Path) -> dict[str, int]:
    """The ids of a list of ids, or of a list of entries with an id, and their lines."""
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r"- (?:id:\s*)?([A-Za-z0-9][\w.-]*)\s*(?:#.*)?$", line)
        if match:
            found[match[1]] = number
    return found


def _line_with(path: Path, key: str) -> int:
    for number, line in enumerate(pages.text_of(path).splitlines(), 1):
        if line.startswith(f"{key}:"):
            return number
    return 1


# -- figures in prose -------------------------------------------------------------------------------


def unprinted_figures(pages_dir: Path, snippets: Mapping[str, Snippet]) -> list[Complaint]:
    """Figures that prose sets in code style and that nothing printed on the same page shows."""
    found: list[Complaint] = []
    for page in pages.pages(pages_dir):
        figures = [(line, text) for line, text in spans(page) if _FIGURE.fullmatch(text)]
        if not figures:
            continue
        printed = [numbers(text) for text in _printed(page, snippets)]
        sequences = [[number.exact for number in one] for one in printed]
        for line, text in figures:
            wanted = [number.exact for number in numbers(text.replace("_", ""))]
            if not any(_occurs(wanted, sequence) for sequence in sequences):
                found.append(
                    Complaint(
                        page,
                        line,
                        f"the figure `{text}` occurs in no output shown on this page",
                        "let a snippet print it, or set it without code style",
                    )
                )
    return found


def spans(page: Path) -> list[tuple[int, str]]:
    """The code spans of the prose of a page."""
    return pages.code_spans(pages.text_of(page))


def _printed(page: Path, snippets: Mapping[str, Snippet]) -> list[str]:
    """What the fences of a page print."""
    found = [fence for fence in pages.fences(page) if fence.kind in KINDS and not fence.problem]
    return [text for fence in found for text in KINDS[fence.kind].prints(fence, snippets)]


def _occurs(wanted: Sequence[str], sequence: Sequence[str]) -> bool:
    """Whether the numbers stand one after the other in an output."""
    return any(sequence[start : start + len(wanted)] == wanted for start in range(len(sequence) - len(wanted) + 1))

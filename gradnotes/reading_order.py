"""The order of the pages, from the pages themselves.

docs/index.md lists the `parts` (folders and single pages, `tensors/first-tensors` too); the index.md of each part lists its
`pages`. So each part is ordered in its own file, and nobody has to edit a common one.

The path leads a newcomer through pages of several parts: `path: 6` in the front matter makes a page
its sixth, `checkpoint: 5` puts one behind the fifth.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from snippetcheck.pages import pages

from gradnotes import front_matter, inputs
from gradnotes.problems import Problem

SUFFIXES = (".md", ".ipynb")


@dataclass(frozen=True)
class Nav:
    """A nav as MkDocs and Zensical take it, and what is wrong with the lists it was made from."""

    items: list[Any]
    problems: list[Problem]


@dataclass(frozen=True)
class Stop:
    """A page of the path, or a checkpoint behind one."""

    page: str  # its path below docs/
    title: str
    number: int  # of the page, or of the one that a checkpoint follows
    is_checkpoint: bool
    minutes: int | None
    needs: tuple[str, ...]  # the pages it builds on, as paths below docs/


def path(docs: Path) -> list[Stop]:
    """The path through the pages below `docs`, in order. A page that claims the number of another is left out."""
    return [stops[0] for _, stops in sorted(_stops(docs).items())]


def path_problems(docs: Path) -> list[Problem]:
    """The pages that claim a number on the path that an earlier page has."""
    problems = []
    for first, *others in _stops(docs).values():
        key = "checkpoint" if first.is_checkpoint else "path"
        for stop in others:
            message, remedy = f"`{key}: {stop.number}` is also on {first.page}", "give one of them another number"
            problems.append(front_matter.read(docs, stop.page).problem(key, message, remedy))
    return problems


def _stops(docs: Path) -> dict[tuple[int, bool], list[Stop]]:
    stops: dict[tuple[int, bool], list[Stop]] = {}
    for name in markdown_pages(docs):
        front = front_matter.read(docs, name).values
        key = "checkpoint" if "checkpoint" in front else "path"
        if key in front:
            needs = tuple(f"{need}.md" for need in front.get("needs", ()))
            title, minutes = front.get("title", name), front.get("minutes")
            stop = Stop(name, title, front[key], key == "checkpoint", minutes, needs)
            stops.setdefault((stop.number, stop.is_checkpoint), []).append(stop)
    return stops


def markdown_pages(docs: Path) -> list[str]:
    """The pages below `docs` that are written in Markdown, as paths, sorted."""
    inputs.note_names(docs)
    return [page.relative_to(docs).as_posix() for page in pages(docs)]


def followers(docs: Path) -> dict[str, str]:
    """For each page the one that comes next: along the path on the path, elsewhere in reading order.

    Behind its last page, the path goes on in the part in which that page is.
    """
    following = dict(pairwise(reading_order(docs)))
    following.update(pairwise(stop.page for stop in path(docs)))
    return following


def parts(docs: Path) -> list[str]:
    """The parts of the book, folders and single pages, in the order of docs/index.md."""
    return list(front_matter.read(docs, "index.md").values.get("parts", ()))


def reading_order(docs: Path) -> list[str]:
    """The pages and notebooks below `docs` from the first part on, as paths."""
    found: list[str] = []
    for item in nav(docs).items[1:]:
        found += next(iter(item.values())) if isinstance(item, dict) else [item]
    return found


def nav(docs: Path) -> Nav:
    """The nav of the pages below `docs`."""
    inputs.note_names(docs)
    home = front_matter.read(docs, "index.md")
    problems = list(path_problems(docs))
    items: list[Any] = [{"Home": "index.md"}]
    if not inputs.is_file(docs / "index.md"):
        problems.append(
            Problem("index.md", 1, "the file is missing", "write it: the first page, with a list of `parts`")
        )
        return Nav(items, problems)
    listed = list(dict.fromkeys(parts(docs)))
    problems += [
        home.problem("parts", f"part {part!r} is listed twice", "take one off")
        for part in listed
        if parts(docs).count(part) > 1
    ]
    alone = [page for part in listed if (page := _page(docs, part))]  # one in a part's folder is none of that part then
    for part in listed:
        folder = docs / part
        if (folder / "index.md").is_file():
            title = front_matter.read(docs, f"{part}/index.md").values.get("title", part)
            items.append({title: _pages(folder, docs, alone, problems)})
        elif (page := _page(docs, part)) is not None:
            items.append(page.relative_to(docs).as_posix())
        else:
            problems.append(home.problem("parts", f"no part {part!r}", "write it or take it off `parts`"))
    for folder in sorted(path.parent for path in docs.glob("*/index.md")):
        if folder.name not in listed:
            problems.append(home.problem("parts", f"part {folder.name!r} is not in `parts`", "add it to the list"))
    return Nav(items, problems)


def _pages(folder: Path, docs: Path, alone: list[Path], problems: list[Problem]) -> list[str]:
    index = folder / "index.md"
    front = front_matter.read(docs, index.relative_to(docs).as_posix())
    found = [index]
    for name in front.values.get("pages", []):
        page = _page(folder, name)
        if page is None:
            problems.append(front.problem("pages", f"no page {name!r}", "write it or take it off `pages`"))
        elif page in found:
            problems.append(front.problem("pages", f"page {name!r} is listed twice", "take one off"))
        else:
            found.append(page)
    for page in sorted(folder.iterdir()):
        if page.suffix in SUFFIXES and page.is_file() and page not in found and page not in alone:
            name = page.relative_to(docs).as_posix()
            problems.append(Problem(name, 1, "not listed", f"add it to `pages` in {folder.name}/index.md"))
            found.append(page)
    return [page.relative_to(docs).as_posix() for page in found]


def _page(folder: Path, name: str) -> Path | None:
    candidates = (folder / f"{name}{suffix}" for suffix in SUFFIXES)
    return next((path for path in candidates if inputs.is_file(path)), None)

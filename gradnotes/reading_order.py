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

from snippetcheck.pages import front_matter

SUFFIXES = (".md", ".ipynb")


@dataclass(frozen=True)
class Nav:
    """A nav as MkDocs and Zensical take it, and what is wrong with the lists it was made from."""

    items: list[Any]
    problems: list[str]


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
    """The path through the pages below `docs`, in order; ValueError if two pages are at one place."""
    stops: dict[tuple[int, bool], Stop] = {}
    for page in sorted(docs.rglob("*.md")):
        front = front_matter(page)
        key = "checkpoint" if "checkpoint" in front else "path"
        if key not in front:
            continue
        name, number = page.relative_to(docs).as_posix(), front[key]
        if not isinstance(number, int):
            raise ValueError(f"{name}: `{key}: {number}` is no whole number")
        needs = tuple(f"{need}.md" for need in front.get("needs") or ())
        stop = Stop(name, str(front.get("title", name)), number, key == "checkpoint", front.get("minutes"), needs)
        if other := stops.get((number, stop.is_checkpoint)):
            raise ValueError(f"{name}: `{key}: {number}` is also on {other.page}; give one of them another number")
        stops[number, stop.is_checkpoint] = stop
    return [stops[place] for place in sorted(stops)]


def followers(docs: Path) -> dict[str, str]:
    """For each page the one that comes next: along the path on the path, elsewhere in reading order.

    Behind its last page, the path goes on in the part in which that page is.
    """
    following = dict(pairwise(reading_order(docs)))
    following.update(pairwise(stop.page for stop in path(docs)))
    return following


def parts(docs: Path) -> list[str]:
    """The parts of the book, folders and single pages, in the order of docs/index.md."""
    index = docs / "index.md"
    return list(front_matter(index).get("parts") or ()) if index.is_file() else []


def reading_order(docs: Path) -> list[str]:
    """The pages and notebooks below `docs` from the first part on, as paths."""
    found: list[str] = []
    for item in nav(docs).items[1:]:
        found += next(iter(item.values())) if isinstance(item, dict) else [item]
    return found


def nav(docs: Path) -> Nav:
    """The nav of the pages below `docs`."""
    problems: list[str] = []
    items: list[Any] = [{"Home": "index.md"}]
    listed = parts(docs)
    alone = [page for part in listed if (page := _page(docs, part))]  # one in a part's folder is none of that part then
    for part in listed:
        folder = docs / part
        if folder.is_dir() and (folder / "index.md").is_file():
            title = front_matter(folder / "index.md").get("title", part)
            items.append({str(title): _pages(folder, docs, alone, problems)})
        elif (page := _page(docs, part)) is not None:
            items.append(page.relative_to(docs).as_posix())
    for folder in sorted(path.parent for path in docs.glob("*/index.md")):
        if folder.name not in listed:
            problems.append(f"index.md: part {folder.name!r} is not in `parts`; add it to the list")
    return Nav(items, problems)


def _pages(folder: Path, docs: Path, alone: list[Path], problems: list[str]) -> list[str]:
    index = folder / "index.md"
    listed = front_matter(index).get("pages", [])
    found = [index]
    for name in listed:
        page = _page(folder, name)
        if page is None:
            problems.append(f"{folder.name}/index.md: no page {name!r}; write it or take it off `pages`")
        elif page in found:
            problems.append(f"{folder.name}/index.md: page {name!r} is listed twice; take one off")
        else:
            found.append(page)
    for page in sorted(folder.iterdir()):
        if page.suffix in SUFFIXES and page not in found and page not in alone:
            problems.append(f"{folder.name}/{page.name}: not listed; add it to `pages` in its index.md")
            found.append(page)
    return [page.relative_to(docs).as_posix() for page in found]


def _page(folder: Path, name: str) -> Path | None:
    candidates = (folder / f"{name}{suffix}" for suffix in SUFFIXES)
    return next((path for path in candidates if path.is_file()), None)

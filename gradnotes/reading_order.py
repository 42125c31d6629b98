"""Derive the order of the pages from the pages themselves.

docs/index.md lists the `parts` (folders and single pages, such as `tensors/first-tensors`); the index.md of each part
lists its `pages`.

The path leads a newcomer through pages of several parts: `path: 6` in the front matter makes a page the sixth of the
path, `checkpoint: 5` puts a page after the fifth.
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
    """The navigation in the format of MkDocs, and the problems of the path and of the lists `parts` and `pages`."""

    items: list[Any]
    problems: list[Problem]


@dataclass(frozen=True)
class Stop:
    """A page of the path for newcomers, or a checkpoint page, which comes after a page of the path."""

    page: str  # its path below docs/
    title: str
    number: int  # a checkpoint has the number of the page before it
    is_checkpoint: bool
    minutes: int | None
    needs: tuple[str, ...]  # pages that it builds on, as paths below docs/


def path(docs: Path) -> list[Stop]:
    """Return the pages and checkpoints of the path for newcomers, in order.

    If two pages, or two checkpoints, have the same number, only the first is on the path.
    """
    return [stops[0] for _, stops in sorted(_stops(docs).items())]


def path_problems(docs: Path) -> list[Problem]:
    """Return a problem for each page with the number of an earlier page, and likewise for checkpoints."""
    problems = []
    for first, *duplicates in _stops(docs).values():
        key = "checkpoint" if first.is_checkpoint else "path"
        for stop in duplicates:
            message, remedy = (
                f"`{key}: {stop.number}` is also on {first.page}",
                "give one of the two pages another number",
            )
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
    """Return the Markdown pages below `docs`, as sorted paths."""
    inputs.note_names(docs)
    return [page.relative_to(docs).as_posix() for page in pages(docs)]


def new_name(docs: Path, page: str) -> str | None:
    """Return the page that lists `page` in `was`, its former addresses, or None if there is none."""
    names = markdown_pages(docs)
    was = page.removesuffix(".md")
    return next((name for name in names if was in front_matter.read(docs, name).values.get("was", ())), None)


def followers(docs: Path) -> dict[str, str]:
    """Map each page to the page to read next. A page that none follows is missing.

    After a page of the path comes the next page of the path; after any other page, and after the last page of the path,
    the next page in reading order.
    """
    next_pages = dict(pairwise(reading_order(docs)))
    next_pages.update(pairwise(stop.page for stop in path(docs)))
    return next_pages


def parts(docs: Path) -> list[str]:
    """Return the parts of the site, folders and single pages, in the order of docs/index.md."""
    return list(front_matter.read(docs, "index.md").values.get("parts", ()))


def reading_order(docs: Path) -> list[str]:
    """Return the pages and notebooks below `docs` in reading order, as paths, without the home page."""
    paths: list[str] = []
    for item in nav(docs).items[1:]:
        paths += next(iter(item.values())) if isinstance(item, dict) else [item]
    return paths


def nav(docs: Path) -> Nav:
    """Build the navigation of the pages below `docs`, and collect the problems of the path, of `parts` and of `pages`.

    If index.md is missing, this is a problem, and the navigation has only the home page.
    """
    inputs.note_names(docs)
    home = front_matter.read(docs, "index.md")
    problems = list(path_problems(docs))
    items: list[Any] = [{"Home": "index.md"}]
    if not inputs.is_file(docs / "index.md"):
        problems.append(Problem("index.md", 1, "the file is missing", "create the first page, with a list of `parts`"))
        return Nav(items, problems)
    listed_parts = list(dict.fromkeys(parts(docs)))
    problems += [
        home.problem("parts", f"part {part!r} is listed twice", "remove one of the two")
        for part in listed_parts
        if parts(docs).count(part) > 1
    ]
    single_pages = [
        page for part in listed_parts if (page := _find_page(docs, part))
    ]  # a single page in the folder of another part does not belong to that part
    for part in listed_parts:
        folder = docs / part
        if (folder / "index.md").is_file():
            title = front_matter.read(docs, f"{part}/index.md").values.get("title", part)
            items.append({title: _pages_of_part(folder, docs, single_pages, problems)})
        elif (page := _find_page(docs, part)) is not None:
            items.append(page.relative_to(docs).as_posix())
        else:
            problems.append(home.problem("parts", f"no part {part!r}", "create it or remove it from `parts`"))
    for folder in sorted(path.parent for path in docs.glob("*/index.md")):
        if folder.name not in listed_parts:
            problems.append(home.problem("parts", f"part {folder.name!r} is not in `parts`", "add it to the list"))
    return Nav(items, problems)


def _pages_of_part(folder: Path, docs: Path, single_pages: list[Path], problems: list[Problem]) -> list[str]:
    index = folder / "index.md"
    front = front_matter.read(docs, index.relative_to(docs).as_posix())
    pages = [index]
    for name in front.values.get("pages", []):
        page = _find_page(folder, name)
        if page is None:
            problems.append(front.problem("pages", f"no page {name!r}", "create it or remove it from `pages`"))
        elif page in pages:
            problems.append(front.problem("pages", f"page {name!r} is listed twice", "remove one of the two"))
        else:
            pages.append(page)
    for page in sorted(folder.iterdir()):
        if page.suffix in SUFFIXES and page.is_file() and page not in pages and page not in single_pages:
            name = page.relative_to(docs).as_posix()
            problems.append(
                Problem(name, 1, "no `pages` list names this page", f"add it to `pages` in {folder.name}/index.md")
            )
            pages.append(page)
    return [page.relative_to(docs).as_posix() for page in pages]


def _find_page(folder: Path, name: str) -> Path | None:
    """Return the file of the page or notebook `name`, a path below `folder` without suffix, or None."""
    candidates = (folder / f"{name}{suffix}" for suffix in SUFFIXES)
    return next((path for path in candidates if inputs.is_file(path)), None)

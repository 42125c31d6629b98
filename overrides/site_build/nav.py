"""The order of the pages, from the pages themselves.

docs/index.md lists the `parts` (folders and single pages); the index.md of each part lists its
`pages`. So each part is ordered in its own file, and nobody has to edit a common one.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from mkdocs.utils import get_relative_url

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C one is ten times faster
SUFFIXES = (".md", ".ipynb")


@dataclass(frozen=True)
class Nav:
    """A nav as MkDocs takes it, and what is wrong with the lists it was made from."""

    items: list[Any]
    problems: list[str]


def front_matter(path: Path) -> dict[str, Any]:
    """The YAML block at the head of a page, or nothing."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines or lines[0].rstrip() != "---":
        return {}
    ends = [n for n, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")]
    loaded = yaml.load("\n".join(lines[1 : ends[0]]), _LOADER) if ends else None
    return loaded if isinstance(loaded, dict) else {}


def build(docs: Path) -> Nav:
    """The nav of the pages below `docs`."""
    problems: list[str] = []
    items: list[Any] = [{"Home": "index.md"}]
    parts = front_matter(docs / "index.md").get("parts", [])
    for part in parts:
        folder = docs / part
        if folder.is_dir() and (folder / "index.md").is_file():
            title = front_matter(folder / "index.md").get("title", part)
            items.append({str(title): _pages(folder, docs, problems)})
        elif (page := _page(docs, part)) is not None:
            items.append(page.name)
    for folder in sorted(path.parent for path in docs.glob("*/index.md")):
        if folder.name not in parts:
            problems.append(f"index.md: part {folder.name!r} is not in `parts`; add it to the list")
    return Nav(items, problems)


def _pages(folder: Path, docs: Path, problems: list[str]) -> list[str]:
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
        if page.suffix in SUFFIXES and page not in found:
            problems.append(f"{folder.name}/{page.name}: not listed; add it to `pages` in its index.md")
            found.append(page)
    return [page.relative_to(docs).as_posix() for page in found]


def _page(folder: Path, name: str) -> Path | None:
    candidates = (folder / f"{name}{suffix}" for suffix in SUFFIXES)
    return next((path for path in candidates if path.is_file()), None)


@dataclass(frozen=True)
class Entries:
    """The entries of a part in the nav: those before and after the one that is read, as HTML, and that one with its number from 1."""

    before: str
    read: Any
    number: int
    after: str


def entries(items: list[Any], page: Any, base_url: str) -> Entries:
    """What the template of the nav shows of `items`: Pages and Sections, of which at most one is read.

    Making the entries of the others anew for each page is a tenth of a build, and pages of a folder share them.

    Args:
        page: the page that is read; None for the one that says that there is none, whose links begin with `base_url`.
    """
    number = next((number for number, item in enumerate(items, 1) if item.active), 0)
    folder = posixpath.dirname(page.url) if page else None
    base = "" if page else base_url
    made = [_entry(item, folder, base) if not item.active else "" for item in items]
    read = items[number - 1] if number else None
    return Entries("\n".join(made[: max(number - 1, 0)]), read, number, "\n".join(made[number:]))


def _entry(item: Any, folder: str | None, base: str) -> str:
    """A page; of a part only its title, which leads to its first page."""
    to = item if item.is_page else item.children[0]
    return _html(to.url, item.title, item.is_page, folder, base)


@cache
def _html(url: str, title: str, is_page: bool, folder: str | None, base: str) -> str:
    href = posixpath.join(base, url) if folder is None else get_relative_url(url, f"{folder}/x.html")
    classes, icon = ("", "") if is_page else (" md-nav__item--pruned md-nav__item--nested", _ICON)
    return (
        f'<li class="md-nav__item{classes}"><a href="{href}" class="md-nav__link">'
        f'<span class="md-ellipsis">{title}</span>{icon}</a></li>'
    )


_ICON = '<span class="md-nav__icon md-icon"></span>'

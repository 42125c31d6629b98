"""The order of the pages, from the pages themselves.

docs/index.md lists the `parts` (folders and single pages); the index.md of each part lists its
`pages`. So each part is ordered in its own file, and nobody has to edit a common one.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

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

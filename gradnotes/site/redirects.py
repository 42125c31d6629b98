"""Redirect former addresses: `was: [map]` in the front matter of a page redirects map.html to this page.

A section keeps its anchor, unless `moved:` has an entry `old/page#section: new-section`. An entry `old/page: section`
redirects the former page itself to a section.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup

from gradnotes import front_matter, reading_order
from gradnotes.links import address, link
from gradnotes.problems import Problem
from gradnotes.site.content_security import MARK
from gradnotes.templating import render
from gradnotes.translation import sources


def sections(moved: Mapping[str, str], name: str) -> dict[str, str]:
    """Map each moved section of the former page `name` to its new anchor. The key "" stands for the page itself."""
    return {old.partition("#")[2]: new for old, new in moved.items() if old.partition("#")[0] == name}


def problems(docs: Path, names: Iterable[str]) -> list[Problem]:
    """Return a problem for each former address that a page has now, and for each name in `moved` that is not in `was`.

    `names` are the paths of all pages, including generated pages.
    """
    pages = {address(name): name for name in names}
    conflicts = []
    for page in reading_order.markdown_pages(docs):
        front = front_matter.read(docs, page)
        for name in front.values.get("was", ()):
            if other := pages.get(f"{name}.html"):
                conflicts.append(
                    front.problem("was", f"`was: {name}` is the address of {other}", "remove this name from `was`")
                )
        for old in front.values.get("moved", ()):
            if (name := old.partition("#")[0]) not in front.values.get("was", ()):
                message = f"`moved` names {name}, which `was` does not list"
                conflicts.append(front.problem("moved", message, f"add {name} to `was`"))
    return conflicts


def lost_sections(docs: Path, site: Path) -> list[Problem]:
    """Return a problem for each new anchor in `moved` that the built page does not have."""
    problems = []
    for page in reading_order.markdown_pages(docs):
        front = front_matter.read(docs, page)
        if moved := front.values.get("moved"):
            anchors = set(re.findall(r'\bid="([^"]+)"', (site / address(page)).read_text(encoding="utf-8")))
            problems += [
                front.problem("moved", f"`{old}: {new}` leads to no section of {page}", "name one of its sections")
                for old, new in moved.items()
                if new not in anchors
            ]
    return problems


def write(docs: Path, site: Path) -> list[Path]:
    """Write a page that redirects at each former address below `site`, unless a page has this address now.

    If a page has Chinese, its former Chinese addresses redirect to its Chinese page. Return the written files.
    """
    chinese_pages = set(sources.page_names(docs.parent))
    stubs = []
    for page in reading_order.markdown_pages(docs):
        front = front_matter.read(docs, page).values
        names = front.get("was", ())
        stubs += [_write_stub(site, name, page, name, front) for name in names]
        if names and page in chinese_pages:
            chinese_front = {**front, **front_matter.read(docs.parent / sources.FOLDER, page).values}
            prefix = sources.PREFIX
            stubs += [_write_stub(site, f"{prefix}{name}", f"{prefix}{page}", name, chinese_front) for name in names]
    return [stub for stub in stubs if stub]


def _write_stub(site: Path, old: str, page: str, name: str, front: Mapping[str, Any]) -> Path | None:
    """Write a page at the address `old` that redirects to `page`, and return its path; None if a page has this address.

    `name` is the former name of the page in `was` and `moved`.
    """
    path = site / f"{old}.html"
    if path.is_file() and 'http-equiv="refresh"' not in path.read_text(encoding="utf-8"):
        return None  # `problems` reports it
    path.parent.mkdir(parents=True, exist_ok=True)
    target, anchors = address(page), sections(front.get("moved", {}), name)
    href = link(target, f"{old}.html") + (f"#{anchors['']}" if "" in anchors else "")
    language = "zh-Hans" if sources.is_chinese(page) else "en"
    values = {"target": href, "title": front.get("title", target), "name": name, "sections": anchors}
    path.write_text(render("redirect", mark=Markup(MARK), language=language, **values), encoding="utf-8")
    return path

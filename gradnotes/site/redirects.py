"""Redirect former addresses: `was: [map]` in the front matter of a page redirects map.html to this page.

A section keeps its anchor, unless `moved:` has an entry `old/page#section: new-section`. An entry `old/page: section`
redirects the former page itself to a section.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from markupsafe import Markup

from gradnotes import front_matter, reading_order
from gradnotes.links import address, link
from gradnotes.problems import Problem
from gradnotes.site.content_security import MARK
from gradnotes.templating import render


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

    Return the written files.
    """
    stubs = []
    for page in reading_order.markdown_pages(docs):
        front = front_matter.read(docs, page).values
        target = address(page)
        for name in front.get("was", ()):
            path = site / f"{name}.html"
            if path.is_file() and 'http-equiv="refresh"' not in path.read_text(encoding="utf-8"):
                continue  # a page has this address, which `problems` reports
            path.parent.mkdir(parents=True, exist_ok=True)
            stubs.append(path)
            anchors = sections(front.get("moved", {}), name)
            href = link(target, f"{name}.html") + (f"#{anchors['']}" if "" in anchors else "")
            title = front.get("title", target)
            stub = render("redirect", target=href, title=title, name=name, mark=Markup(MARK), sections=anchors)
            path.write_text(stub, encoding="utf-8")
    return stubs

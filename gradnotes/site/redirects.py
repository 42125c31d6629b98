"""Redirect former addresses: `was: [map]` in the front matter of a page redirects map.html to it."""

from __future__ import annotations

import html
from collections.abc import Iterable
from pathlib import Path

from gradnotes import front_matter, reading_order
from gradnotes.fences.project import address, link
from gradnotes.problems import Problem
from gradnotes.site.policy import MARK

# The script keeps the section (old.html#part becomes new.html#part), which a refresh cannot; without scripts, the refresh leads to the page.
# Both at once would be two navigations. The empty icon keeps browsers from requesting /favicon.ico from the host.
_STUB = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="robots" content="noindex"><meta name="description" content="This page has moved: {title}, formerly at {name}.">
{mark}
<link rel="icon" href="data:,">
<noscript><meta http-equiv="refresh" content="0; url={target}"></noscript></head>
<body><p>This page has moved: <a href="{target}">{title}</a>.</p>
<script>const link = document.querySelector("a"); link.search = location.search; link.hash = location.hash; location.replace(link.href)</script>
</body></html>
"""


def problems(docs: Path, names: Iterable[str]) -> list[Problem]:
    """Report former addresses that are in use by another page. `names` are all pages, including generated ones."""
    pages = {address(name): name for name in names}
    conflicts = []
    for page in reading_order.markdown_pages(docs):
        front = front_matter.read(docs, page)
        for name in front.values.get("was", ()):
            if other := pages.get(f"{name}.html"):
                conflicts.append(front.problem("was", f"`was: {name}` is the address of {other}", "remove it"))
    return conflicts


def write(docs: Path, site: Path) -> list[Path]:
    """Write a redirect at each former address below `site`; return the files."""
    stubs = []
    for page in reading_order.markdown_pages(docs):
        front = front_matter.read(docs, page).values
        target = address(page)
        for name in front.get("was", ()):
            old = site / f"{name}.html"
            if old.is_file() and 'http-equiv="refresh"' not in old.read_text(encoding="utf-8"):
                continue  # `problems` reports it
            old.parent.mkdir(parents=True, exist_ok=True)
            stubs.append(old)
            href, title = link(target, f"{name}.html"), front.get("title", target)
            stub = _STUB.format(
                target=html.escape(href), title=html.escape(title), name=html.escape(str(name)), mark=MARK
            )
            old.write_text(stub, encoding="utf-8")
    return stubs

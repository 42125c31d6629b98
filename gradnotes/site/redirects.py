"""Addresses that pages have had: `was: [map]` in the front matter of a page keeps map.html leading to it."""

from __future__ import annotations

import html
from pathlib import Path

from snippetcheck.pages import front_matter, pages

from gradnotes.fences.project import address, link
from gradnotes.site.policy import MARK

# The script takes the section along (old.html#part leads to new.html#part), which a refresh can't; without scripts, the refresh leads to
# the page. Both at once would be two navigations, of which the second wins. The empty icon: without one, a browser asks the host for /favicon.ico.
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


def write(docs: Path, site: Path) -> None:
    """Put a page that leads on at each address below `site` that a page of `docs` has had.

    Raises ValueError where another page has the address now.
    """
    for page in pages(docs):
        front = front_matter(page)
        target = address(page.relative_to(docs).as_posix())
        for name in front.get("was") or ():
            old = site / f"{name}.html"
            if old.is_file() and 'http-equiv="refresh"' not in old.read_text(encoding="utf-8"):
                raise ValueError(f"{page.name}: `was: {name}` is the address of another page; take it off")
            old.parent.mkdir(parents=True, exist_ok=True)
            to, title = link(target, f"{name}.html"), str(front.get("title", target))
            stub = _STUB.format(
                target=html.escape(to), title=html.escape(title), name=html.escape(str(name)), mark=MARK
            )
            old.write_text(stub, encoding="utf-8")

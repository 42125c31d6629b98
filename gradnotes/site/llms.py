"""Write llms.txt: the list of pages for language models, see https://llmstxt.org."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from gradnotes import front_matter
from gradnotes.links import address
from gradnotes.notebooks import labs
from gradnotes.problems import InputError
from gradnotes.site.generate import DOCS, NAV

_YAML_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # the loader in C is ten times faster


@dataclass(frozen=True)
class ListedPage:
    """A page in the navigation, which becomes a line of llms.txt."""

    part: str  # empty for pages outside any part
    page: str  # below docs/
    name: str  # its title in the navigation, or empty if the navigation has none


def text(root: Path, base: str) -> str:
    """Return the text of llms.txt for the project at `root`, whose pages are already generated.

    `base` is the site's address with a slash at its end, or empty if the site is not published.
    """
    about_site = _yaml(root / "mkdocs.yml")
    lines = [f"# {about_site['site_name']}", "", f"> {about_site['site_description']}", ""]
    lines.append(
        "Every example on these pages is a file that ran, nearly all on PyTorch 2.13 and on a NumPy engine with its names."
    )
    lines.append(
        "The file of an example is the address in its `.py` link; the lines that begin with `#>` are what it printed. "
        "In a line that begins with `#>?`, `...` stands for text that differs from run to run, or is left out."
    )
    part = None
    for entry in listed_pages(_yaml(root / NAV)["nav"]):
        if entry.part != part:
            part = entry.part
            lines += ["", f"## {part or 'Pages'}", ""]
        path = root / DOCS / entry.page
        metadata = _metadata(root / DOCS, entry.page)
        description = metadata.get("description")
        suffix = f": {description}" if description else ""
        lines.append(f"- [{metadata.get('title') or entry.name or path.stem}]({base}{address(entry.page)}){suffix}")
    return "\n".join(lines) + "\n"


def _metadata(docs: Path, page: str) -> Mapping[str, str]:
    try:
        return front_matter.read(docs, page).values if page.endswith(".md") else labs.read_metadata(docs / page)
    except InputError:
        return {}  # rendering the page reports the error


def _yaml(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), _YAML_LOADER)  # this loader ignores the tags of mkdocs.yml


def listed_pages(nav: Iterable[Any], part: str = "") -> Iterator[ListedPage]:
    """Yield the pages of an MkDocs navigation, in order. `part` is the title of the section that contains it."""
    for item in nav:
        name, content = next(iter(item.items())) if isinstance(item, dict) else ("", item)
        if isinstance(content, str):
            yield ListedPage(part, content, name)
        else:
            yield from listed_pages(content, name)

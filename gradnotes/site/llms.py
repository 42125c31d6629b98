"""llms.txt: the list of pages for programs that read, see https://llmstxt.org."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from gradnotes import front_matter
from gradnotes.fences.project import address
from gradnotes.problems import InputError
from gradnotes.site import labs
from gradnotes.site.generate import DOCS, NAV


@dataclass(frozen=True)
class Listed:
    """A page as the list has it."""

    part: str  # empty for pages outside any part
    page: str  # below docs/
    name: str  # what the nav calls it; mostly empty


def text(root: Path, base: str) -> str:
    """The file's content for the project at `root`, whose pages are generated; `base` is the site's address, with a slash at its end."""
    about_site = _yaml(root / "mkdocs.yml")
    out = [f"# {about_site['site_name']}", "", f"> {about_site['site_description']}", ""]
    out.append(
        "Every example on these pages is a file that ran, nearly all on PyTorch 2.13 and on a NumPy engine with its names."
    )
    out.append(
        "The file of an example is the address in its `.py` link; the lines that begin with `#>` are what it printed. "
        "In one that begins with `#>?`, `...` stands for text that differs from run to run, or is left out."
    )
    part = None
    for one in listed(_yaml(root / NAV)["nav"]):
        if one.part != part:
            part = one.part
            out += ["", f"## {part or 'Pages'}", ""]
        path = root / DOCS / one.page
        about = _about(root / DOCS, one.page)
        description = about.get("description")
        said = f": {description}" if description else ""
        out.append(f"- [{about.get('title') or one.name or path.stem}]({base}{address(one.page)}){said}")
    return "\n".join(out) + "\n"


def _about(docs: Path, page: str) -> Mapping[str, str]:
    try:
        return front_matter.read(docs, page).values if page.endswith(".md") else labs.about(docs / page)
    except InputError:
        return {}  # the page says what is wrong


def _yaml(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)  # which passes over the tags of mkdocs.yml


def listed(nav: Iterable[Any], part: str = "") -> Iterator[Listed]:
    """The pages of a nav, in order."""
    for item in nav:
        name, inside = next(iter(item.items())) if isinstance(item, dict) else ("", item)
        if isinstance(inside, str):
            yield Listed(part, inside, name)
        else:
            yield from listed(inside, name)

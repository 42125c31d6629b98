"""llms.txt: the list of pages for programs that read, see https://llmstxt.org."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Listed:
    """A page as the list has it."""

    part: str  # empty for pages outside any part
    title: str
    address: str
    description: str


def text(name: str, about: str, base: str, listed: Iterable[Listed]) -> str:
    """The file's content; `base` is the site's address, with a slash at its end."""
    out = [f"# {name}", "", f"> {about}", ""]
    out.append(
        "Every example on these pages is a file that ran, nearly all on PyTorch 2.13 and on a NumPy engine with its names."
    )
    out.append(
        "The file of an example is the address in its `.py` link; the lines that begin with `#>` are what it printed."
    )
    part = None
    for page in listed:
        if page.part != part:
            part = page.part
            out += ["", f"## {part or 'Pages'}", ""]
        about_page = f": {page.description}" if page.description else ""
        out.append(f"- [{page.title}]({base}{page.address}){about_page}")
    return "\n".join(out) + "\n"

"""The search index: an inverted index over the sections of the built pages.

A word is a run of letters, digits and underscores; `retain_grad` is found as itself, as `retain`
and as `grad`. The index is a script that assigns one object, so that it can be loaded from a
server and from a folder alike. assets/search.js reads it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")
_SPAN = re.compile(r"</?span[^>]*>")
_OUTPUT = re.compile(r'<span class="x [^>]*>(.*?)</span>', re.DOTALL)  # what a program prints: lines of its own
_SKIPPED = ("script", "style", "button", "svg")
_VOID = ("br", "img", "hr", "input", "meta", "link", "wbr", "col", "source")
_BLOCKS = ("p", "li", "dd", "dt", "td", "th", "pre", "div", "figcaption", "h1", "h2", "h3", "h4")


@dataclass
class Section:
    """What stands under one heading."""

    address: str
    page: str
    title: str = ""
    text: list[str] = field(default_factory=list)


class _Reader(HTMLParser):
    """Collects the sections of the `<article>` of a page."""

    def __init__(self, address: str):
        super().__init__()
        self.address = address
        self.sections: list[Section] = []
        self.page_title = ""
        self.inside = 0  # open elements within the article
        self.skip_at = 0  # how deep the element lies that is left out
        self.heading = False
        self.blocks: list[int] = []  # how deep the open elements lie that end a word

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if not self.inside:
            if tag == "article":
                self.inside = 1
                self.sections.append(Section(self.address, ""))
            return
        if tag in _VOID:
            return
        self.inside += 1
        if self.skip_at:
            return
        left_out = tag in _SKIPPED or values.get("class") in ("headerlink", "snippet-tools", "ran ran-passed")
        if left_out or "data-unsearched" in values:
            self.skip_at = self.inside
        elif tag in ("h1", "h2", "h3") and values.get("id"):
            address = self.address if tag == "h1" else f"{self.address}#{values['id']}"
            if tag != "h1" or self.sections[-1].text:
                self.sections.append(Section(address, self.page_title))
            self.heading = True
        elif tag in _BLOCKS:
            self.sections[-1].text.append(" ")
            self.blocks.append(self.inside)

    def handle_endtag(self, tag: str) -> None:
        if not self.inside or tag in _VOID:
            return
        if self.skip_at == self.inside:
            self.skip_at = 0
        if self.blocks and self.blocks[-1] == self.inside:
            self.blocks.pop()
            self.sections[-1].text.append(" ")
        self.inside -= 1
        if tag in ("h1", "h2", "h3"):
            if tag == "h1" and self.heading:
                self.page_title = self.sections[-1].title.strip()
                self.sections[-1].page = self.page_title
            self.heading = False

    def handle_data(self, data: str) -> None:
        if self.inside and not self.skip_at:
            section = self.sections[-1]
            if self.heading:
                section.title += data
            else:
                section.text.append(data)


def _article(page: str) -> str:
    """The article of a page without the spans that only colour code: they are most of its elements."""
    start, end = page.find("<article"), page.rfind("</article>")
    if start < 0:
        return ""
    article = _OUTPUT.sub(lambda match: f" {match[1]} ", page[start : end + len("</article>")])
    return _SPAN.sub("", article)


def sections(site: Path) -> list[Section]:
    """The sections of all pages below `site`, in the order of their addresses."""
    found: list[Section] = []
    for path in sorted(site.rglob("*.html")):
        address = path.relative_to(site).as_posix()
        if address == "404.html" or address.startswith("runtime/"):
            continue
        reader = _Reader(address)
        reader.feed(_article(path.read_text(encoding="utf-8")))
        found += [s for s in reader.sections if s.title.strip() or "".join(s.text).strip()]
    return found


def words(text: str) -> list[str]:
    """The words of `text` in lower case; one with underscores is followed by its parts."""
    found: list[str] = []
    for match in _WORD.finditer(text.lower()):
        found.append(match[0])
        if "_" in match[0]:
            found += [part for part in match[0].split("_") if part]
    return found


def index(found: Iterable[Section]) -> dict[str, object]:
    """`sections`: [address, page, title, text]; `words`: word -> [section, weight, section, ...].

    The sections of a posting are differences to the one before, which packs well.
    """
    listed = []
    postings: dict[str, dict[int, int]] = {}
    for number, section in enumerate(found):
        title, text = section.title.strip(), " ".join("".join(section.text).split())
        listed.append([section.address, section.page, title or section.page, text])
        in_title, in_text = words(title), words(text)
        for word in set(in_title) | set(in_text):
            weight = min(in_text.count(word), 5) + (10 if word in in_title else 0)
            postings.setdefault(word, {})[number] = weight
    packed = {}
    for word in sorted(postings):
        row, last = [], 0
        for number, weight in sorted(postings[word].items()):
            row += [number - last, weight]
            last = number
        packed[word] = row
    return {"sections": listed, "words": packed}


def write(site: Path) -> None:
    """Write `search_index.js` into the built site."""
    text = json.dumps(index(sections(site)), ensure_ascii=False, separators=(",", ":"))
    (site / "assets" / "search_index.js").write_text(f"globalThis.searchIndex={text};\n", encoding="utf-8")

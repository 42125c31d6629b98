"""The search index: an inverted index over the sections of the built pages.

A word is a run of letters, digits and underscores, or an operator: `+=` and its like, and `@` and `**` that stand alone;
`retain_grad` is found as itself, as `retain` and as `grad`. A section also counts as having, often, the words of the links that lead to it, and a page those of its description:
others call it what it does not call itself. Index and texts are scripts that assign one object each, so that they can be loaded
from a server and from a folder alike. assets/search_rank.js reads the index before the first answer,
assets/search.js the texts of the pages that it shows.

Pagefind was tried first, on the 185 queries of tests/site/queries.yml: 96 answered in the first three, with 159 kB before the first
answer; it corrects no spelling, knows no synonyms, needs `wasm-unsafe-eval` in the policy of every page, and does not work from a folder.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path
from posixpath import normpath
from typing import TypeVar

from gradnotes import inputs
from gradnotes.fences.build_cache import BuildCache
from gradnotes.fences.glossary import read as read_glossary
from gradnotes.problems import InputError

Table = TypeVar("Table", bound=Mapping[str, object])

OFTEN = 3  # a word is in a section once or often: exact counts rank no better, and pack worse
_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*|[-+*/@%&|^]=|(?<![^\s`(])(?:@|\*\*)(?![^\s`),.])")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")  # Chinese has no blanks: pairs of characters are its words
_PARTICLES = re.compile("[的了是在和与就也都把会这那有个不要以而被为其或及着]")  # a pair with one of these is no word
_CHINESE = re.compile(r'<span lang="zh-Hans">(.*?)</span>\s*')
_THEN_ENGLISH = "\u3000"  # between the two names of a heading: assets/search_rank.js takes a query for the first
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_SPAN = re.compile(r"</?span[^>]*>")
_LEFT_OUT = re.compile(
    r'<span\b[^>]*(?:class="snippet-tools"|data-unsearched)[^>]*>.*?</span>', re.DOTALL
)  # no span lies in them
_OUTPUT = re.compile(r'<span class="x [^>]*>(.*?)</span>', re.DOTALL)  # what a program prints: lines of its own
_DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)"')
_LINK = re.compile(r'<a (?!class="headerlink")[^>]*?href="([^":#]+(?:#[^"]*)?)"[^>]*>(.*?)</a>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_SKIPPED = ("script", "style", "button", "svg")
_VOID = ("br", "img", "hr", "input", "meta", "link", "wbr", "col", "source")
_BLOCKS = ("p", "li", "dd", "dt", "td", "th", "pre", "div", "figcaption", *_HEADINGS)


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
        elif tag in _HEADINGS and values.get("id"):
            address = self.address if tag == "h1" else f"{self.address}#{values['id']}"
            if tag != "h1" or self.page_title:  # what stands above the first is of its section
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
        if tag in _HEADINGS:
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
    start, end = page.find("<article"), page.rfind("</article>")
    return page[start : end + len("</article>")] if start >= 0 else ""


def _without_colours(article: str) -> str:
    """The article without the spans that only colour code, most of its elements, and those of a heading's Chinese name."""
    article = _OUTPUT.sub(lambda match: f" {match[1]} ", article)
    article = _CHINESE.sub(rf"\1{_THEN_ENGLISH}", article)
    return _SPAN.sub("", _LEFT_OUT.sub("", article))


@dataclass(frozen=True)
class Entry:
    """A section as the index has it: where it leads, its text, and how often each word is in both."""

    address: str
    page: str
    title: str
    text: str
    times: dict[str, int]


def articles(site: Path) -> list[tuple[str, str, str]]:
    """The address, the article and the description of all pages below `site`, in the order of their addresses."""
    found = []
    for path in sorted(site.rglob("*.html")):
        address = path.relative_to(site).as_posix()
        if address != "404.html" and not address.startswith("runtime/"):
            page = path.read_text(encoding="utf-8")
            article = _article(page)
            if article:  # no address that a page had, gradnotes/site/redirects.py
                described = _DESCRIPTION.search(page)
                found.append((address, article, unescape(described[1]) if described else ""))
    return found


def entries(address: str, article: str) -> list[Entry]:
    """The sections of a page."""
    reader = _Reader(address)
    reader.feed(_without_colours(article))
    found = []
    for section in reader.sections:
        title, text = section.title.strip(), " ".join("".join(section.text).split())
        if not title and not text:
            continue
        searched = "" if address.startswith("engine/") else text  # of the source, its names
        name = address.removesuffix(".html").removesuffix("/index").rpartition("/")[2]
        around = "" if address.startswith("engine/") and section.address != address else f"{section.page} {name}"
        times = Counter(words(f"{title} {around} {searched}"))
        found.append(Entry(section.address, section.page, title or section.page, text, dict(sorted(times.items()))))
    return found


def called(found: Iterable[tuple[str, str, str]]) -> dict[str, set[str]]:
    """What other pages and its own description call a section: its address -> words. `found`: see `articles`; the engine's source calls nothing."""
    names: dict[str, set[str]] = {}
    for address, article, description in found:
        if address.startswith("engine/"):
            continue
        names.setdefault(address, set()).update(words(description))
        for target, text in _LINK.findall(article):
            to = normpath(f"{address}/../{target}")
            names.setdefault(to, set()).update(words(unescape(_TAG.sub("", text))))
    return names


def words(text: str) -> list[str]:
    """The words of `text` in lower case, numbers left out; one with underscores is followed by its parts, Chinese is in pairs."""
    found: list[str] = []
    for run in _HAN.findall(text):
        if len(run) == 1:
            found.append(run)
        for part in _PARTICLES.split(run):
            found += [part[at : at + 2] for at in range(len(part) - 1)]
    for match in _WORD.finditer(_HAN.sub(" ", text.lower())):
        if match[0].isdigit():
            continue
        found.append(match[0])
        if "_" in match[0]:
            found += [part for part in match[0].split("_") if part]
    return found


def index(
    found: Iterable[Entry],
    synonyms: Mapping[str, Sequence[str]],
    glossary: Mapping[str, str],
    names: Mapping[str, set[str]],
) -> dict[str, object]:
    """What `search_rank.js` reads. `names`: see `called`.

    `pages`: [address, title, its sections], a section as [anchor, title], or one text where the two are the same; `lengths`: words of
    each section; `words`: word -> for each section that has it, twice its number less that of the one before, and 1 more
    if it is there `OFTEN`, which packs well; `synonyms`: see `_synonyms`; `glossary`: [term, definition].
    """
    pages: list[tuple[str, str, list[object]]] = []
    lengths = []
    postings: dict[str, list[int]] = {}
    last: dict[str, int] = {}
    for number, entry in enumerate(found):
        page, _, anchor = entry.address.partition("#")
        if not pages or pages[-1][:2] != (page, entry.page):
            pages.append((page, entry.page, []))
        pages[-1][2].append(anchor if anchor == entry.title else [anchor, entry.title])
        lengths.append(sum(entry.times.values()))
        for word, times in {**entry.times, **dict.fromkeys(sorted(names.get(entry.address, ())), OFTEN)}.items():
            postings.setdefault(word, []).append((number - last.get(word, 0)) * 2 + (times >= OFTEN))
            last[word] = number
    return {
        "pages": pages,
        "lengths": lengths,
        "words": dict(sorted(postings.items())),
        "synonyms": _synonyms(synonyms),
        "glossary": list(glossary.items()),
    }


def _synonyms(given: Mapping[str, Sequence[str]]) -> dict[str, object]:
    """`of`: what is typed -> the words of the pages that are asked for, alternatives of each; `phrases`: those typed in several
    words; `keys`: the Chinese ones; longest first."""
    of: dict[str, list[list[str]]] = {}
    for meant, typed in given.items():
        for one in typed:
            asked = [word.split("|") for word in meant.lower().split()]
            known = of.setdefault(one.lower(), asked)
            if known is not asked:  # typed for this and for that: alternatives
                known[:] = [sorted({word for group in (*known, *asked) for word in group})]
    keys = sorted(of, key=lambda key: (-len(key), key))
    return {
        "of": of,
        "phrases": [key for key in keys if key.isascii() and not _WORD.fullmatch(key)],
        "keys": [key for key in keys if not key.isascii()],
    }


def write(site: Path, kept: BuildCache, docs: Path) -> None:
    """Write `search_index.js` and the texts for its excerpts, `search/N.js` for page N, below the built site's assets.

    A page whose article is the same is not read again. `docs` holds synonyms.yml and glossary.yml.
    """
    found = articles(site)
    keys = [("entries", *one[:2]) for one in found]
    synonyms, glossary = (
        _table(docs, read_synonyms),
        _table(docs, lambda docs: read_glossary(docs / "glossary.yml").terms),
    )

    def made() -> list[str]:
        pages = [kept.get(key, lambda: entries(*one[:2])) for key, one in zip(keys, found, strict=True)]  # noqa: B023
        texts = [[entry.text for entry in page] for page in pages]
        return [_json(index(chain.from_iterable(pages), synonyms, glossary, called(found))), *map(_json, texts)]

    first, *texts = kept.get(
        ("search index", str(synonyms), str(glossary), *(part for one in found for part in one)), made
    )
    for key in keys:
        kept.again(key)
    (site / "assets" / "search_index.js").write_text(f"globalThis.searchIndex={first};\n", encoding="utf-8")
    folder = site / "assets" / "search"
    shutil.rmtree(folder, ignore_errors=True)  # of more pages, where a site is written again
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number}.js").write_text(f"gradnotes.search.texts[{number}]={text};\n", encoding="utf-8")


def read_synonyms(docs: Path) -> dict[str, list[str]]:
    """What docs/synonyms.yml holds: words of the pages -> what is typed for them. Raises InputError."""
    path = docs / "synonyms.yml"
    table = (inputs.parse_yaml(inputs.read_text(path), path.name) if inputs.exists(path) else None) or {}
    if not isinstance(table, dict):
        raise InputError(f"{path.name}:1: must be `words: [typed, typed]` lines", "write one for each line")
    for words_of_pages, typed in table.items():
        if (
            not isinstance(words_of_pages, str)
            or not isinstance(typed, list)
            or not all(isinstance(t, str) for t in typed)
        ):
            message = f"{path.name}:1: {words_of_pages!r} must have a list of texts, got {typed!r}"
            raise InputError(message, "write [typed, typed], numbers in quotes")
    return table


def _table(docs: Path, read: Callable[[Path], Table]) -> Table:
    try:
        return read(docs)
    except InputError:
        return {}  # type: ignore[return-value]  # site/generate.py reports it


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

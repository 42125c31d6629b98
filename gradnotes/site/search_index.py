"""Build the search index: an inverted index over the sections of the built pages.

A word is a sequence of letters, digits and underscores, or an operator such as `+=`, or `@` or `**` between spaces;
`retain_grad` is indexed as `retain_grad`, `retain` and `grad`. The words of the links to a section and of the
description of a page are indexed too, with high weight. Index and texts are scripts that assign an object, so
that they also load without a server. assets/search_rank.js loads the index before the first answer,
assets/search.js the texts of the pages in the results. The first result for a pasted error message is the page to which
its error card links.

Pagefind was tried first, on the 185 queries of tests/site/queries.yml: 96 had an answer in the first three results,
after 159 kB were loaded. It does not correct spelling, has no synonyms, needs `wasm-unsafe-eval` in the policy of every
page, and does not work without a server.
"""

from __future__ import annotations

import hashlib
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
from gradnotes.cache import BuildCache
from gradnotes.fences.glossary import read as read_glossary
from gradnotes.fences.glossary import read_chinese
from gradnotes.problems import InputError
from gradnotes.templating import compact_json
from gradnotes.translation.sources import english_name, is_chinese

Table = TypeVar("Table", bound=Mapping[str, object])

# The index stores only whether a word occurs at least this often: exact counts rank no better and compress worse.
OFTEN = 3
_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*|[-+*/@%&|^]=|(?<![^\s`(])(?:@|\*\*)(?![^\s`),.])")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")  # Chinese has no spaces: pairs of characters are indexed
_PARTICLES = re.compile(
    "[的了是在和与就也都把会这那有个不要以而被为其或及着]"
)  # characters that no indexed pair contains
_CHINESE = re.compile(r'<span lang="zh-Hans">(.*?)</span>\s*')
# between Chinese and English name of a heading; assets/search_rank.js matches queries with the Chinese name
_NAME_SEPARATOR = "\u3000"
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_SPAN = re.compile(r"</?span[^>]*>")
_UNSEARCHED_SPAN = re.compile(
    r'<span\b[^>]*(?:class="(?:snippet-tools|predict-label|practice-mark)"|data-unsearched)[^>]*>.*?</span>', re.DOTALL
)  # the matched spans contain no other span
_OUTPUT = re.compile(r'<span class="x [^>]*>(.*?)</span>', re.DOTALL)  # output of a program
_DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)"')
_LINK = re.compile(r'<a (?!class="headerlink")[^>]*?href="([^":#]+(?:#[^"]*)?)"[^>]*>(.*?)</a>', re.DOTALL)
_CARD = re.compile(
    r'<div class="error-card"[^>]*>\s*<p><b>(.*?)</b>\s*<code>(.*?)</code>.*?class="error-card-page">\s*<a href="([^"]+)"',
    re.DOTALL,
)
_TAG = re.compile(r"<[^>]*>")
_SKIPPED_TAGS = ("script", "style", "button", "svg")
# Classes of elements that are not text of the page: navigation, status of examples, links of exercises.
_FURNITURE = {"headerlink", "snippet-tools", "ran", "way", "path-line", "page-as", "exercise-about", "practice-mark"}
_VOID = ("br", "img", "hr", "input", "meta", "link", "wbr", "col", "source")
_BLOCKS = ("p", "li", "dd", "dt", "td", "th", "pre", "div", "figcaption", *_HEADINGS)


@dataclass
class Section:
    """The text under a heading, or a row of a table that has a `data-title`."""

    address: str  # of the page, with #anchor except for the section of the `h1`
    page: str  # title of the page
    title: str = ""
    text: list[str] = field(default_factory=list)
    is_row: bool = False  # whether it is a row of a table, of which only the title is indexed


class _Reader(HTMLParser):
    """The HTML parser that collects the sections of the `<article>` of a page."""

    def __init__(self, address: str):
        super().__init__()
        self.address = address
        self.sections: list[Section] = []
        self.page_title = ""
        self.inside = 0  # number of open elements from the article on
        self.skip_at = 0  # value of `inside` at the skipped element, or 0
        self.is_in_heading = False
        self.blocks: list[int] = []  # value of `inside` at each open block element, which separates words

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element. HTMLParser calls this."""
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
        classes = (values.get("class") or "").split()
        is_skipped = tag in _SKIPPED_TAGS or not _FURNITURE.isdisjoint(classes)
        if is_skipped or "data-unsearched" in values:
            self.skip_at = self.inside
        elif tag in _HEADINGS and values.get("id"):
            address = self.address if tag == "h1" else f"{self.address}#{values['id']}"
            if tag != "h1" or self.page_title:  # text above the first heading belongs to the section of this heading
                self.sections.append(Section(address, self.page_title))
            self.is_in_heading = True
        elif tag == "tr" and "data-title" in values:
            address = f"{self.address}#{values.get('id')}"
            self.sections.append(Section(address, self.page_title, values["data-title"] or "", is_row=True))
        elif tag in _BLOCKS:
            self.sections[-1].text.append(" ")
            self.blocks.append(self.inside)

    def handle_endtag(self, tag: str) -> None:
        """Close an element. HTMLParser calls this."""
        if not self.inside or tag in _VOID:
            return
        if self.skip_at == self.inside:
            self.skip_at = 0
        if self.blocks and self.blocks[-1] == self.inside:
            self.blocks.pop()
            self.sections[-1].text.append(" ")
        self.inside -= 1
        if tag in _HEADINGS:
            if tag == "h1" and self.is_in_heading:
                self.page_title = self.sections[-1].title.strip()
                self.sections[-1].page = self.page_title
            self.is_in_heading = False

    def handle_data(self, data: str) -> None:
        """Add text to the current section. HTMLParser calls this."""
        if self.inside and not self.skip_at:
            section = self.sections[-1]
            if self.is_in_heading:
                section.title += data
            else:
                section.text.append(data)


def _article(page: str) -> str:
    start, end = page.find("<article"), page.rfind("</article>")
    return page[start : end + len("</article>")] if start >= 0 else ""


def _strip_highlighting(article: str) -> str:
    """Return an article without the spans that highlight code (most elements are such spans) or mark the Chinese of a heading."""
    article = _OUTPUT.sub(lambda match: f" {match[1]} ", article)
    article = _CHINESE.sub(rf"\1{_NAME_SEPARATOR}", article)
    return _SPAN.sub("", _UNSEARCHED_SPAN.sub("", article))


@dataclass(frozen=True)
class Entry:
    """A section in the index. `times` maps each word that is indexed to its number of occurrences."""

    address: str  # as in Section
    page: str  # title of the page
    title: str
    text: str
    times: dict[str, int]


def read_articles(site: Path) -> list[tuple[str, str, str]]:
    """Return (address, HTML of the article, description) of each page with an article below `site`, sorted by address.

    404.html and the files of Run are left out.
    """
    pages = []
    for path in sorted(site.rglob("*.html")):
        address = path.relative_to(site).as_posix()
        if address != "404.html" and not address.startswith("runtime/"):
            page = path.read_text(encoding="utf-8")
            article = _article(page)
            if article:  # a page that redirects has no article, see gradnotes/site/redirects.py
                description = _DESCRIPTION.search(page)
                pages.append((address, article, unescape(description[1]) if description else ""))
    return pages


def page_entries(address: str, article: str) -> list[Entry]:
    """Return the index entries of a page, one per section with a title or text.

    The words of a section are those of its title and text, of the title of the page and of its file name. Of a row of a
    table, and of a section of the engine's source, only the title is indexed.
    """
    reader = _Reader(address)
    reader.feed(_strip_highlighting(article))
    index_entries = []
    for section in reader.sections:
        title, text = section.title.strip(), " ".join("".join(section.text).split())
        if not title and not text:
            continue
        # Of the engine's source, only names are indexed.
        indexed_text = "" if address.startswith("engine/") or section.is_row else text
        name = address.removesuffix(".html").removesuffix("/index").rpartition("/")[2]
        is_name = section.is_row or (address.startswith("engine/") and section.address != address)
        page_words = "" if is_name else f"{section.page} {name}"
        times = Counter(split_words(f"{title} {page_words} {indexed_text}"))
        index_entries.append(
            Entry(section.address, section.page, title or section.page, text, dict(sorted(times.items())))
        )
    return index_entries


def names_by_address(pages: Iterable[tuple[str, str, str]]) -> dict[str, set[str]]:
    """Map the address of each section to the words of links to it. A page also gets the words of its description.

    `pages` is the result of `read_articles`. The links and descriptions of pages with the engine's source do not count.
    """
    names: dict[str, set[str]] = {}
    for address, article, description in pages:
        if address.startswith("engine/"):
            continue
        names.setdefault(address, set()).update(split_words(description))
        for target, text in _LINK.findall(article):
            linked_address = normpath(f"{address}/../{target}")
            names.setdefault(linked_address, set()).update(split_words(unescape(_TAG.sub("", text))))
    return names


def messages_of_cards(pages: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Return (type, message, address that explains it) of each error card. The address is `page.html#anchor`."""
    return [
        (kind, unescape(message), normpath(f"{address}/../{target}"))
        for address, article, _ in pages
        for kind, message, target in _CARD.findall(article)
    ]


def split_words(text: str) -> list[str]:
    """Split `text` into words in lower case. Numbers are left out.

    A word with underscores is followed by its parts. Chinese text is split into pairs of characters, which come first. A
    pair with a particle is left out, and a single Chinese character is a word.
    """
    words: list[str] = []
    for run in _HAN.findall(text):
        if len(run) == 1:
            words.append(run)
        for part in _PARTICLES.split(run):
            words += [part[start : start + 2] for start in range(len(part) - 1)]
    for match in _WORD.finditer(_HAN.sub(" ", text.lower())):
        if match[0].isdigit():
            continue
        words.append(match[0])
        if "_" in match[0]:
            words += [part for part in match[0].split("_") if part]
    return words


def build_index(
    index_entries: Iterable[Entry],
    synonyms: Mapping[str, Sequence[str]],
    glossary: Mapping[str, str],
    names: Mapping[str, set[str]],
) -> dict[str, object]:
    """Return the index that `search_rank.js` reads. `names` is the result of `names_by_address`.

    Keys of the index:
        pages: [address, title, sections] of each page; a section is [anchor, title], or a text if both are equal
        lengths: the number of words of each section
        words: per word a list with a number for each section that has it: twice the distance to the previous such
            section, plus 1 if the word occurs at least OFTEN times. Small numbers compress well.
        synonyms: the result of `_invert_synonyms`
        glossary: [term, definition] of each term
    """
    pages: list[tuple[str, str, list[object]]] = []
    lengths = []
    postings: dict[str, list[int]] = {}
    last_number: dict[str, int] = {}
    for number, entry in enumerate(index_entries):
        page, _, anchor = entry.address.partition("#")
        if not pages or pages[-1][:2] != (page, entry.page):
            pages.append((page, entry.page, []))
        pages[-1][2].append(anchor if anchor == entry.title else [anchor, entry.title])
        lengths.append(sum(entry.times.values()))
        for word, times in {**entry.times, **dict.fromkeys(sorted(names.get(entry.address, ())), OFTEN)}.items():
            postings.setdefault(word, []).append((number - last_number.get(word, 0)) * 2 + (times >= OFTEN))
            last_number[word] = number
    return {
        "pages": pages,
        "lengths": lengths,
        "words": dict(sorted(postings.items())),
        "synonyms": _invert_synonyms(synonyms),
        "glossary": list(glossary.items()),
    }


def _invert_synonyms(synonyms: Mapping[str, Sequence[str]]) -> dict[str, object]:
    """Return the synonyms by typed phrase. `synonyms` maps words of the pages to phrases that readers type.

    Keys of the result:
        of: typed phrase -> for each word that the phrase stands for, a list of alternatives
        phrases: the typed phrases of several words, the longest first
        keys: the Chinese phrases, the longest first
    """
    alternatives: dict[str, list[list[str]]] = {}
    for page_words, phrases in synonyms.items():
        for phrase in phrases:
            groups = [word.split("|") for word in page_words.lower().split()]
            existing = alternatives.setdefault(phrase.lower(), groups)
            if existing is not groups:  # the phrase stands for words of several entries, which become alternatives
                existing[:] = [sorted({word for group in (*existing, *groups) for word in group})]
    keys = sorted(alternatives, key=lambda key: (-len(key), key))
    return {
        "of": alternatives,
        "phrases": [key for key in keys if key.isascii() and not _WORD.fullmatch(key)],
        "keys": [key for key in keys if not key.isascii()],
    }


def write(site: Path, cache: BuildCache, docs: Path) -> None:
    """Write the search index of each edition below the assets of the built site.

    `search_index.js` is the index, `search/N.js` has the texts of page N for excerpts. The files of the Chinese edition
    have `_zh` in their names. `docs` holds synonyms.yml and glossary.yml. Unchanged articles are not parsed again.
    """
    pages = read_articles(site)
    chinese = {english_name(page[0]) for page in pages if is_chinese(page[0])}
    glossary = _read_or_empty(docs, lambda docs: read_glossary(docs / "glossary.yml").terms)
    _write_edition(site, cache, docs, [page for page in pages if not is_chinese(page[0])], glossary, "")
    if chinese:  # the Chinese index has the English pages that are not translated
        edition = [page for page in pages if page[0] not in chinese]
        terms = _read_or_empty(docs.parent, lambda root: read_chinese(root).terms)
        _write_edition(site, cache, docs, edition, glossary | terms, "_zh")


def _write_edition(
    site: Path,
    cache: BuildCache,
    docs: Path,
    pages: list[tuple[str, str, str]],
    glossary: Mapping[str, str],
    suffix: str,
) -> None:
    """Write the index of `pages`, the result of `read_articles`, and their texts. `suffix` ends the file names."""
    keys = [("entries", address, hashlib.sha256(article.encode()).hexdigest()) for address, article, _ in pages]
    synonyms = _read_or_empty(docs, read_synonyms)

    def build() -> list[str]:
        sections = [cache.get(key, lambda: page_entries(*page[:2])) for key, page in zip(keys, pages, strict=True)]  # noqa: B023
        texts = [[entry.text for entry in page_entries] for page_entries in sections]
        return [
            compact_json(
                build_index(chain.from_iterable(sections), synonyms, glossary, names_by_address(pages))
                | {"messages": messages_of_cards(pages)}
            ),
            *map(compact_json, texts),
        ]

    parts = [part for key, (_, _, description) in zip(keys, pages, strict=True) for part in (*key, description)]
    first, *texts = cache.get(("search index", str(synonyms), str(glossary), *parts), build)
    for key in keys:
        cache.keep_alive(key)
    (site / "assets" / f"search_index{suffix}.js").write_text(f"globalThis.searchIndex={first};\n", encoding="utf-8")
    folder = site / "assets" / f"search{suffix}"
    shutil.rmtree(folder, ignore_errors=True)  # an earlier build may have had more pages
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number}.js").write_text(f"gradnotes.search.texts[{number}]={text};\n", encoding="utf-8")


def read_synonyms(docs: Path) -> dict[str, list[str]]:
    """Read docs/synonyms.yml, which maps words of the pages to phrases that readers type. A missing file counts as empty.

    Raises:
        InputError: the file is malformed.
    """
    path = docs / "synonyms.yml"
    table = (inputs.parse_yaml(inputs.read_text(path), path.name) if inputs.exists(path) else None) or {}
    if not isinstance(table, dict):
        raise InputError(
            f"{path.name}:1: must be `word: [phrase, phrase]` lines", "write such a line for each word of the pages"
        )
    for words_of_pages, phrases in table.items():
        if (
            not isinstance(words_of_pages, str)
            or not isinstance(phrases, list)
            or not all(isinstance(t, str) for t in phrases)
        ):
            message = f"{path.name}:1: must map a text to a list of texts, got {words_of_pages!r}: {phrases!r}"
            raise InputError(message, "write `word: [phrase, phrase]`, with numbers in quotes")
    return table


def _read_or_empty(docs: Path, read: Callable[[Path], Table]) -> Table:
    try:
        return read(docs)
    except InputError:
        return {}  # type: ignore[return-value]  # site/generate.py reports the error

"""Read the definitions of docs/glossary.yml, and mark the first use of each term on a page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from markdown.treeprocessors import Treeprocessor
from markupsafe import Markup
from snippetcheck.fence_types import FenceType

from gradnotes import inputs
from gradnotes.fences.registry import renders
from gradnotes.markup import Page
from gradnotes.problems import FenceError, InputError
from gradnotes.project import Project
from gradnotes.templating import render
from gradnotes.translation import sources

_UNMARKED = {"a", "code", "pre", "h1", "h2", "h3", "h4", "th", "summary", "abbr", "script", "style", "button", "strong"}


@dataclass(frozen=True)
class Glossary:
    """The terms of a project with their definitions, and a pattern that matches each form of a term."""

    terms: dict[str, str]  # term -> definition
    term_by_form: dict[str, str]  # singular or plural, in lower case -> term
    pattern: re.Pattern[str] | None


def read(path: Path) -> Glossary:
    """Read the glossary in `path`; it is empty if the file does not exist.

    Raises:
        InputError: the file is malformed.
    """
    if not inputs.exists(path):
        return Glossary({}, {}, None)
    return _parse(inputs.read_text(path), path.name)


@lru_cache(maxsize=4)
def _parse(text: str, name: str) -> Glossary:
    terms = inputs.parse_yaml(text, name) or {}
    if not isinstance(terms, dict) or not all(isinstance(v, str) for v in terms.values()):
        raise FenceError(
            f"{name}:1: must be a mapping of terms to definitions", "write `term: definition` on each line"
        )
    term_by_form = {form.lower(): str(term) for term in terms for form in _inflections(str(term))}
    alternatives = "|".join(re.escape(form) for form in sorted(term_by_form, key=lambda form: (-len(form), form)))
    pattern = re.compile(rf"(?<![\w.-])(?:{alternatives})(?![\w-])", re.IGNORECASE) if term_by_form else None
    return Glossary({str(term): text for term, text in terms.items()}, term_by_form, pattern)


def _inflections(term: str) -> list[str]:
    """Return a singular term and its plural."""
    if term.endswith("eaf"):
        return [term, term[:-1] + "ves"]
    if term.endswith("y") and term[-2:-1] not in tuple("aeiou"):
        return [term, term[:-1] + "ies"]
    return [term, term + ("es" if term.endswith(("s", "x")) else "s")]


def read_chinese(root: Path) -> Glossary:
    """Read the Chinese glossary of the project at `root`: Chinese terms with Chinese definitions.

    Raises:
        InputError: the file is malformed.
    """
    terms = sources.read_terms(root).values()
    term_by_form = {form.lower(): term.term for term in terms for form in term.forms}
    return Glossary({term.term: term.text for term in terms}, term_by_form, sources.term_pattern(list(term_by_form)))


_BEFORE_A_NOUN = frozenset(  # words after which `leaves` is a noun
    "the of to are its at or for on in all from only other both by which new these with two such as".split()
)


def _is_verb(text: str, match: re.Match[str]) -> bool:
    """Return whether a match is the verb `leaves`, as in "the line leaves a node", judged by the word before it."""
    if match[0] != "leaves" or match.start() == 0:
        return False
    words = text[: match.start()].split()
    return not words or words[-1].lower() not in _BEFORE_A_NOUN


# Pages about programs, where words such as "module" and "result" have the sense that they have in Python.
_ABOUT_PYTHON = ("engine/", "use-the-harness/")


class FirstUses(Treeprocessor):
    """The Markdown processor that marks the first use of each term on a page, in the page's language."""

    def __init__(self, md: object, root: Path, page: Callable[[], Page]):
        super().__init__(md)  # type: ignore[arg-type]
        self.root, self.page = root, page

    def run(self, root: etree.Element) -> None:
        """Mark the terms in the prose of the page. Python-Markdown calls this.

        Pages in _ABOUT_PYTHON have no marks, and no page has marks if the glossary is malformed.
        """
        page = self.page()
        if page.source.startswith(_ABOUT_PYTHON):
            return
        try:
            self.glossary = read_chinese(self.root) if page.is_chinese else read(self.root / "docs" / "glossary.yml")
        except InputError:
            return  # the page with the `glossary` fence reports the error
        if self.glossary.pattern is None:
            return
        self.marked_terms: set[str] = set()
        for child in root:
            if child.tag in ("p", "ul", "ol", "dl", "blockquote", "div"):
                self.walk(child)

    def walk(self, element: etree.Element) -> None:
        """Mark the terms in an element and its descendants, except in tags of _UNMARKED, such as code and links."""
        if element.tag in _UNMARKED:
            return
        self.mark(element, None)
        for child in list(element):
            if "term" in child.get("class", ""):
                continue
            self.walk(child)
            self.mark(element, child)

    def mark(self, parent: etree.Element, after: etree.Element | None) -> None:
        """Mark the terms in the text after the child `after`, or before the first child if `after` is None.

        Terms that are already marked on the page are skipped.
        """
        text = (parent.text if after is None else after.tail) or ""
        for match in self.glossary.pattern.finditer(text):  # type: ignore[union-attr]
            term = self.glossary.term_by_form[match[0].lower()]
            if term in self.marked_terms or _is_verb(text, match):
                continue
            self.marked_terms.add(term)
            term_element = self.element(term, match[0], text[match.end() :])
            if after is None:
                parent.text = text[: match.start()]
                parent.insert(0, term_element)
            else:
                after.tail = text[: match.start()]
                parent.insert(list(parent).index(after) + 1, term_element)
            self.mark(parent, term_element)
            return

    def element(self, term: str, text: str, tail: str) -> etree.Element:
        """Build the element of a marked term with its definition as a tooltip."""
        identifier = "term-" + re.sub(r"\W+", "-", term.lower())
        outer = etree.Element("span", {"class": "term", "tabindex": "0", "aria-describedby": identifier})
        outer.text = text
        inner = etree.SubElement(
            outer, "span", {"class": "term-text", "role": "tooltip", "id": identifier, "data-unsearched": ""}
        )
        inner.text = self.glossary.terms[term].replace("`", "")
        outer.tail = tail
        return outer


@renders(FenceType("glossary"))
def render_glossary(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render all terms with their definitions. On a Chinese page, the English term follows the Chinese one."""
    definitions = read(project.docs / "glossary.yml").terms
    chinese_terms = sources.read_terms(project.root) if page.is_chinese else {}
    entries = []
    for english, text in definitions.items():
        term = chinese_terms.get(english, sources.Term(english, (), text))
        entries.append((term.term, english if term.term != english else "", term.text))
    return render("glossary", entries=sorted(entries, key=lambda entry: _sort_key(entry[0])))


def _sort_key(term: str) -> bytes:
    """Return a key that sorts Latin letters without regard to case, before Chinese characters by their pinyin.

    The common characters of GB 2312 are in the order of their pinyin.
    """
    return term.lower().encode("gb18030")

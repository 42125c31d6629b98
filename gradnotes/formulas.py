"""Convert TeX between dollar signs on a page to MathML, which needs no script and no font.

`$x^2$` is inline, `$$ ... $$` is a paragraph. pymdownx.arithmatex finds the formulas and ignores code and prices;
math-core converts them to MathML, which browsers draw and screen readers read. Invalid TeX is reported with its line.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from functools import cache
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString
from math_core import LatexError, LatexToMathML
from pymdownx.arithmatex import ArithmatexExtension

OPEN, CLOSE = (
    "\x02formula\x03",
    "\x02end\x03",
)  # markers that no page contains: Python-Markdown reserves these characters
REMEDY = "correct the TeX; the supported commands are listed at https://github.com/tmke8/math-core"
_ROW_SPACING = re.compile(r"\\\\\[[\d.]+ *[a-z]+\]")  # `\\[4pt]`
_CLOSING_MARKS = re.compile(r"[,.;:!?)\]，。；：、！？）」”]+")
Report = Callable[[int, str, str], None]  # line, message, remedy


class FormulaError(ValueError):
    """A formula is not valid TeX, or uses TeX that is not supported."""


def install(md: Markdown, source: Callable[[], str], report: Report) -> None:
    """Enable formulas in `md`. `source` returns the text of the page; `report` is called for each problem."""
    wrap = [OPEN, CLOSE]
    syntax = {"inline_syntax": ["dollar"], "block_syntax": ["dollar"]}
    ArithmatexExtension(generic=True, tex_inline_wrap=wrap, tex_block_wrap=wrap, **syntax).extendMarkdown(md)
    md.treeprocessors.register(_Formulas(md, source, report), "formulas", 6)  # after `inline`, before `toc`


@cache
def mathml(tex: str, is_block: bool) -> str:
    """Convert a formula to a `<math>` element, with its TeX as alternative text. `is_block` is True for a paragraph.

    Raises:
        FormulaError: the TeX is invalid or not supported.
    """
    if match := _ROW_SPACING.search(tex):
        raise FormulaError(f"`{match[0]}`: a space between rows is not supported and would appear as text")
    try:
        markup = LatexToMathML(fancy_error=False).convert_with_local_state(tex, displaystyle=is_block)
    except LatexError as error:
        raise FormulaError(" ".join(str(error).split())) from None
    return markup.replace("<math", f'<math alttext="{html.escape(" ".join(tex.split()))}"', 1)


class _Formulas(Treeprocessor):
    """The Markdown processor that converts the elements of arithmatex to MathML."""

    def __init__(self, md: Markdown, source: Callable[[], str], report: Report):
        super().__init__(md)
        self.source, self.report = source, report

    def run(self, root: Element) -> None:
        """Convert the formulas of a page, in page order. Report an invalid formula, and show its TeX as code."""
        position = 0
        for element in root.iter():
            if element.get("class") != "arithmatex":
                continue
            is_block = element.tag == "div"
            raw = (element.text or "").removeprefix(OPEN).removesuffix(CLOSE)
            tex = html.unescape(raw) if is_block else raw
            delimiter = "$$" if is_block else "$"
            index = self.source().find(f"{delimiter}{tex}{delimiter}", position)
            position = index if index >= 0 else position
            element.set("class", "formula")
            if is_block:
                element.set("tabindex", "0")  # so that the arrow keys can scroll it on a narrow screen
            try:
                if not is_block and self.source()[index - 1 : index] == "$":
                    raise FormulaError("a formula between $$ must be a separate paragraph without an empty line")
                markup = mathml(tex.strip(), is_block)
            except FormulaError as error:
                line = self.source().count("\n", 0, position) + 1
                self.report(line, f"invalid formula: {delimiter}{tex.strip()}{delimiter}: {error}", REMEDY)
                markup = f"<code>{html.escape(tex)}</code>"
            marks = _CLOSING_MARKS.match(element.tail or "") if not is_block else None
            element.text = AtomicString(self.md.htmlStash.store(markup) + (marks[0] if marks else ""))
            if marks and element.tail:  # in the element, because browsers may break the line after `<math>`
                element.tail = element.tail[marks.end() :]

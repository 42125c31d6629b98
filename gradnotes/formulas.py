"""Formulas: TeX between dollars on a page, MathML in the built page, with no script and no font.

`$x^2$` stands in a line, `$$ ... $$` in a paragraph of its own. pymdownx.arithmatex finds them, and leaves code and prices as they
are; math-core turns them into MathML, which browsers draw and screen readers read. What is no TeX is a problem with its line.
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

OPEN, CLOSE = "\x02formula\x03", "\x02end\x03"  # signs that no page has, since Python-Markdown keeps them for itself
REMEDY = "mend the TeX; what is known is listed at https://github.com/tmke8/math-core"
_SPACED = re.compile(r"\\\\\[[\d.]+ *[a-z]+\]")  # `\\[4pt]`
Report = Callable[[int, str, str], None]  # line, message, remedy


class FormulaError(ValueError):
    """TeX that cannot be shown."""


def install(md: Markdown, source: Callable[[], str], report: Report) -> None:
    """Let pages have formulas. `source` gives the text of the page, `report` takes what is wrong on it."""
    wrap = [OPEN, CLOSE]
    syntax = {"inline_syntax": ["dollar"], "block_syntax": ["dollar"]}
    ArithmatexExtension(generic=True, tex_inline_wrap=wrap, tex_block_wrap=wrap, **syntax).extendMarkdown(md)
    md.treeprocessors.register(_Formulas(md, source, report), "formulas", 6)  # after `inline`, before `toc`


@cache
def mathml(tex: str, display: bool) -> str:
    """The formula as a `<math>` element, its TeX beside it for whatever reads no MathML. Raises FormulaError."""
    if spaced := _SPACED.search(tex):
        raise FormulaError(f"`{spaced[0]}`: a space between rows is not known, and would be shown as text")
    try:
        made = LatexToMathML(fancy_error=False).convert_with_local_state(tex, displaystyle=display)
    except LatexError as error:
        raise FormulaError(" ".join(str(error).split())) from None
    return made.replace("<math", f'<math alttext="{html.escape(" ".join(tex.split()))}"', 1)


class _Formulas(Treeprocessor):
    """Puts MathML in the place of what arithmatex has found."""

    def __init__(self, md: Markdown, source: Callable[[], str], report: Report):
        super().__init__(md)
        self.source, self.report = source, report

    def run(self, root: Element) -> None:
        """Page by page; formulas stand in the tree in the order of the page."""
        reached = 0
        for element in root.iter():
            if element.get("class") != "arithmatex":
                continue
            block = element.tag == "div"
            written = (element.text or "").removeprefix(OPEN).removesuffix(CLOSE)
            tex = html.unescape(written) if block else written
            sign = "$$" if block else "$"
            found = self.source().find(f"{sign}{tex}{sign}", reached)
            reached = found if found >= 0 else reached
            element.set("class", "formula")
            if block:
                element.set("tabindex", "0")  # it scrolls where the screen is narrow
            try:
                if not block and self.source()[found - 1 : found] == "$":
                    raise FormulaError(
                        "a formula between $$ stands in a paragraph of its own, with no empty line in it"
                    )
                made = mathml(tex.strip(), block)
            except FormulaError as error:
                line = self.source().count("\n", 0, reached) + 1
                self.report(line, f"no formula: {sign}{tex.strip()}{sign}: {error}", REMEDY)
                made = f"<code>{html.escape(tex)}</code>"
            element.text = AtomicString(self.md.htmlStash.store(made))

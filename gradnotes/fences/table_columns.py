"""Mark the columns of numbers and of dates in Markdown tables. The tables of fences use `templating.table_columns`.

Long names in the cells and in the title of the page get `<wbr>` elements, so that a narrow screen breaks them between words.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from markdown.treeprocessors import Treeprocessor

from gradnotes.markup import column_class, split_name

LONG = 10  # characters; a longer name may need a line break
WIDE = 5  # columns; a table with at least so many columns scrolls on a phone


class TableColumns(Treeprocessor):
    """Give the cells in columns of numbers or dates a CSS class, except in columns with an explicit alignment."""

    def run(self, root: Element) -> None:
        """Mark the columns of all tables of the page, make wide tables focusable, and allow line breaks in long names."""
        for table in root.iter("table"):
            rows = [list(row) for row in table.iter("tr")]
            if len(rows[0]) >= WIDE:
                table.set("tabindex", "0")  # so that the arrow keys can scroll it
            for column in zip(*rows, strict=False):
                head, *cells = column
                name = column_class(["".join(cell.itertext()).strip() for cell in cells])
                if name and not head.get("style"):
                    for cell in column:
                        cell.set("class", name)
        for place in (*root.iter("td"), *root.iter("h1")):
            for code in place.iter("code"):
                _allow_breaks(code)


def _allow_breaks(code: Element) -> None:
    """Put `<wbr>` between the words of a long name: `torch.nn.functional` may break after each dot.

    A text of at most LONG characters, or with elements in it, is not changed.
    """
    text = code.text or ""
    if len(text) <= LONG or len(code):
        return
    code.text, *words = split_name(text)
    for word in words:
        SubElement(code, "wbr").tail = word

"""Mark the columns of numbers and of dates in the tables of a page, as `markup.table` does in those of fences."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from markdown.treeprocessors import Treeprocessor

from gradnotes.markup import column_class


class TableColumns(Treeprocessor):
    """Give the cells of columns of numbers and dates a CSS class, except in columns with an explicit alignment."""

    def run(self, root: Element) -> None:
        """Mark the columns of all tables."""
        for table in root.iter("table"):
            rows = [list(row) for row in table.iter("tr")]
            for column in zip(*rows, strict=False):
                head, *cells = column
                name = column_class(["".join(cell.itertext()).strip() for cell in cells])
                if name and not head.get("style"):
                    for cell in column:
                        cell.set("class", name)

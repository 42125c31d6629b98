"""Columns of numbers and of dates in tables: those of fences and those that a page writes."""

from __future__ import annotations

import markdown

from gradnotes.fences.table_columns import TableColumns
from tests.site.test_templating import rendered


def test_a_column_of_numbers_or_dates_is_marked() -> None:
    rows = [("a", "1,234", "3/4", "2026-11-26"), ("b2", "–", "12 of 13", "2026-11-25")]
    heads = ("Name", "Count", "Share", "Day")
    html = rendered('{% from "macros.html" import table %}{{ table(heads, rows) }}', heads=heads, rows=rows)
    assert html.count('class="number"') == 6 and html.count('class="date"') == 3
    assert '<td data-head="Name">b2</td>' in html and '<td data-head="Count" class="number">–</td>' in html


def test_tables_of_a_page_are_marked_alike() -> None:
    text = "| Name | Count | Left |\n|---|---|:--|\n| a | `1` | 1 |\n| b | 2.5 | 2 |\n"
    md = markdown.Markdown(extensions=["tables"])
    md.treeprocessors.register(TableColumns(md), "table_columns", 3.5)
    html = md.convert(text)
    assert html.count('class="number"') == 3 and '<td class="number"><code>1</code></td>' in html
    assert '<td style="text-align: left;">2</td>' in html

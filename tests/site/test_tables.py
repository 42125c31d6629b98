"""Columns of numbers and dates are marked in tables of fences and of pages, and long names break between words."""

from __future__ import annotations

import re
from pathlib import Path

import markdown
import pytest
from playwright.sync_api import Page

from gradnotes.fences.table_columns import TableColumns
from gradnotes.templating import breakable
from tests.site.test_templating import render_source


def test_a_column_of_numbers_or_dates_is_marked() -> None:
    rows = [("a", "1,234", "3/4", "2026-11-26"), ("b2", "–", "12 of 13", "2026-11-25")]
    heads = ("Name", "Count", "Share", "Day")
    html = render_source('{% from "macros.html" import table %}{{ table(heads, rows) }}', heads=heads, rows=rows)
    assert html.count('class="number"') == 6 and html.count('class="date"') == 3
    assert '<td data-head="Name">b2</td>' in html and '<td data-head="Count" class="number">–</td>' in html


def test_columns_in_tables_of_a_page_are_marked() -> None:
    text = "| Name | Count | Left |\n|---|---|:--|\n| a | `1` | 1 |\n| b | 2.5 | 2 |\n"
    md = markdown.Markdown(extensions=["tables"])
    md.treeprocessors.register(TableColumns(md), "table_columns", 3.5)
    html = md.convert(text)
    assert html.count('class="number"') == 3 and '<td class="number"><code>1</code></td>' in html
    assert '<td style="text-align: left;">2</td>' in html


def test_a_long_name_breaks_between_its_words() -> None:
    text = "| Name |\n|---|\n| `register_post_accumulate_grad_hook` |\n| `torch.nn.BCEWithLogitsLoss` |\n| `keep_dim` |\n| `a.b < c.define` |\n"
    md = markdown.Markdown(extensions=["tables"])
    md.treeprocessors.register(TableColumns(md), "table_columns", 3.5)
    html = md.convert(text).replace(" />", ">")
    assert "<code>register_<wbr>post_<wbr>accumulate_<wbr>grad_<wbr>hook</code>" in html
    assert "<code>torch.<wbr>nn.<wbr>BCEWith<wbr>Logits<wbr>Loss</code>" in html
    assert "<code>keep_dim</code>" in html and "<code>a.<wbr>b &lt; c.<wbr>define</code>" in html


def test_a_long_name_in_a_message_breaks_between_its_words() -> None:
    message = "RuntimeError: 'register_post_accumulate_grad_hook' needs x.is_leaf <here>"
    assert breakable(message) == (
        "RuntimeError: &#x27;register_<wbr>post_<wbr>accumulate_<wbr>grad_<wbr>hook&#x27; needs x.is_leaf &lt;here&gt;"
    )


def test_the_heads_of_tables_begin_with_a_capital_letter(root: Path) -> None:
    heads = re.compile(r"^ *\|(?P<heads>.*)\|\n *\|[ :|-]+\|$", re.MULTILINE)
    assert [
        f"{page.relative_to(root)}: {match['heads']}"
        for page in sorted((root / "docs").rglob("*.md"))
        for match in heads.finditer(page.read_text(encoding="utf-8"))
        if match["heads"].strip()[0].islower()
    ] == []


def test_a_wide_table_can_be_scrolled_by_keys() -> None:
    md = markdown.Markdown(extensions=["tables"])
    md.treeprocessors.register(TableColumns(md), "table_columns", 3.5)
    assert md.convert("|".join("abcde") + "\n" + "|".join("-----") + "\n" + "|".join("12345")).count("tabindex") == 1
    assert "tabindex" not in md.convert("|".join("abcd") + "\n" + "|".join("----") + "\n" + "|".join("1234"))


@pytest.mark.parametrize("address", ["hooks/index.html", "notes/learning-pytorch.html"])
def test_long_names_fit_on_a_phone(page: Page, server: str, address: str) -> None:
    """Check that tables with the longest names do not scroll, and that only a word too long for a line may be broken."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(server + address)
    table = page.locator("table:not([class])").first
    assert table.evaluate("(table) => table.scrollWidth - table.clientWidth") == 0
    assert set(
        table.locator("code").evaluate_all(
            "(elements) => elements.map((element) => getComputedStyle(element).overflowWrap)"
        )
    ) == {"break-word"}

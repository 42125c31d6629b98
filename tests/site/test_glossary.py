"""A definition is attached to the first use of a term on a page, and to no other use."""

from __future__ import annotations

import re
from pathlib import Path

import markdown
import pytest
from playwright.sync_api import BrowserContext, expect

from gradnotes.fences.glossary import read
from gradnotes.problems import InputError, PageError

TERMS = "leaf: A tensor that you made.\nview: A tensor on the memory of another.\nin-place operation: It writes.\n"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Create a project whose only file is a glossary."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/glossary.yml").write_text(TERMS)
    return tmp_path


def render(book: Path, text: str) -> str:
    config = {"gradnotes.fences": {"root": str(book)}}
    return markdown.markdown(text, extensions=["gradnotes.fences"], extension_configs=config)


def marked_terms(html: str) -> list[str]:
    return re.findall(r'class="term" tabindex="0">([^<]*)<', html)


def test_only_first_uses_are_marked_and_plurals_count(book: Path) -> None:
    html = render(book, "All leaves here. A leaf again.\n\nIn-place operations and a *view*. More views.\n")
    assert marked_terms(html) == ["leaves", "In-place operations", "view"]
    assert re.sub(r"<span class=\"term-text\".*?</span>", "", html).count("leaf again") == 1


def test_terms_in_headings_code_and_links_are_not_marked(book: Path) -> None:
    assert marked_terms(render(book, "# A leaf\n\n`leaf` and [leaf](x.md) and leaf-like and myleaf.\n")) == []


def test_the_verb_leaves_is_not_marked(book: Path) -> None:
    html = render(book, "Each line leaves a mark, and leaves it. `x` leaves it too. On to the leaves.\n")
    assert marked_terms(html) == ["leaves"]
    assert "to the <span" in html


def test_terms_are_not_marked_on_pages_about_python_programs(site: Path) -> None:
    assert 'class="term"' in (site / "training/modules.html").read_text(encoding="utf-8")
    for page in (site / "use-the-harness/index.html", site / "engine/index.html"):
        assert "module" in page.read_text(encoding="utf-8") and 'class="term"' not in page.read_text(encoding="utf-8")


def test_the_text_around_marked_terms_is_unchanged(book: Path) -> None:
    html = render(book, "A view of a leaf, *and a view*, then `x` and the end.\n")
    plain = re.sub(r"<span class=\"term-text\".*?</span>|<[^>]+>", "", html)
    assert plain == "A view of a leaf, and a view, then x and the end."


def test_a_malformed_glossary_is_reported(book: Path) -> None:
    (book / "docs/glossary.yml").write_text("leaf: [1\n")
    with pytest.raises(InputError, match="glossary.yml:"):
        read(book / "docs/glossary.yml")
    with pytest.raises(PageError, match="glossary.yml:"):
        render(book, "``` glossary\n```\n")


def test_a_definition_appears_on_hover_and_focus(context: BrowserContext, site: Path, server: str) -> None:
    pages_with_terms = [p for p in sorted(site.rglob("*.html")) if 'class="term"' in p.read_text(encoding="utf-8")]
    page = context.new_page()
    page.goto(server + pages_with_terms[0].relative_to(site).as_posix())
    term = page.locator(".term").first
    definition = term.locator(".term-text")
    expect(definition).to_be_hidden()
    term.hover()
    expect(definition).to_be_visible()
    page.mouse.move(0, 0)
    expect(definition).to_be_hidden()
    term.focus()
    expect(definition).to_be_visible()
    expect(term).to_have_accessible_description(re.compile(r"\w+ \w+"))

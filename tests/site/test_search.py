"""Test the search index, and the search in Chromium, from a server and from a folder."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from gradnotes.cache import BuildCache
from gradnotes.site import search_index


def search(page: Page, query: str) -> list[str]:
    """Open the search with a key and enter `query`. Wait for all excerpts, and return the texts of the results."""
    page.keyboard.press("/")
    page.get_by_role("textbox", name="Search").fill(query)
    expect(page.locator(".search__status")).to_have_text(re.compile(r"^\d+ section|^Nothing found"))
    page.wait_for_function(
        "() => [...document.querySelectorAll('.search__results a')].every((a) => a.querySelector('span'))"
    )
    return page.locator(".search__results a").all_text_contents()


def test_writing_the_index_again_keeps_the_texts_of_sections(tmp_path: Path) -> None:
    """Check that a page without an article, such as a redirect, does not shift the numbers of the texts."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "b.html").write_text('<article><h1 id="b">Two</h1><p>text</p></article>', encoding="utf-8")
    for _ in range(2):
        search_index.write(tmp_path, BuildCache(tmp_path, "finish"), tmp_path)
        assert "text" in (tmp_path / "assets/search/0.js").read_text(encoding="utf-8")
        (tmp_path / "a.html").write_text("<h1>Moved</h1>", encoding="utf-8")


def test_text_above_the_first_heading_is_not_a_section() -> None:
    entries = search_index.page_entries("a.html", '<article><p>A part</p><h1 id="a">One</h1><p>text</p></article>')
    assert [(entry.address, entry.title) for entry in entries] == [("a.html", "One")]


def test_a_heading_of_level_four_is_a_section_with_chinese_and_english_title() -> None:
    deep = '<h4 id="b"><span lang="zh-Hans">案例1：</span> Case <code>1</code></h4><p>text</p>'
    entries = search_index.page_entries("a.html", f'<article><h1 id="a">One</h1>{deep}</article>')
    assert [(entry.address, entry.title, entry.text) for entry in entries] == [
        ("a.html", "One", ""),
        ("a.html#b", "案例1：\u3000Case 1", "text"),
    ]


def test_a_section_is_found_by_texts_of_links_to_it_and_its_description() -> None:
    chapter = '<a href="../b/two.html#part"><code>Repairs</code> &amp; ways</a> <a class="headerlink" href="../b/two.html">#</a>'
    pages = [
        ("a/one.html", chapter, "The first"),
        ("b/two.html", '<a href="#part">here</a> <a href="https://other.org/x.html">there</a>', ""),
        ("engine/c.html", '<a href="../b/two.html">Source</a>', "Engine"),
    ]
    names = search_index.names_by_address(pages)
    assert names == {"a/one.html": {"the", "first"}, "b/two.html": set(), "b/two.html#part": {"repairs", "ways"}}
    entry = search_index.Entry("b/two.html#part", "Two", "Part", "", {"part": 1})
    index = search_index.build_index([entry], {}, {}, names)
    assert index["words"] == {"part": [0], "repairs": [1], "ways": [1]}  # 1 means that the word is frequent


def test_the_message_of_an_error_card_leads_to_its_page() -> None:
    card = (
        '<div class="error-card" id="c"><p><b>RuntimeError</b> <code>element 0 &lt;fails&gt;</code></p>'
        '<dl><dd><code>x</code></dd></dl><p class="error-card-page"><a href="../b/two.html#snippet-x">Two</a></p></div>'
    )
    pages = [
        ("a/cards.html", f"<article>{card}</article>", ""),
        ("a/one.html", "<article><code>y</code></article>", ""),
    ]
    assert search_index.messages_of_cards(pages) == [("RuntimeError", "element 0 <fails>", "b/two.html#snippet-x")]


def test_an_index_page_is_found_by_the_name_of_its_folder() -> None:
    entries = search_index.page_entries("hooks/index.html", '<article><h1 id="a">One</h1></article>')
    assert entries[0].times == {"hooks": 1, "one": 2}


def test_the_search_loads_at_most_225_kb_before_the_first_results(site: Path) -> None:
    names = ("search_index.js", "search_rank.js", "search.js")
    assert sum(len(gzip.compress((site / "assets" / name).read_bytes(), mtime=0)) for name in names) <= 225_000


def test_results_are_grouped_by_page_and_show_only_its_text(page: Page, server: str) -> None:
    page.goto(server + "index.html")
    search(page, "retain graph")
    excerpts = page.locator(".search__results a span")
    expect(excerpts.first).to_be_visible()
    expect(page.locator(".search__where").first).to_contain_text("Using autograd")
    hrefs = page.locator(".search__results > li").evaluate_all(
        "(pages) => pages.map((page) => [...new Set([...page.querySelectorAll('a')].map((a) => a.pathname))])"
    )
    assert all(len(group) == 1 for group in hrefs) and len({group[0] for group in hrefs}) == len(hrefs)
    text = " ".join(excerpts.all_text_contents())
    assert not re.search(r"This page as a notebook|Page \d+ of|\d+ minutes ·|Ran on|Checked|runs in your browser", text)
    marks = {mark.lower() for mark in page.locator(".search__results mark").all_text_contents()}
    assert marks and all(mark.startswith(("retain", "graph")) and " " not in mark for mark in marks), marks


def test_a_term_of_the_glossary_is_explained_above_the_results(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    page.goto(server + "index.html")
    search(page, "what is a leaf?")
    expect(page.locator(".search__meaning")).to_contain_text("A tensor that was not computed by a recorded operation")
    search(page, "leaf hooks")
    expect(page.locator(".search__meaning")).to_be_hidden()


def test_synonyms_with_two_meanings_are_alternatives() -> None:
    synonyms = search_index._invert_synonyms({"a b": ["x"], "c": ["x", "两词"], "d|e": ["of two"]})
    assert synonyms == {
        "of": {"x": [["a", "b", "c"]], "两词": [["c"]], "of two": [["d", "e"]]},
        "phrases": ["of two"],
        "keys": ["两词"],
    }


def test_search_opens_by_key_and_finds_a_name(page_monitor: Callable, server: str) -> None:
    page = page_monitor.page
    page.goto(server + "index.html")
    for query in ("retain_grad", "retain grad", "retain_g"):
        results = search(page, query)
        assert results and "retain_grad" in " ".join(results), query
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    assert page_monitor.errors == []


def test_an_operator_between_spaces_is_a_word() -> None:
    assert search_index.split_words("`a @ b`, `@`, x ** 2; @decorated f(**options) me@example.org") == [
        *("a", "@", "b", "@", "x", "**", "decorated", "f", "options", "me", "example", "org")
    ]


def test_search_finds_an_operator(page_monitor: Callable, server: str) -> None:
    page = page_monitor.page
    page.goto(server + "index.html")
    search(page, "+=")
    expect(page.locator(".search__results a").first).to_contain_text("+=")
    assert page_monitor.errors == []


def test_search_finds_an_error_message_with_other_numbers(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    page.goto(server + "index.html")
    message = (
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace "
        "operation: [torch.FloatTensor [64, 128]], which is output 0 of SigmoidBackward0, is at version 7; "
        "expected version 6 instead."
    )
    search(page, message)
    expect(page.locator(".search__results a").first).to_contain_text("modified by an inplace operation")


TRACEBACK = """Traceback (most recent call last):
  File "/home/me/train.py", line 42, in <module>
    main()
  File "/home/me/train.py", line 31, in main
    loss.backward()
  File "/usr/lib/python3/dist-packages/torch/autograd/__init__.py", line 353, in backward
    _engine_run_backward(
RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). \
Saved intermediate values of the graph are freed when you call .backward() or autograd.grad().
"""
SECOND_BACKWARD = re.compile("using-autograd/second-backward")


def paste(page: Page, text: str) -> None:
    """Paste text from the clipboard by keyboard; `fill` would not treat line breaks as a browser does."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("ControlOrMeta+v")


def test_search_finds_the_page_of_a_pasted_traceback(page: Page, server: str) -> None:
    page.goto(server + "index.html")
    page.get_by_role("button", name="paste an error").first.click()
    field = page.get_by_role("textbox", name="Search")
    expect(field).to_be_focused()
    height = field.bounding_box()["height"]
    paste(page, TRACEBACK)
    first = page.locator(".search__results a").first
    expect(first).to_have_attribute("href", SECOND_BACKWARD)
    assert field.input_value() == TRACEBACK
    assert height * 2 < field.bounding_box()["height"] < 200
    page.keyboard.press("Enter")
    page.wait_for_url(SECOND_BACKWARD)


@pytest.mark.parametrize(
    "query",
    [
        TRACEBACK.replace("\n", " "),  # as pasted into a field of one line
        TRACEBACK.replace("\n", ""),  # as pasted into such a field in Firefox
        TRACEBACK.lower(),
        TRACEBACK.upper().replace("\n", " "),
        TRACEBACK + "\nProcess finished with exit code 1\n",
        TRACEBACK + "\nDuring handling of the above exception, another exception occurred:\n\n" + TRACEBACK,
        "how do I fix this runtime error: Trying to backward through the graph a second time",
    ],
)
def test_search_finds_variants_of_a_traceback(page: Page, server: str, query: str) -> None:
    page.goto(server + "glossary.html")
    page.keyboard.press("/")
    page.get_by_role("textbox", name="Search").fill(query)
    expect(page.locator(".search__results a").first).to_be_visible()
    addresses = page.evaluate("async query => (await gradnotes.search.find(query)).slice(0, 3).map(s => s[0])", query)
    assert any(SECOND_BACKWARD.match(address) for address in addresses), addresses


def test_enter_opens_a_result_and_shift_enter_starts_a_line(page: Page, server: str) -> None:
    page.goto(server + "index.html")
    page.keyboard.press("/")
    field = page.get_by_role("textbox", name="Search")
    field.press_sequentially("second")
    page.keyboard.press("Shift+Enter")
    field.press_sequentially("backward")
    assert field.input_value() == "second\nbackward"
    page.keyboard.press("ArrowUp")  # moves to the first line, not to a result
    expect(field).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".search__results a").first).to_be_focused()
    field.fill("retain_graph")
    page.keyboard.press("Enter")  # works before and after the results are shown
    page.wait_for_url(SECOND_BACKWARD)


def test_enter_in_an_input_method_opens_no_result(page: Page, server: str) -> None:
    page.goto(server + "index.html")
    search(page, "retain_grad")
    expect(page.locator(".search__results a").first).to_be_visible()
    field = page.get_by_role("textbox", name="Search")
    field.dispatch_event("keydown", {"key": "Enter", "isComposing": True, "bubbles": True})
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.url == server + "index.html"


@pytest.mark.parametrize("target", ["another page", "this page"])
def test_back_from_a_result_shows_the_results_again(page: Page, server: str, target: str) -> None:
    """Check that Back restores scroll position and focus, until the reader closes the search."""
    page.goto(server + "using-autograd/second-backward.html")
    start = page.url
    search(page, "retain_graph" if target == "this page" else "hook that changes the gradient")
    links = page.locator(".search__results a")
    number = links.count() - 1
    if target == "this page":
        number = links.evaluate_all("links => links.findIndex(a => a.pathname === location.pathname && a.hash)")
    links.nth(number).scroll_into_view_if_needed()
    results = page.locator(".search__results")
    scroll, titles = results.evaluate("results => results.scrollTop"), links.all_text_contents()
    href = links.nth(number).evaluate("a => a.href")
    links.nth(number).click()
    page.wait_for_url(href)
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.go_back()
    page.wait_for_url(start)
    expect(links.nth(number)).to_be_focused()
    assert links.all_text_contents() == titles
    assert results.evaluate("results => results.scrollTop") == pytest.approx(scroll, abs=2)

    page.go_forward()
    page.wait_for_url(href)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.go_back()
    page.wait_for_url(start)
    expect(links.nth(number)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.reload()
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize(
    ("query", "address_of_first"),
    [
        ("gradcheck", "extending/gradcheck"),
        ("convolution gradient", "cnn-backward/"),
        (
            "element 0 of tensors does not require grad and does not have a grad_fn",
            "why-autograd/computation-graph",  # the page that the error card of the message names
        ),
    ],
)
def test_search_finds_the_chapter_first(
    context: BrowserContext, server: str, query: str, address_of_first: str
) -> None:
    """Check that the page that explains the query comes before the engine's source and the list of errors."""
    page = context.new_page()
    page.goto(server + "index.html")
    search(page, query)
    first = page.locator(".search__results a").first
    expect(first).to_be_visible()  # waits for the texts by which results of a message are sorted
    expect(first).not_to_contain_text("An operation in the graph; it knows")  # the text of a tooltip
    href = first.get_attribute("href")
    assert re.search(address_of_first, href or "")


def test_search_and_its_results_work_by_keyboard_alone(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    page.goto(server + "index.html")
    assert search(page, "retain_grad")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != server + "index.html")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_search_reports_that_nothing_is_found(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    page.goto(server + "index.html")
    assert search(page, "zzqq") == []
    expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text("Nothing found")


def test_search_works_from_a_folder(context: BrowserContext, site: Path) -> None:
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    assert search(page, "retain_grad")

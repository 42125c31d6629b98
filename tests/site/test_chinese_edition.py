"""Test the Chinese edition in a browser: language switch, Run, predictions, exercises, search, and notices."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

PAGE = "zh/in-place/versions.html"


def test_the_switch_leads_to_the_same_section_and_back(page: Page, server: str) -> None:
    page.goto(f"{server}{PAGE}")
    section = page.locator("#the-counter")
    section.evaluate("element => element.scrollIntoView()")
    page.get_by_role("link", name="English", exact=True).click()
    page.wait_for_url(f"{server}in-place/versions.html#the-counter")
    assert page.locator("html").get_attribute("lang") == "en"
    page.get_by_role("link", name="中文", exact=True).click()
    page.wait_for_url(f"{server}{PAGE}#the-counter")
    assert page.locator("html").get_attribute("lang") == "zh-Hans"


def test_a_page_without_chinese_has_a_notice_for_readers_of_chinese(page: Page, server: str) -> None:
    page.goto(f"{server}hooks/nodes.html")
    expect(page.locator("[data-no-chinese]")).to_be_hidden()
    page.goto(f"{server}{PAGE}")
    page.goto(f"{server}hooks/nodes.html")
    notice = page.locator("[data-no-chinese]")
    expect(notice).to_contain_text("还没有中文")
    notice.get_by_role("link").click()
    page.wait_for_url(f"{server}zh/index.html")


def test_an_answer_counts_in_both_editions(page: Page, server: str) -> None:
    page.goto(f"{server}{PAGE}")
    figure = page.locator("figure.predict").first
    figure.locator("label", has_text="报错").click()
    figure.get_by_role("button", name="回答").click()
    expect(figure.locator(".ask-said")).to_contain_text("✗ 不是这个。")
    figure.locator("label", has_text="1000.").click()
    figure.get_by_role("button", name="回答").click()
    expect(figure.locator(".ask-said")).to_contain_text("✓ 答对了，试了几次。")
    page.goto(f"{server}in-place/versions.html")
    expect(page.locator("figure.predict").first.locator(".ask-said")).to_contain_text("✓ Right, in the end.")


def test_a_program_runs_with_chinese_words(page: Page, server: str) -> None:
    page.goto(f"{server}{PAGE}")
    figure = page.locator("figure.snippet[data-file='in-place/versions/unreadable.py']")
    figure.locator("[data-run]").click()
    expect(figure.locator(".run-note")).to_contain_text("在你的浏览器里运行")
    expect(figure.locator(".run-status")).to_contain_text("与网页上相同", timeout=90_000)
    expect(figure.locator(".run-bar").get_by_role("button", name="更多")).to_be_visible()


def test_a_check_answers_in_chinese(page: Page, server: str) -> None:
    page.goto(f"{server}{PAGE}")
    figure = page.locator("figure.exercise[data-kind=repair]").first
    assert re.search("[\u4e00-\u9fff]", figure.locator(".exercise-question").inner_text())
    figure.get_by_role("button", name="检查").click()
    expect(figure.locator(".exercise-said")).to_contain_text("✗ 还不对。", timeout=90_000)
    figure.get_by_role("button", name="提示 1/3").click()
    expect(figure.locator(".exercise-hints-shown")).to_contain_text(re.compile("[\u4e00-\u9fff]"))


def test_the_search_finds_chinese_pages(page: Page, server: str) -> None:
    page.goto(f"{server}{PAGE}")
    page.keyboard.press("/")
    page.get_by_role("textbox", name="搜索").fill("版本计数器")
    results = page.locator(".search__results a")
    expect(results.first).to_have_attribute("href", re.compile("zh/in-place/versions"))
    expect(page.locator(".search__status")).to_contain_text("节，分布在")


def test_the_search_puts_the_chinese_page_of_a_term_first_and_explains_the_term(page: Page, server: str) -> None:
    """Search for a term that is also a heading of a note. Its words are marked, and the results are grouped under Chinese names."""
    page.goto(f"{server}zh/why-autograd/leaves.html")
    page.keyboard.press("/")
    page.get_by_role("textbox", name="搜索").fill("叶子张量是什么")
    expect(page.locator(".search__results a").first).to_have_attribute("href", re.compile("zh/why-autograd/leaves"))
    expect(page.locator(".search__meaning")).to_contain_text("叶子张量：不由记录过的运算算出的张量")
    expect(page.locator(".search__meaning a")).to_have_attribute("href", f"{server}zh/glossary.html")
    expect(page.locator(".search__results mark").filter(has_text="叶子张量")).not_to_have_count(0)
    groups = page.locator(".search__where span:first-child").all_inner_texts()
    assert groups and [name for name in groups if not re.search("[\u4e00-\u9fff]", name)] == []


def test_the_home_page_has_a_title_among_the_results(page: Page, server: str) -> None:
    page.goto(f"{server}zh/index.html")
    page.keyboard.press("/")
    page.get_by_role("textbox", name="搜索").fill("手写数字识别")
    expect(page.locator(".search__results a[href$='zh/index.html'] b")).to_have_text("首页")
    titles = page.locator(".search__results b").all_inner_texts()
    assert [title for title in titles if not title.strip()] == []


def test_the_parts_of_a_program_have_chinese_names(site: Path) -> None:
    pages = [path.read_text(encoding="utf-8") for path in (site / "zh").rglob("*.html")]
    names = [name for html in pages for name in re.findall(r'class="snippet-title">同一个程序：([^<]*)<', html)]
    assert "训练" in names and [name for name in names if not re.search("[\u4e00-\u9fff]", name)] == []


def test_a_long_title_stays_on_the_line_of_the_header(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 700})
    page.goto(f"{server}zh/inside-the-engine/a-number-that-remembers.html")
    heights = page.locator(".md-header__topic").evaluate_all(
        "all => all.map((topic) => topic.getBoundingClientRect().height)"
    )
    assert max(heights) <= page.locator(".md-header").evaluate("header => header.getBoundingClientRect().height")


def test_links_to_english_pages_are_marked(page: Page, server: str) -> None:
    page.goto(f"{server}zh/index.html")
    english = page.locator(
        "main a[hreflang=en], article a[hreflang=en], .md-sidebar a[hreflang=en], .md-footer a[hreflang=en]"
    )
    assert english.count() > 20
    marks = english.evaluate_all("links => links.map((link) => getComputedStyle(link, '::after').content)")
    assert [mark for mark in marks if "英文" not in mark] == []
    silent = page.locator("a:not([hreflang])").evaluate_all(
        """links => links.filter((link) => link.origin === location.origin && link.pathname.endsWith(".html")
            && !link.pathname.includes("/zh/")).map((link) => link.href)"""
    )
    assert silent == []


def test_the_home_page_lists_the_path_in_chinese(page: Page, server: str) -> None:
    page.goto(f"{server}zh/index.html")
    links = page.locator(".path-list li > a")
    assert links.count() >= 18
    titles = links.all_inner_texts()
    assert [title for title in titles if not re.search("[\u4e00-\u9fff]", title)] == []
    for wide in (1280, 360):
        page.set_viewport_size({"width": wide, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_progress_sheet_leads_to_the_pages_of_its_edition(page: Page, server: str) -> None:
    page.goto(f"{server}{PAGE}")
    figure = page.locator("figure.predict").first
    figure.locator("label", has_text="报错").click()
    figure.get_by_role("button", name="回答").click()
    page.get_by_role("button", name="你的进度").click()
    link = page.locator(".practice-sheet li a")
    expect(link).to_have_attribute("href", f"{server}{PAGE}")
    expect(link).to_have_text("原地改写与保存的张量")
    page.goto(f"{server}in-place/versions.html")
    page.get_by_role("button", name="Your progress").click()
    expect(link).to_have_attribute("href", f"{server}in-place/versions.html")


def test_an_edited_program_is_explained_in_chinese(page: Page, server: str) -> None:
    """Run a program and check its steps. Then add an import that fails, and check the advice about the error."""
    page.goto(f"{server}zh/why-autograd/first-gradients.html")
    figure = page.locator("figure.snippet[data-file='why-autograd/first-gradients/product.py']")
    figure.evaluate("element => { const fold = element.closest('details'); if (fold) fold.open = true; }")
    figure.locator("[data-run]").click()
    expect(figure.locator(".run-status")).to_contain_text("与网页上相同", timeout=90_000)
    steps = figure.locator(".run-result figure.steps").first
    expect(steps.locator("svg title")).to_contain_text("反向传播的图：")
    expect(steps.locator(".steps-side")).to_contain_text("计数")
    figure.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("\nimport pandas")
    page.keyboard.press("Control+Enter")
    expect(figure.locator(".run-error")).to_contain_text("在这里不能用", timeout=30_000)


def test_the_glossary_is_filtered_by_chinese_and_by_english_terms(page: Page, server: str) -> None:
    """The entry whose name is typed comes first."""
    page.goto(f"{server}zh/glossary.html")
    entries = page.locator(".glossary > div:visible")
    for typed in ("梯度", "gradient"):
        page.get_by_role("searchbox").fill(typed)
        expect(entries.first.locator("dt")).to_have_text(["梯度", "gradient"])
    expect(page.locator(".filter-count")).to_have_text(re.compile(r"^\d+/\d+$"))


def test_an_explanation_on_an_english_page_is_marked(page: Page, server: str) -> None:
    page.goto(f"{server}zh/playground.html")
    page.locator("[data-run]").click()
    expect(page.locator(".run-status")).to_contain_text("与网页上相同", timeout=90_000)
    page.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text("import torch\ntorch.ones(2, 3) @ torch.ones(2, 3)")
    page.keyboard.press("Control+Enter")
    link = page.locator(".run-error a")
    expect(link).to_have_attribute("hreflang", "en", timeout=30_000)
    expect(page.locator(".run-error")).to_contain_text(re.compile("[\u4e00-\u9fff]"))

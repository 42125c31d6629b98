"""Test links between the page of a note and the pages that teach its ideas, filters of tables, redirects and corrections."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, Page, expect

from gradnotes.notes import erratum
from gradnotes.notes.passage import Passage
from gradnotes.site import redirects
from tests.files import write_files


def test_passages_overlap_only_within_a_note() -> None:
    first, second = Passage.read("1:5-9", ""), Passage.read("2:9-12", "")
    assert first.overlaps(Passage.read("1:9", "")) and first.overlaps(Passage.read("1:1-5", ""))
    assert not first.overlaps(second) and not first.overlaps(Passage.read("1:10", ""))


def test_the_english_of_the_notes_is_american(root: Path) -> None:
    """Check the words that the notes have had in British spelling. The site has PyTorch's, as in `normalize`."""
    british = re.compile(
        r"\b\w*(?:ptim|inim|itial|ormal|isual|uant|erial|eneral)is(?:e|es|ed|ing|ation)\b|\bcolour|\bcentre|\bbehaviour|\bneighbour",
        re.IGNORECASE,
    )
    entries = yaml.load((root / "docs/inventory.yml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    texts = [entry["en"] for entry in entries]
    texts += [passage["en"] for entry in entries for passage in entry.get("passages", {}).values() if "en" in passage]
    texts += [page.read_text(encoding="utf-8") for page in (root / "docs/notes").glob("*.md")]
    assert [word for text in texts for word in british.findall(text)] == []


def test_a_link_to_content_of_a_fold_opens_the_fold(page: Page, server: str) -> None:
    page.goto(server + "notes/autograd.html")
    page.locator(".idea-correction a").first.click()
    expect(page.locator("details.corrections")).to_have_attribute("open", "")
    expect(page.locator(":target")).to_be_in_viewport()
    assert "#erratum-" in page.url


def test_all_chinese_on_the_page_of_a_note_has_a_language(page: Page, server: str) -> None:
    """Check the attribute `lang`, which decides fonts and voices, in the text, the contents and the search."""
    unmarked = """root => {
        const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const unmarkedTexts = [];
        while (texts.nextNode()) {
            const { data, parentElement } = texts.currentNode;
            const isVisible = !parentElement.closest("script, style");
            if (isVisible && /\\p{Script=Han}/u.test(data) && !parentElement.closest("[lang|=zh]")) unmarkedTexts.push(data.trim());
        }
        return unmarkedTexts;
    }"""
    page.goto(server + "notes/autograd.html")
    expect(page.locator(".md-sidebar--secondary [lang|=zh]").first).to_have_text("目录")
    assert page.locator("body").evaluate(unmarked) == []
    page.keyboard.press("/")
    page.locator("dialog.search textarea").fill("叶子张量")
    marks = page.locator("dialog.search li [lang|=zh] mark")
    expect(marks.filter(has_text="叶子张量").first).to_have_text("叶子张量")  # only the term is marked, not the clause
    assert page.locator("dialog.search").evaluate(unmarked) == []


@pytest.mark.parametrize("by", ["server", "folder"])
def test_a_bar_leads_along_the_ideas_of_a_note(page: Page, page_monitor: Any, server: str, site: Path, by: str) -> None:
    """Follow an idea to its section, to the section of the next idea, and back to the note, from a server or from a folder."""
    root = page_monitor.origin = server if by == "server" else f"{site.as_uri()}/"
    page.goto(root + "notes/autograd.html", wait_until="networkidle")
    idea = page.locator(".ideas > li:has(.idea-links a[href*='in-place/'][href*='#'])").first
    name = idea.get_attribute("id")
    idea.locator(".idea-links a[href*='#']").first.press("Enter")
    bar = page.get_by_role("navigation", name="Note 2")
    expect(bar.locator("strong")).to_be_visible()
    assert re.search(r"\?note=autograd&idea=[\w.-]+#", page.url) and page.url.startswith(root)
    target = page.locator(":target")
    expect(target).to_be_in_viewport()
    assert target.bounding_box()["y"] >= bar.bounding_box()["y"] + bar.bounding_box()["height"] - 1  # type: ignore[index]
    expect(page.locator("details.corrections[open]")).to_have_count(1)
    following = bar.get_by_role("link").first
    href = following.get_attribute("href") or ""
    following.press("Enter")
    page.wait_for_url(href)
    expect(bar).to_contain_text("Next in the note:")
    page.go_back()
    bar.get_by_role("link", name="Back to the note's contents").press("Enter")
    page.wait_for_url(f"**/notes/autograd.html#{name}")
    expect(page.locator(":target")).to_be_in_viewport()


def test_on_a_phone_the_ideas_of_a_heading_are_folded(page: Page, server: str) -> None:
    """Check that the ideas below a heading are in a fold, and that links to a heading or an idea open it.

    Without folds, the longest page would fill sixty screens.
    """
    page.goto(server + "notes/core-modules.html")
    idea = page.locator(".ideas > li").last
    expect(idea).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(idea).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollHeight") < 15_000
    page.goto(server + "notes/core-modules.html#torchzeros")
    fold = page.locator(":target + .idea-fold")
    expect(fold.locator("li").first).to_be_visible()
    fold.locator("summary").click()
    expect(fold.locator("li").first).to_be_hidden()
    page.goto(f"{server}notes/core-modules.html#{idea.get_attribute('id')}")
    expect(idea).to_be_visible()


def test_without_a_note_in_the_address_no_script_of_notes_is_loaded(page: Page, server: str) -> None:
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.goto(server + "why-autograd/requires-grad.html?note=", wait_until="networkidle")
    expect(page.locator(".note-bar")).to_have_count(0)
    urls.clear()
    page.goto(server + "why-autograd/requires-grad.html", wait_until="networkidle")
    expect(page.locator("details.corrections:not([open])")).to_have_count(1)
    assert not [url for url in urls if "note" in url.rsplit("/", 1)[-1]]


def test_rows_are_filtered_by_words_and_tier(page: Page, server: str) -> None:
    page.goto(server + "what-has-changed.html")
    rows = page.locator("[data-filter] tbody tr:visible")
    expect(rows).to_have_count(0)  # all rows are in closed folds
    page.get_by_role("searchbox", name="Show those with these words").fill("Hook grad_input")
    expect(rows).not_to_have_count(0)
    assert all("grad_input" in text and "hook" in text.lower() for text in rows.all_inner_texts())
    expect(page.locator(".filter-count")).to_have_text(re.compile(rf"^{rows.count()} of \d+$"))
    page.get_by_role("searchbox").fill("")
    page.get_by_role("combobox", name="What happens").select_option("A wrong result, and no error")
    expect(rows).not_to_have_count(0)
    assert all("A wrong result, and no error" in text for text in rows.all_inner_texts())
    page.get_by_role("combobox").select_option("")
    expect(rows).to_have_count(0)


def test_a_former_address_of_a_page_redirects_to_it(page: Page, server: str) -> None:
    page.goto(server + "map.html")
    page.wait_for_url("**/notes/index.html", wait_until="networkidle")
    expect(page.get_by_role("heading", level=1)).to_contain_text("The five notes")


def test_a_redirect_keeps_query_and_section(page: Page, server: str) -> None:
    page.goto(server + "map.html?note=3#autograd")
    page.wait_for_url("**/notes/index.html?note=3#autograd", wait_until="networkidle")


def test_a_former_address_redirects_without_javascript(chromium: Browser, server: str) -> None:
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(server + "map.html#autograd")
        page.wait_for_url("**/notes/index.html*")
        expect(page.get_by_role("heading", level=1)).to_contain_text("The five notes")


def test_a_redirect_does_not_replace_a_page(tmp_path: Path) -> None:
    docs, site = tmp_path / "docs", tmp_path / "site"
    docs.mkdir()
    site.mkdir()
    (docs / "new.md").write_text("---\ntitle: New & better\nwas: [part/old, other]\n---\n")
    redirects_to = '<a href="../new.html">New &amp; better</a>'
    (site / "other.html").write_text("<h1>Other</h1>")
    (problem,) = redirects.problems(docs, ["new.md", "other.md"])
    assert str(problem) == "new.md:3: `was: other` is the address of other.md\n    remove this name from `was`"
    redirects.write(docs, site)
    assert redirects_to in (site / "part/old.html").read_text()
    assert (site / "other.html").read_text() == "<h1>Other</h1>"
    (site / "other.html").unlink()
    redirects.write(docs, site)
    redirects.write(docs, site)  # a second call must change nothing
    assert 'url=new.html"' in (site / "other.html").read_text()


def test_a_former_address_of_a_chinese_page_redirects_to_the_chinese_page(tmp_path: Path) -> None:
    files = {
        "docs/new.md": "---\ntitle: New\nwas: [part/old]\nmoved:\n  part/old#a: b\n---\n",
        "docs/other.md": "---\ntitle: Other\nwas: [another]\n---\n",
        "i18n/zh/new.md": "---\ntitle: 新页\n---\n",
    }
    write_files(tmp_path, files)
    stubs = redirects.write(tmp_path / "docs", tmp_path / "site")
    names = {path.relative_to(tmp_path / "site").as_posix() for path in stubs}
    assert names == {"part/old.html", "zh/part/old.html", "another.html"}
    html = (tmp_path / "site/zh/part/old.html").read_text(encoding="utf-8")
    assert '<a href="../new.html">新页</a>' in html and '<html lang="zh-Hans">' in html and '{"a": "b"}' in html


def test_a_section_of_a_merged_page_redirects_to_its_new_section(tmp_path: Path, chromium: Browser) -> None:
    docs, site = tmp_path / "docs", tmp_path / "site"
    docs.mkdir()
    site.mkdir()
    moves = "moved:\n  part/old: second\n  part/old#in-short: summary\n  gone#x: first\n"
    (docs / "new.md").write_text(f"---\ntitle: New\nwas: [part/old]\n{moves}---\n")
    (problem,) = redirects.problems(docs, ["new.md"])
    assert str(problem) == "new.md:4: `moved` names gone, which `was` does not list\n    add gone to `was`"
    redirects.write(docs, site)
    (site / "new.html").write_text('<h2 id="first">One</h2><h2 id="second">Two</h2><h2 id="kept">Three</h2>')
    (lost,) = redirects.lost_sections(docs, site)
    assert str(lost).startswith("new.md:4: `part/old#in-short: summary` leads to no section of new.md")
    with chromium.new_context() as context:
        page = context.new_page()
        for old, new in ("", "#second"), ("#in-short", "#summary"), ("#kept", "#kept"):
            page.goto((site / "part/old.html").as_uri() + old)
            page.wait_for_url(f"**/new.html{new}")
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto((site / "part/old.html").as_uri())
        page.wait_for_url("**/new.html#second")


def test_moved_sections_exist_in_the_built_site(site: Path) -> None:
    docs = Path(__file__).resolve().parents[2] / "docs"
    assert redirects.lost_sections(docs, site) == []


def test_a_retired_correction_has_a_reason() -> None:
    """Also check that no correction is both current and retired. If a reason begins with "merged into X", X must be current."""
    docs = Path(__file__).resolve().parents[2] / "docs"
    retired = yaml.safe_load((docs / "notes/retired.yml").read_text(encoding="utf-8"))
    reason_by_id = {entry["id"]: entry["why"] for entry in retired}
    errata_by_id = erratum.load(docs / "errata")
    assert (
        len(reason_by_id) == len(retired)
        and all(reason_by_id.values())
        and not reason_by_id.keys() & errata_by_id.keys()
    )
    for text in reason_by_id.values():
        if match := re.match(r"merged (?:in spirit )?into (\S+?)(?: and (\S+?))?(?:[,;]|$)", text):
            assert {name for name in match.groups() if name} <= errata_by_id.keys(), text

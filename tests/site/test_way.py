"""The way through the site: the path beside its pages and in the footer, and the home page on a phone."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from gradnotes.reading_order import path

DONE = {
    "version": 1,
    "done": {"x": {"state": "right"}},
    "pages": {"why-autograd/leaves.html": {"title": "Leaves", "items": ["x"]}},
}


def test_beside_a_page_of_the_path_stands_the_path(page: Page, server: str, root: Path) -> None:
    stops = path(root / "docs")
    here = next(index for index, stop in enumerate(stops) if stop.page == "in-place/versions.md")
    before, stop, after = stops[here - 1 : here + 2]
    last = stops[-1].number
    page.add_init_script(f"localStorage.setItem('practice', {json.dumps(json.dumps(DONE))})")
    page.goto(server + "in-place/versions.html")
    sidebar = page.locator(".md-sidebar--primary")
    links = sidebar.locator("ol a")
    assert [link.partition(",")[0] for link in links.locator(".nav-title").all_text_contents()] == [
        s.title.partition(",")[0] for s in stops
    ]
    expect(sidebar.locator("ol [aria-current]")).to_have_text(f"{stop.number} {stop.title}")
    expect(sidebar.locator(".nav-where")).to_have_text(f"The path page {stop.number} of {last}")
    expect(links.filter(has_text="Leaves and retained gradients")).to_contain_text("all done")
    glossary = sidebar.get_by_role("link", name="Glossary")
    expect(glossary).to_be_hidden()
    sidebar.locator("summary", has_text="Reference").click()
    expect(glossary).to_be_visible()
    expect(sidebar.get_by_role("link", name="Proof")).to_have_count(0)

    turn = page.get_by_role("navigation", name="Previous and next page")
    expect(turn.get_by_role("link")).to_have_text(
        [
            f"Previous: page {before.number} {before.title}",
            f"Page {stop.number} of {last}",
            f"Next: page {after.number} {after.title}",
        ]
    )
    checks = page.get_by_role("navigation", name="How we check").get_by_role("link")
    expect(checks).to_have_text(["Proof", "Use the harness for your own docs"])


def test_home_on_a_phone_begins_with_the_start(page: Page, server: str) -> None:
    page.goto(server + "index.html")
    widths = page.locator(".hero p, .example > p, .parts-lead").evaluate_all("(all) => all.map((e) => e.clientWidth)")
    assert widths and max(widths) <= 750
    numbers = page.locator("ul.parts li").first.evaluate("(e) => getComputedStyle(e, '::before').content")
    assert numbers == "none"
    page.set_viewport_size({"width": 390, "height": 844})
    start = page.get_by_role("link", name="Start at page 1")
    expect(start).to_be_in_viewport(ratio=1)
    texts = page.locator(".hero__text > p:not(.hero__ways)")
    button, third = start.bounding_box(), texts.nth(2).bounding_box()
    figure = page.locator(".hero figure.drawn").bounding_box()
    assert button and third and figure
    assert button["y"] + button["height"] < figure["y"] < 844 and figure["y"] + figure["height"] < third["y"]
    page.get_by_role("button", name="Pages").click()
    expect(page.locator(".md-sidebar--primary ol a").first).to_be_in_viewport()
    expect(page.locator(".md-sidebar--primary summary", has_text="Reference")).to_be_visible()

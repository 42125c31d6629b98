"""Test the layout of pages: sidebar and footer, the home page on a phone, tables, code, captions, and the list of keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from gradnotes.reading_order import path

# The progress of a reader, as the site stores it in the browser
DONE = {
    "version": 1,
    "done": {"x": {"state": "right"}},
    "pages": {"why-autograd/leaves.html": {"title": "Leaves", "items": ["x"]}},
}


def colors(page: Page, selector: str) -> set[str]:
    """Return the colors of the text, background and left border of all elements that `selector` matches, and of their pseudo-elements.

    Elements that are not displayed are left out.
    """
    script = """(element) => ["", "::before", "::after"].flatMap((part) => {
        const style = getComputedStyle(element, part);
        if (style.display === "none" || part && style.content === "none") return [];
        return [style.borderLeftColor, style.backgroundColor, style.color];
    })"""
    return {color for element in page.locator(selector).all() for color in element.evaluate(script)}


def test_a_page_of_the_path_shows_the_path_in_its_sidebar(page: Page, server: str, root: Path) -> None:
    stops = path(root / "docs")
    position = next(index for index, stop in enumerate(stops) if stop.page == "in-place/versions.md")
    before, stop, after = stops[position - 1 : position + 2]
    last = stops[-1].number
    page.add_init_script(f"localStorage.setItem('practice', {json.dumps(json.dumps(DONE))})")
    page.goto(server + "in-place/versions.html")
    sidebar = page.locator(".md-sidebar--primary")
    links = sidebar.locator("ol a")
    assert [link.partition(",")[0] for link in links.locator(".nav-title").all_text_contents()] == [
        stop.title.partition(",")[0] for stop in stops
    ]
    expect(sidebar.locator("ol [aria-current]")).to_have_text(f"{stop.number} {stop.title}")
    expect(sidebar.locator(".nav-where")).to_have_text(f"The path page {stop.number} of {last}")
    expect(links.filter(has_text="Leaves and retained gradients")).to_contain_text("all done")
    glossary = sidebar.get_by_role("link", name="Glossary")
    expect(glossary).to_be_hidden()
    sidebar.locator("summary", has_text="Reference").click()
    expect(glossary).to_be_visible()
    expect(sidebar.get_by_role("link", name="Proof")).to_have_count(0)

    footer = page.get_by_role("navigation", name="Previous and next page")
    expect(footer.get_by_role("link")).to_have_text(
        [
            f"Previous: page {before.number} {before.title}",
            f"Page {stop.number} of {last}",
            f"Next: page {after.number} {after.title}",
        ]
    )
    checks = page.get_by_role("navigation", name="How we check").get_by_role("link")
    expect(checks).to_have_text(["Proof", "Use the harness for your own docs"])
    expect(page.get_by_role("navigation", name="On this page")).to_be_visible()
    default_colors = {
        f"rgb{values}" for values in ("(68, 138, 255)", "(255, 145, 0)", "a(68, 138, 255, 0.1)", "a(255, 145, 0, 0.1)")
    }
    boxes = colors(page, "article .admonition, article .admonition-title, article details, article summary")
    assert not boxes & default_colors, boxes & default_colors


def test_the_home_page_on_a_phone_begins_with_the_start_button(page: Page, server: str) -> None:
    page.goto(server + "index.html")
    widths = page.locator(".hero p, .example > p, .parts-lead").evaluate_all(
        "(elements) => elements.map((element) => element.clientWidth)"
    )
    assert widths and max(widths) <= 750
    numbers = page.locator("ul.parts li").first.evaluate("(item) => getComputedStyle(item, '::before').content")
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


def test_columns_of_numbers_are_right_aligned_and_code_has_14_px(page: Page, server: str) -> None:
    page.goto(server + "proof.html")
    expect(page.locator("h1 + .verdict")).to_contain_text("runs of examples passed")
    style = "(cell) => [getComputedStyle(cell).textAlign, getComputedStyle(cell).whiteSpace]"
    table = page.locator("article table").first
    assert table.locator("td[data-head=Passed]").first.evaluate(style)[0] == "right"
    assert page.locator("article td[data-head=Date]").first.evaluate(style)[1] == "nowrap"
    expect(page.locator(".md-sidebar--primary [aria-current]")).to_have_text("Proof")

    page.goto(server + "engine/reference_impl/core/node.html")
    code = page.locator(".module-code pre:visible").first
    assert code.locator("code").evaluate("(code) => getComputedStyle(code).fontSize") == "14px"
    assert "gradient" in code.evaluate("(code) => getComputedStyle(code).maskImage")
    imports = page.locator(".module-imports")
    expect(imports.locator("pre")).to_be_hidden()
    imports.locator("summary").click()
    expect(imports.locator("pre")).to_contain_text("import")


def test_a_short_list_of_pages_does_not_scroll_and_its_long_names_can_break(page: Page, server: str) -> None:
    page.goto(server + "proof.html")
    frame = page.locator(".md-sidebar--primary .md-sidebar__scrollwrap")
    assert frame.evaluate("(frame) => [frame.scrollTop, frame.scrollHeight - frame.clientHeight]") == [0, 0]
    page.goto(server + "engine/reference_impl/core/backward.html")
    title = page.locator(".nav-title", has_text="core.operations.arithmetic")
    assert title.inner_html() == "core.<wbr>operations.<wbr>arithmetic"


def test_on_a_phone_titles_and_labels_of_programs_do_not_overlap(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(server + "using-autograd/grad.html")
    caption = page.locator("figcaption", has_text="For an input that the result doesn't depend on")
    title, tools = caption.locator(".snippet-title").bounding_box(), caption.locator(".snippet-tools").bounding_box()
    assert title and tools and title["y"] + title["height"] <= tools["y"]
    figure = page.locator("figure.predict").first
    cover = figure.locator(".x-covered")
    # The label follows the question mark instead of covering it.
    assert cover.evaluate("(cover) => getComputedStyle(cover, '::after').position") == "static"


@pytest.mark.parametrize("name", ["find-a-wrong-gradient", "train-lenet", "watch-a-graph"])
def test_text_of_plots_in_labs_is_readable_on_a_phone_and_fits(page: Page, server: str, name: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{server}/labs/{name}.html")
    sizes, outside, overlaps = page.evaluate(
        """() => {
          const sizes = [], outside = [], overlaps = [];
          for (const picture of document.querySelectorAll(".lab-picture")) {
            const frame = picture.getBoundingClientRect();
            const texts = [...picture.querySelectorAll("svg text")].map((text) => [text, text.getBoundingClientRect()]);
            for (const [text, box] of texts) {
              const matrix = text.getScreenCTM();
              sizes.push(parseFloat(getComputedStyle(text).fontSize) * Math.hypot(matrix.a, matrix.b));
              const legend = text.closest("[id*=legend]")?.querySelector("path").getBoundingClientRect();
              if (box.left < frame.left || box.right > Math.min(frame.right, legend?.right ?? Infinity)) outside.push(text.textContent);
              for (const [other, its] of texts) {
                if (other === text) break;
                const width = Math.min(box.right, its.right) - Math.max(box.left, its.left);
                // A line of text has about 3 px above and below its letters.
                const height = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
                if (width > 1 && height > 6) overlaps.push([text.textContent, other.textContent]);
              }
            }
          }
          return [sizes, outside, overlaps];
        }"""
    )
    assert len(sizes) >= 3 and min(sizes) >= 10
    assert (outside, overlaps) == ([], [])


def test_a_wide_graph_keeps_its_size_on_a_phone(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(server + "using-autograd/jacobians.html")
    page.locator("summary", has_text="That backward pass").click()
    figure = page.locator("figure.steps-wide")
    assert figure.locator("svg").evaluate("(svg) => svg.clientWidth - svg.getAttribute('width')") == 0
    assert figure.locator("figcaption").evaluate("(caption) => caption.scrollWidth - caption.clientWidth") == 0


def test_formulas_of_questions_have_the_font_of_the_text(page: Page, server: str) -> None:
    page.goto(server + "hooks/tensors.html")
    fonts = page.locator("math").evaluate_all("(all) => all.map((formula) => getComputedStyle(formula).fontFamily)")
    assert len(fonts) > 1 and len(set(fonts)) == 1 and "STIX" in fonts[0]


def test_a_dialog_lists_the_keys(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    page.goto(server + "index.html")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("in a step viewer")
    expect(page.get_by_role("dialog", name="Keys").locator("div", has_text="Esc Tab")).to_contain_text(
        "leave the editor"
    )
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_examples_of_the_path_fit_in_their_boxes(page: Page, server: str, root: Path) -> None:
    """Check that no program on the pages of the path is wider than its box at 1280 px, except for texts that PyTorch prints."""
    widest_lines = """() => [...document.querySelectorAll("figure.snippet pre, .exercise > pre, .exercise-start > pre")]
        .map((program) => {
            const right = program.getBoundingClientRect().right;
            const isTooWide = (span) => span.getBoundingClientRect().right > right;
            const words = program.scrollWidth > program.clientWidth ? [...program.querySelectorAll("span")].filter(isTooWide) : [];
            return words.filter((word) => !word.closest(".x-prints")).map((word) => word.textContent);
        })"""
    words_by_program = []
    for stop in path(root / "docs"):
        page.goto(server + stop.page.replace(".md", ".html"))
        words_by_program += [(stop.page, words) for words in page.evaluate(widest_lines)]
    assert len(words_by_program) > 150
    assert [(address, words) for address, words in words_by_program if words] == []


def test_the_progress_lists_pages_in_the_order_of_the_path(page: Page, server: str, root: Path) -> None:
    addresses = [stop.page.replace(".md", ".html") for stop in path(root / "docs")]
    visited_pages = ["operations.html", addresses[3], addresses[0], addresses[1]]
    pages = {address: {"title": address, "items": ["x"]} for address in visited_pages}
    page.add_init_script(f"localStorage.setItem('practice', {json.dumps(json.dumps({**DONE, 'pages': pages}))})")
    page.goto(server + "why-autograd/leaves.html")
    page.get_by_role("button", name="Your progress").click()
    expect(page.locator("dialog li a")).to_have_text([addresses[0], addresses[1], addresses[3], "operations.html"])


# Store the size of each layout shift, and the texts in `<main>` that it moved.
WATCH_SHIFTS = """
globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    const nodes = sources.map(({ node }) => node?.parentElement).filter((parent) => parent?.closest("main"));
    if (nodes.length) shifts.push([value, nodes.map((node) => node.textContent.trim().slice(0, 60))]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
SHIFT_PAGES = [
    "memory-and-speed/memory-of-a-step.html",
    "glossary.html",
    "operations.html",
    "what-has-changed.html",
    "index.html",
]


@pytest.mark.parametrize("width", [390, 1280])  # px
def test_nothing_moves_while_a_page_loads(context: BrowserContext, server: str, width: int) -> None:
    """Load pages as a reader who has answered a question and comes from the Chinese edition. Scripts add text that only this reader sees."""
    context.add_init_script(WATCH_SHIFTS)
    context.add_init_script(
        f"localStorage.setItem('language', 'zh-Hans'); localStorage.setItem('practice', {json.dumps(json.dumps(DONE))})"
    )
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 844})
    shifts = {}
    for address in SHIFT_PAGES:
        page.goto(server + address, wait_until="networkidle")
        page.evaluate(
            "() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))"
        )  # reports follow a frame
        shifts[address] = [shift for shift in page.evaluate("shifts") if shift[0] > 0.002]
    assert not any(shifts.values()), shifts


@pytest.mark.parametrize(
    ("last_done", "label", "target"),
    [
        ("why-autograd/worked-example", "Continue at page 5", "why-autograd/leaves"),
        ("why-autograd/leaves", "Go to the checkpoint", "why-autograd/checkpoint"),
        ("inside-the-engine/checkpoint", "Start at page 1", "training/first-network"),
    ],
)
def test_the_home_page_continues_after_the_last_page_that_is_done(
    page: Page, server: str, last_done: str, label: str, target: str
) -> None:
    done = DONE | {"pages": {f"{last_done}.html": {"title": "Title", "items": ["x"]}}}
    page.add_init_script(f"localStorage.setItem('practice', {json.dumps(json.dumps(done))})")
    page.goto(server + "index.html")
    link = page.locator("[data-continue]")
    expect(link).to_have_text(label)
    expect(link).to_have_attribute("href", f"{server}{target}.html")

"""Plots of a program in the page: place, colors, accessible names, width on a phone, and size of their code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.site.axe import AXE, NO_AXE, load_axe
from tests.site.running import START, need_runtime, open_playground, press_run, run
from tests.site.test_exercises_in_browser import FAULTS
from tests.site.weights import weigh_page

PROGRAM = """import torch
import matplotlib.pyplot as plt
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter()
w = torch.tensor(5.0, requires_grad=True)
for step in range(20):
    loss = (w - 2) ** 2
    loss.backward()
    writer.add_scalar("loss", loss, step)
    w.data -= 0.1 * w.grad
    w.grad = None
writer.close()
plt.plot([3, 2, 1], label="<b>train</b>")
plt.plot([3, 3, 3], "r--", label="test")
plt.legend()
plt.title("Two lines")
plt.show()
fig, axes = plt.subplots(1, 4)
for n, ax in enumerate(axes):
    ax.imshow(torch.eye(5) * n)
    ax.set_title(f"kernel {n}")
plt.show()
plt.scatter([1, 2], [3, 4], c=[0, 1])
plt.contour([1])
plt.show()
"""


@pytest.fixture(scope="module")
def page(chromium: Browser, site: Path) -> Iterator[Page]:
    need_runtime(site)
    context = chromium.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def panel(page: Page, server: str) -> Locator:
    """Return the panel of the playground after `PROGRAM` has run in it."""
    panel = open_playground(page, server)
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    assert run(panel, PROGRAM) == "Your program ran."
    page.add_style_tag(content=".cm-scroller { max-height: none !important; }")  # so that the editor renders all lines
    assert faults == []
    return panel


def test_each_plot_is_below_its_line_and_described(panel: Locator) -> None:
    lines = panel.locator(".cm-content > *").evaluate_all(
        "(elements) => elements.map((element, i) => element.querySelector('svg')"
        " ? elements.slice(0, i).filter((previous) => previous.matches('.cm-line')).length : 0).filter(Boolean)"
    )
    assert lines == [13, 18, 23, 26]
    expect(panel.get_by_role("img", name="loss Horizontal: step. Line: 20 points")).to_be_visible()
    description = "Two lines <b>train</b>: 3 points, from 3 to 1; lowest 1 at 2, highest 3 at 0."
    expect(panel.get_by_role("img", name=description)).to_be_visible()
    assert panel.locator(".run-output b").count() == 0
    expect(panel.locator(".x-note")).to_have_text("Plots of this kind are not drawn here: contour.")


def test_images_have_a_pixel_for_each_element(panel: Locator) -> None:
    images = panel.locator(".run-output image")
    assert images.count() == 4
    for image in images.all():
        size = image.evaluate(
            "async (element) => { const image = new Image(); image.src = element.getAttribute('href');"
            " await image.decode(); return [image.width, image.height]; }"
        )
        assert size == [5, 5]


def test_lines_have_contrast_in_both_color_schemes(page: Page, panel: Locator) -> None:
    colors = []
    for scheme in ("default", "slate"):
        page.evaluate("(name) => document.body.setAttribute('data-md-color-scheme', name)", scheme)
        paths = panel.get_by_role("img", name="Two lines").locator(".f-plot")
        shades = [path.evaluate(CONTRAST) for path in paths.all()]
        assert len(shades) == 4 and min(contrast for _, contrast in shades) > 3, (scheme, shades)
        colors.append([color for color, _ in shades])
    page.evaluate("document.body.setAttribute('data-md-color-scheme', 'default')")
    assert all(light != dark for light, dark in zip(*colors, strict=True))


CONTRAST = """(path) => {
  const luminance = (color) => {
    const context = document.createElement("canvas").getContext("2d");
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((n) => n / 255)
      .map((n) => n <= 0.04 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const stroke = getComputedStyle(path).stroke;
  const background = getComputedStyle(path.closest(".cm-editor")).backgroundColor;
  const [darker, lighter] = [luminance(stroke), luminance(background)].sort((a, b) => a - b);
  return [stroke, (lighter + 0.05) / (darker + 0.05)];
}"""


def test_plots_fit_a_phone_and_axe_finds_nothing_in_them(page: Page, panel: Locator) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    frame = panel.locator(".cm-scroller").bounding_box()
    for svg in panel.locator(".run-output svg").all():
        box = svg.bounding_box()
        assert frame and box and box["x"] >= frame["x"] and box["x"] + box["width"] <= frame["x"] + frame["width"]
    sizes = panel.locator(".run-output svg text").evaluate_all(
        "(texts) => texts.map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"
    )
    assert min(sizes) >= 10, sorted(sizes)[:5]  # px
    if not AXE.exists():
        pytest.skip(NO_AXE)
    load_axe(page)
    for scheme in ("default", "slate"):
        page.evaluate("(name) => document.body.setAttribute('data-md-color-scheme', name)", scheme)
        assert page.evaluate(FAULTS, [".run-output"]) == []
    page.evaluate("document.body.setAttribute('data-md-color-scheme', 'default')")
    page.set_viewport_size({"width": 1280, "height": 900})


def test_a_stopped_program_keeps_its_plots(panel: Locator) -> None:
    press_run(panel, "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nwhile True:\n    pass\n")
    expect(panel.locator(".run-output svg")).to_have_count(1, timeout=START)
    panel.get_by_role("button", name="Stop").click()
    expect(panel.locator(".run-status")).to_contain_text("Stopped")
    expect(panel.locator(".run-output svg")).to_have_count(1)


def test_the_playground_loads_at_most_100_kb_before_run(context: BrowserContext, server: str, site: Path) -> None:
    """Check the total compressed size of the files that are loaded. Python and the styles of plots must not be among them."""
    page = context.new_page()
    weights = weigh_page(page, server, site, "playground.html")
    assert not any(name.startswith("runtime/") or name in ("assets/run.css", "assets/harmless.js") for name in weights)
    assert "playground.html" in weights and sum(weights.values()) < 100_000, weights

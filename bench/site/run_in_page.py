"""How long a reader waits for *Run* in the page: `make build`, then `python bench/site/run_in_page.py [ROUNDS]` on a quiet machine.

Each round is a browser without anything in its cache. It opens the home page and clicks *Run* (first: Python is fetched from this
machine, compiled and started), opens another page by its link, waits until nothing moves, and clicks there (later page), changes a line
and clicks once more (edited). Seconds from the click until the output is there; per column all rounds, then their median.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.site.lighthouse import FLAGS, serving  # noqa: E402

HOME, LATER = "index.html", "why-autograd/leaves.html"
LIMIT = 120_000  # ms


def until_ended(page: Page, button: str) -> float:
    """Click a *Run* button; the seconds until the run has ended."""
    began = time.perf_counter()
    page.locator(button).first.click()
    panel = page.locator(".run-panel").first
    expect(panel.get_by_role("button", name="Stop")).to_be_disabled(timeout=LIMIT)
    return time.perf_counter() - began


def one_round(browser: Browser, address: str) -> tuple[float, float, float]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(address + HOME, wait_until="networkidle")
    first = until_ended(page, "button[data-run]:visible")
    page.goto(address + LATER, wait_until="networkidle")
    page.wait_for_timeout(4000)  # as a reader who reads before the click
    later = until_ended(page, "button[data-run]:visible")
    page.wait_for_timeout(1500)
    page.locator(".cm-content").first.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("\nprint(1 + 1)")
    edited = until_ended(page, ".run-panel button:text-is('Run')")
    expect(page.locator(".run-panel").first).to_contain_text("Your program ran.")
    context.close()
    return first, later, edited


def main(rounds: int = 5) -> None:
    with sync_playwright() as playwright, serving(ROOT / "site") as address:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS.split()[1:])
        seconds = [one_round(browser, address) for _ in range(rounds)]
        browser.close()
    for name, column in zip(("first", "later page", "edited"), zip(*seconds, strict=True), strict=True):
        print(f"{name:11}", *(f"{s:.2f}" for s in column), f"  median {statistics.median(column):.2f} s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))

"""Measure how long a reader waits for *Run*: `make build`, then `python -m bench.site.run_in_page [ROUNDS]` on an idle machine.

Each round uses a new browser context with an empty cache:

    first        open the home page and click *Run*: the browser fetches Python from this machine, compiles and starts it
    later page   open another page, wait until it is idle, and click *Run*
    edited       add a line to the program and click *Run* again

Each of the three is a row of the output: the seconds from the click until the run has ended, for each round, and their median.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.site.lighthouse import FLAGS, serve

ROOT = Path(__file__).resolve().parents[2]
HOME, LATER = "index.html", "why-autograd/leaves.html"
LIMIT = 120_000  # ms


def seconds_until_ended(page: Page, button: str) -> float:
    """Click the first *Run* button that matches the selector `button`, and return the seconds until the run has ended."""
    start = time.perf_counter()
    page.locator(button).first.click()
    panel = page.locator(".run-panel").first
    expect(panel.get_by_role("button", name="Stop")).to_be_disabled(timeout=LIMIT)
    return time.perf_counter() - start


def measure_round(browser: Browser, address: str) -> tuple[float, float, float]:
    """Return the seconds of the first run, of the run on a later page, and of the run after an edit, in a new browser context."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(address + HOME, wait_until="networkidle")
    first = seconds_until_ended(page, "button[data-run]:visible")
    page.goto(address + LATER, wait_until="networkidle")
    page.wait_for_timeout(4000)  # a reader reads before clicking
    later = seconds_until_ended(page, "button[data-run]:visible")
    page.wait_for_timeout(1500)
    page.locator(".cm-content").first.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("\nprint(1 + 1)")
    after_edit = seconds_until_ended(page, ".run-panel button:text-is('Run')")
    expect(page.locator(".run-panel").first).to_contain_text("Your program ran.")
    context.close()
    return first, later, after_edit


def main(rounds: int = 5) -> None:
    """Measure all rounds and print the table."""
    with sync_playwright() as playwright, serve(ROOT / "site") as address:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS.split()[1:])
        seconds = [measure_round(browser, address) for _ in range(rounds)]
        browser.close()
    for name, column in zip(("first", "later page", "edited"), zip(*seconds, strict=True), strict=True):
        print(f"{name:11}", *(f"{s:.2f}" for s in column), f"  median {statistics.median(column):.2f} s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))

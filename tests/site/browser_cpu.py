"""Measure the CPU seconds that Run takes of a browser: of all its processes, user and system.

    python -m tests.site.browser_cpu SITE

prints them for the built site in the folder SITE: the first Run of a new browser profile, and Run on the next pages.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, Playwright, expect, sync_playwright

from tests.site.conftest import CHROMIUM, FLAGS
from tests.site.running import START, Host, serve

PAGES = 2  # opened after the first
SETTLES = 0.05  # CPU seconds per second below which the browser is idle
_TICK = os.sysconf("SC_CLK_TCK")


class Cached(Host):
    """Let browsers reuse files for ten minutes, as most hosts do."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()


class BrowserCpu:
    """Add up the CPU seconds of the processes whose command line names a folder.

    Their descendants and processes that have ended are included.
    """

    def __init__(self, profile: str):
        self.profile = profile
        self.seconds_by_process: dict[int, float] = {}

    def total(self) -> float:
        processes = dict(filter(None, map(_process, filter(str.isdigit, os.listdir("/proc")))))
        numbers = {number for number, (_, _, command) in processes.items() if self.profile in command}
        while added := {number for number, (parent, _, _) in processes.items() if parent in numbers} - numbers:
            numbers |= added
        self.seconds_by_process |= {number: processes[number][1] for number in numbers}
        return sum(self.seconds_by_process.values())


def _process(number: str) -> tuple[int, tuple[int, float, str]] | None:
    """Return (id, (parent's id, CPU seconds, command line)) of a process; None if it has ended."""
    folder = Path("/proc", number)
    try:
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
        return int(number), (
            int(fields[1]),
            (int(fields[11]) + int(fields[12])) / _TICK,
            (folder / "cmdline").read_text(),
        )
    except OSError:
        return None


def measure(playwright: Playwright, site: Path) -> list[float]:
    """Return for each page the CPU seconds from the click on Run until the result is shown and the browser is idle."""
    with tempfile.TemporaryDirectory() as profile, serve(Cached, site) as server:
        context = playwright.chromium.launch_persistent_context(profile, executable_path=CHROMIUM, args=FLAGS)
        page, cpu = context.pages[0], BrowserCpu(profile)
        seconds = [_run(page, server, cpu) for _ in range(1 + PAGES)]
        context.close()
    return seconds


def _run(page: Page, server: str, cpu: BrowserCpu) -> float:
    page.goto(server + "index.html", wait_until="networkidle")
    _settle(cpu)
    before = cpu.total()
    page.get_by_role("button", name="Run: How much").click()
    expect(page.locator(".run-status")).to_contain_text("Same as on the page", timeout=START)
    _settle(cpu)
    return cpu.total() - before


def _settle(cpu: BrowserCpu) -> None:
    before = cpu.total()
    while True:
        time.sleep(1)
        total = cpu.total()
        if total - before < SETTLES:
            return
        before = total


def main() -> None:
    with sync_playwright() as playwright:
        first, *later = measure(playwright, Path(sys.argv[1]))
    print(f"first Run: {first:.1f} CPU seconds; on the next pages: {', '.join(f'{seconds:.1f}' for seconds in later)}")


if __name__ == "__main__":
    main()

"""Measure the CPU seconds, user and system, that all processes of a browser take when a reader clicks Run.

    python -m tests.site.browser_cpu SITE

prints them for the built site in the folder SITE: for the first Run of a new browser profile, and for Run on later
pages.
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

PAGES = 2  # number of pages opened after the first
IDLE = 0.05  # CPU seconds per second below which the browser is idle
_TICK = os.sysconf("SC_CLK_TCK")


class Cached(Host):
    """Serve files that browsers may cache for ten minutes, as most hosts allow."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()


class BrowserCpu:
    """Adds up the CPU seconds of all processes whose command line contains a folder, and of their descendants.

    Processes that have ended since they were last seen are included.
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
    """Return (pid, (pid of the parent, CPU seconds, command line)) of a process; None if it has ended."""
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
    """Return for each page the CPU seconds from a click on Run until the result is displayed and the browser is idle."""
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
        if total - before < IDLE:
            return
        before = total


def main() -> None:
    with sync_playwright() as playwright:
        first, *later = measure(playwright, Path(sys.argv[1]))
    print(f"first Run: {first:.1f} CPU seconds; on the next pages: {', '.join(f'{seconds:.1f}' for seconds in later)}")


if __name__ == "__main__":
    main()

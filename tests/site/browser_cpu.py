"""Measure the CPU seconds, user and system, that all processes of a browser take when a reader clicks Run.

    python -m tests.site.browser_cpu SITE

SITE is the folder of a built site. The home page is opened three times in a new browser profile, with a click on Run each time.
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

RELOADS = 2  # number of times that the page is opened again after the first Run
IDLE = 0.05  # an idle browser takes fewer CPU seconds per second
_TICK = os.sysconf("SC_CLK_TCK")


class CachingHost(Host):
    """Serves files, and allows browsers to cache them for ten minutes, as most hosts do."""

    def end_headers(self) -> None:
        """Add the header that allows caching."""
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()


class BrowserCpu:
    """Adds up the CPU seconds of all processes whose command line contains `profile`, and of their descendants.

    Processes that have ended count with the seconds that they had at the last call of `total`.
    """

    def __init__(self, profile: str):
        self.profile = profile
        self.seconds_by_process: dict[int, float] = {}

    def total(self) -> float:
        """Return the CPU seconds of these processes since their start."""
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
    """Open the home page several times and click Run. Return the CPU seconds from each click until the browser is idle again."""
    with tempfile.TemporaryDirectory() as profile, serve(CachingHost, site) as server:
        context = playwright.chromium.launch_persistent_context(profile, executable_path=CHROMIUM, args=FLAGS)
        page, cpu = context.pages[0], BrowserCpu(profile)
        seconds = [_run(page, server, cpu) for _ in range(1 + RELOADS)]
        context.close()
    return seconds


def _run(page: Page, server: str, cpu: BrowserCpu) -> float:
    page.goto(server + "index.html", wait_until="networkidle")
    _settle(cpu)
    before = cpu.total()
    page.get_by_role("button", name="Run: How much").click()
    expect(page.locator(".run-status")).to_contain_text("The output is the same as on the page", timeout=START)
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
    """Print the CPU seconds of the first *Run*, and of each *Run* after the page was opened again."""
    with sync_playwright() as playwright:
        first, *later = measure(playwright, Path(sys.argv[1]))
    print(
        f"first Run: {first:.1f} CPU seconds; after opening the page again: {', '.join(f'{seconds:.1f}' for seconds in later)}"
    )


if __name__ == "__main__":
    main()

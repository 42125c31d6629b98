"""If Python does not start, or a program does not end, a message states what happened and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Playwright, Route, expect

from tests.site.conftest import CHROMIUM, FLAGS
from tests.site.running import START, Host, need_runtime, open_playground, press_run, run, serve

MEMORY = "The program needed more memory than the browser gives to a page, so Python was stopped."


@pytest.fixture(autouse=True)
def runtime(site: Path) -> None:
    need_runtime(site)


@pytest.fixture
def page(context: BrowserContext, python_starts_with_run_only: None) -> Page:
    return context.new_page()


def expect_status(panel: Locator, text: str) -> None:
    """Wait until the status contains `text` and the program can be run again."""
    expect(panel.locator(".run-status")).to_contain_text(text, timeout=START)
    expect(panel.get_by_role("button", name="Run", exact=True)).to_be_enabled()


# -- the network ------------------------------------------------------------------------------------


def test_the_first_run_offline_is_explained_and_the_next_works(page: Page, server: str) -> None:
    """Check the message below the program if neither the editor nor Python can be loaded."""
    page.goto(server + "index.html")
    page.context.set_offline(True)
    button = page.get_by_role("button", name="Run: How much")
    button.click()
    figure = page.locator("figure:has([data-run])").first
    expect(figure.get_by_role("status")).to_contain_text("You are offline")
    page.context.set_offline(False)
    button.click()
    expect(page.locator(".run-status")).to_contain_text("The output is the same as on the page", timeout=START)
    expect(figure.locator("[data-report]")).to_have_count(0)


def test_a_run_of_an_open_editor_offline_is_explained_and_the_next_works(page: Page, server: str) -> None:
    panel = open_playground(page, server)
    page.context.set_offline(True)
    press_run(panel, "print(1)")
    expect_status(panel, "You are offline, and Python is not loaded yet. Connect to the internet, then try again.")
    page.context.set_offline(False)
    assert run(panel, "print(1)") == "Your program ran."


class InterruptedHost(Host):
    """A server that breaks off the first download of Python after 3 MB. `broken` then contains the path of the download."""

    broken: list[str]

    def copyfile(self, source: Any, outputfile: Any) -> None:
        if self.path.endswith("python.tar.gz") and not self.broken:
            self.broken.append(self.path)
            outputfile.write(source.read(3_000_000))
            self.close_connection = True
        else:
            super().copyfile(source, outputfile)


class InterruptedHostWithoutLength(InterruptedHost):
    """Sends no Content-Length, so that the browser cannot notice that the download is incomplete."""

    protocol_version = "HTTP/1.0"

    def send_header(self, keyword: str, value: str) -> None:
        if keyword != "Content-Length":
            super().send_header(keyword, value)


@pytest.mark.parametrize("host", [InterruptedHost, InterruptedHostWithoutLength])
def test_an_interrupted_download_is_explained_and_the_next_run_works(host: type[Host], page: Page, site: Path) -> None:
    with serve(type("Once", (host,), {"broken": []}), site) as server:
        panel = open_playground(page, server)
        press_run(panel, "print(1)")
        expect_status(panel, "The download of Python stopped at ")
        expect(panel.locator(".run-status")).to_contain_text("Check your connection, then try again.")
        assert run(panel, "print(1)") == "Your program ran."


def test_a_failing_host_is_reported_with_its_status(page: Page, server: str) -> None:
    page.route("**/python.tar.gz", lambda route: route.fulfill(status=503, body="later"))
    panel = open_playground(page, server)
    press_run(panel, "print(1)")
    expect_status(panel, "The server did not send Python: it answered with status 503. Try again in a few minutes.")


def answer_from_folder(site: Path, *missing: str) -> Callable[[Route], None]:
    """Return a function that answers requests to gradnotes.example from the site's folder.

    Files whose name contains a text of `missing` are not found.
    """

    def answer(route: Route) -> None:
        name = route.request.url.split("example/")[1].partition("?")[0].partition("#")[0]
        if any(part in name for part in missing) or not (site / name).is_file():
            route.fulfill(status=404, body="")
        else:
            route.fulfill(path=site / name)

    return answer


def test_a_copy_without_python_is_explained(page: Page, site: Path, server: str) -> None:
    """Check that `make runtime` is mentioned only on localhost, where the site was built."""
    reader = "This copy of the site was published without Python, so programs cannot run here."
    page.route("http://gradnotes.example/**", answer_from_folder(site, "sizes.json", "tar.gz"))
    panel = open_playground(page, "http://gradnotes.example/")
    press_run(panel, "print(1)")
    expect_status(panel, reader)
    assert "make runtime" not in (panel.locator(".run-status").text_content() or "")
    page.route("**/sizes.json", lambda route: route.fulfill(status=404, body=""))
    panel = open_playground(page, server)
    press_run(panel, "print(1)")
    expect_status(
        panel, f"{reader} Copy the program to run it in Python on your computer. To add Python, run make runtime"
    )


# -- the browser and the host ----------------------------------------------------------------------


@pytest.fixture
def page_without_webassembly(playwright: Playwright) -> Iterator[Page]:
    """Yield a page of a browser without JIT compiler and WebAssembly, as in Lockdown Mode."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, "--js-flags=--jitless"])
    yield browser.new_page()
    browser.close()


def test_a_browser_without_webassembly_is_explained(page_without_webassembly: Page, server: str) -> None:
    panel = open_playground(page_without_webassembly, server)
    press_run(panel, "print(1)")
    expect_status(panel, "Python needs WebAssembly here, and this browser has it switched off.")


def test_a_browser_that_is_too_old_is_explained(page: Page, server: str) -> None:
    page.add_init_script("delete globalThis.DecompressionStream")
    panel = open_playground(page, server)
    press_run(panel, "print(1)")
    expect_status(panel, "This browser is too old to run Python. Update it, or use another one.")


@pytest.mark.parametrize(
    ("header", "value", "words"),
    [
        ("X-Frame-Options", "DENY", "X-Frame-Options: DENY"),
        ("Content-Security-Policy", "frame-ancestors 'none'", "Content-Security-Policy: frame-ancestors 'none'"),
    ],
)
def test_a_host_that_forbids_frames_is_explained(header: str, value: str, words: str, page: Page, site: Path) -> None:
    class ForbiddingHost(Host):
        def end_headers(self) -> None:
            self.send_header(header, value)
            super().end_headers()

    with serve(ForbiddingHost, site) as server:
        panel = open_playground(page, server)
        press_run(panel, "print(1)")
        expect_status(panel, f"Programs run in a frame of this site, and its server forbids frames ({words}).")


def test_a_host_that_allows_frames_of_the_same_site_suffices(page: Page, site: Path) -> None:
    class SameOriginHost(Host):
        def end_headers(self) -> None:
            self.send_header("X-Frame-Options", "SAMEORIGIN")
            super().end_headers()

    with serve(SameOriginHost, site) as server:
        assert run(open_playground(page, server), "print(1)") == "Your program ran."


def test_a_frame_that_does_not_open_is_explained(page: Page, server: str) -> None:
    page.route("**/frame.html", lambda route: route.abort())
    panel = open_playground(page, server)
    press_run(panel, "print(1)")
    expect_status(panel, "The frame in which programs run could not be opened. Reload the page, then try again.")


# -- memory -----------------------------------------------------------------------------------------

# Allocate all memory, first in large blocks, then in smaller ones, and keep them after the end, so that none is left for the output.
# The program does not write to the blocks, so that they take little memory of the machine.
EXHAUST = """import numpy, sys
print("line\\n" * 10_000)
blocks, size = [], 2**28
sys.blocks = blocks
while size:
    try:
        blocks.append(numpy.empty(size, numpy.uint8))
    except MemoryError:
        size //= 2
"""
RECORD_MEMORY = """() => {
    globalThis.memory = [];
    const { handleMessage } = gradnotes.Sandbox.prototype;
    gradnotes.Sandbox.prototype.handleMessage = function (data) {
        if (data.memory) globalThis.memory.push(data.memory);
        handleMessage.call(this, data);
    };
}"""


def test_a_program_that_takes_all_memory_is_ended_and_the_next_ones_run(page: Page, server: str) -> None:
    """Check also that a tensor that is too large is an error with advice."""
    panel = open_playground(page, server)
    assert MEMORY in run(panel, EXHAUST)
    assert run(panel, "print(1)") == "Your program ran."
    for program in (
        "import torch\ntorch.ones(40_000, 40_000)",
        "import torch\ntorch.ones(200_000, 5_000)",
        "[0] * 10**9",
    ):
        assert run(panel, program) == "Your program ended with an error."
        expect(panel.locator(".run-advice")).to_contain_text("more memory than a page can have, which is 4 GB at most.")


def test_the_memory_of_programs_is_freed(page: Page, server: str, tier: str) -> None:
    """Check that each run frees its engine and its graph, which contain reference cycles and take 4 to 6 MB.

    With `--tier full`, 40 programs run, else 10: if their memory were not freed, it would grow by 28 MB or more.
    """
    programs = 40 if tier == "full" else 10
    program = """import torch
model = torch.nn.Sequential(torch.nn.Linear(50, 50), torch.nn.ReLU(), torch.nn.Linear(50, 1))
loss = model(torch.ones(100, 50)).sum()
loss.backward()
print(loss.shape)
"""
    panel = open_playground(page, server)
    page.evaluate(RECORD_MEMORY)
    for number in range(programs):
        assert run(panel, f"{program}# {number}\n").startswith("Your program ran.")
    page.wait_for_function(
        "(programs) => memory.length >= programs", arg=programs
    )  # memory is reported after the result
    memory = page.evaluate("memory")
    assert memory[-1] <= memory[2] + 16 * 2**20, memory


def test_a_worker_that_has_grown_large_is_replaced(page: Page, server: str) -> None:
    """Check that the worker is replaced after a program that takes much memory, since WebAssembly never returns memory."""
    panel = open_playground(page, server)
    page.evaluate(RECORD_MEMORY)
    assert run(panel, "import numpy\nprint(numpy.empty(800 * 2**20, numpy.uint8).size)") == "Your program ran."
    expect(page.locator("iframe")).to_have_count(0, timeout=START)
    assert run(panel, "print(1)") == "Your program ran."
    page.wait_for_function("() => memory.length === 2")
    large, small = page.evaluate("memory")
    assert small < 200 * 2**20 < large

"""Python starts from a recorded memory, when the reader is about to run something, and reports its progress."""

from __future__ import annotations

import gzip
import json
import re
import tarfile
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, Route, expect

from gradnotes.site import python_archive, runtime
from tests.site.browser_cpu import measure
from tests.site.running import START, Host, await_end, choose, need_runtime, open_playground, press_run, run, serve

EXERCISE = ("in-place/versions.html", "#exercise-in-place-versions-repair-the-layer")


@pytest.fixture(autouse=True)
def built_with_runtime(site: Path) -> None:
    need_runtime(site)


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


# -- the archives ---------------------------------------------------------------------------------


def contents(archive: Path) -> dict[str, bytes]:
    with tarfile.open(archive) as tar:
        return {entry.name: tar.extractfile(entry).read() for entry in tar}  # type: ignore[union-attr]


def test_the_engine_travels_as_bytecode_and_as_memory(site: Path, root: Path) -> None:
    packed = contents(site / "runtime" / "engine.tar.gz")
    assert {name: packed[name] for name in runtime.engine_files(root)} == runtime.engine_files(root)
    for name in runtime.engine_files(root):
        if name.endswith(".py"):
            folder, _, module = name.removesuffix(".py").rpartition("/")
            bytecode = packed[f"{folder}/__pycache__/{module}.cpython-314.pyc"]
            assert bytecode[4:8] == b"\1\0\0\0", (
                name
            )  # belongs to a source by hash, which is not checked: nothing else is read
    assert len(packed["memory.bin"]) > 10_000_000


def test_the_sizes_that_the_page_shows_are_those_of_the_files(site: Path) -> None:
    sizes = json.loads((site / "runtime" / "sizes.json").read_text(encoding="utf-8"))
    for name in runtime.ARCHIVES:
        content = (site / "runtime" / name).read_bytes()
        assert sizes.pop(name) == {"stored": len(content), "unpacked": len(gzip.decompress(content))}
    assert sizes == {}


def total_of(site: Path) -> int:
    return sum((site / "runtime" / name).stat().st_size for name in runtime.ARCHIVES)


def test_python_weighs_less_than_16_megabytes(site: Path) -> None:
    assert total_of(site) < 16_000_000


def test_what_is_packed_is_packed_again_when_its_sources_change(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = root / ".cache" / "runtime"
    wheel = next(folder.glob("numpy-*.whl"))
    engine = runtime.engine_files(root)
    calls: list[str] = []
    monkeypatch.setattr(python_archive, "write_python", lambda *arguments: calls.append("python"))
    monkeypatch.setattr(python_archive, "write_engine", lambda *arguments: calls.append("engine"))
    monkeypatch.setattr(runtime, "_remove_others", lambda *arguments: None)
    runtime.archives(folder, wheel, engine)
    assert calls == []
    runtime.archives(folder, wheel, {**engine, "reference_impl/__init__.py": b"x = 1\n"})
    assert calls == ["engine"]


def test_a_module_that_does_not_compile_is_named(root: Path, tmp_path: Path) -> None:
    folder = root / ".cache" / "runtime"
    stage = next(path for path in folder.glob("python-*") if path.is_dir())
    engine = {**runtime.engine_files(root), "reference_impl/_size.py": b"x = (\n"}
    with pytest.raises(python_archive.NodeFailed, match=r"(?s)reference_impl/_size\.py.*'\(' was never closed"):
        python_archive.write_engine(tmp_path, stage, engine, tmp_path / "engine.tar.gz")
    assert list(tmp_path.iterdir()) == []


def test_a_recorded_memory_holds_no_seed(page: Page, server: str) -> None:
    """Draw numbers without a seed: they differ from page to page."""
    program = "import random, numpy\nprint(random.random(), numpy.random.rand(), numpy.random.default_rng().random())"
    printed = []
    for _ in range(2):
        panel = open_playground(page, server)
        run(panel, program)
        printed.append(panel.locator(".run-output").text_content())
        choose(panel, "Reset")
    numbers = [set(re.findall(r"0\.\d+", text or "")) for text in printed]
    assert len(numbers[0]) == len(numbers[1]) == 3 and not numbers[0] & numbers[1]


def test_what_is_not_in_the_recorded_memory_can_be_imported(page: Page, server: str) -> None:
    program = """import csv, statistics, unittest.mock, numpy.ma, numpy.polynomial, numpy.fft, numpy.testing
import torch.optim, torch.utils.data, torch.nn.utils
print(statistics.mean([1, 2]), numpy.fft.fft([1, 2])[0], numpy.linalg.inv([[2.0]])[0, 0])
"""
    panel = open_playground(page, server)
    run(panel, program)
    expect(panel.locator(".run-output")).to_contain_text("1.5 (3+0j) 0.5")


def without_memory(page: Page) -> None:
    """Refuse the recorded memory, as in WebKit, where functions have other indexes."""

    def answer(route: Route) -> None:
        response = route.fetch()
        text = response.text()
        assert "TRAMPOLINES = 1;" in text
        route.fulfill(response=response, body=text.replace("TRAMPOLINES = 1;", "TRAMPOLINES = -1;"))

    page.route("**/start.mjs", answer)


def test_where_the_memory_cannot_be_restored_python_starts_from_its_sources(page: Page, server: str) -> None:
    without_memory(page)
    panel = open_playground(page, server)
    program = (
        "import torch, csv, statistics, numpy.fft\nx = torch.ones(2, requires_grad=True)\nx.sum().backward()\nx.grad"
    )
    assert run(panel, program) == "Your program ran."
    expect(panel.locator(".x-value")).to_contain_text("tensor([1., 1.])")
    assert run(panel, "print(1)") == "Your program ran."


def test_sources_that_do_not_come_are_told_and_asked_for_again(page: Page, server: str) -> None:
    without_memory(page)
    page.route("**/sources.tar.gz*", lambda route: route.abort())
    panel = open_playground(page, server)
    assert "The download of Python" in run(panel, "print(1)")
    page.unroute("**/sources.tar.gz*")
    assert run(panel, "print(1)") == "Your program ran."


def test_a_usual_browser_does_not_download_the_sources(page: Page, server: str) -> None:
    names: list[str] = []
    page.on("request", lambda request: names.append(request.url.rpartition("/")[2]))
    assert run(open_playground(page, server), "print(1)") == "Your program ran."
    assert "engine.tar.gz" in names and "sources.tar.gz" not in names


# -- when it starts ---------------------------------------------------------------------------------


def starts(page: Page, wait: int = 1000) -> bool:
    """Return whether Python has begun to start."""
    page.wait_for_timeout(wait)
    return page.locator("iframe").count() == 1


def test_python_starts_when_the_pointer_rests_on_run(page: Page, server: str) -> None:
    page.goto(server + "index.html", wait_until="networkidle")
    button = page.get_by_role("button", name="Run: How much")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.move(box["x"] + 5, box["y"] - 100)  # only passes over it
    assert not starts(page)
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    expect(page.locator("iframe")).to_have_count(1)
    button.click()
    expect(page.locator(".run-status")).to_contain_text("Same as on the page", timeout=START)
    assert page.locator("iframe").count() == 1
    page.goto(server + "playground.html", wait_until="networkidle")  # one Run does not start it on every later page
    assert not starts(page)


def test_python_starts_when_an_editor_has_the_focus(page: Page, server: str) -> None:
    open_playground(page, server)
    expect(page.locator("iframe")).to_have_count(1)
    address, exercise = EXERCISE
    page.goto(server + address)
    page.wait_for_function("() => globalThis.gradnotes?.ready")
    plain = page.locator(exercise).locator("textarea")
    plain.focus()  # as Tab does that passes
    assert not starts(page)
    plain.click()
    expect(page.locator("iframe")).to_have_count(1)


@pytest.mark.parametrize(
    "thrift",
    [
        "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })",
        "Object.defineProperty(navigator, 'deviceMemory', { value: 2 })",
    ],
)
def test_with_save_data_or_little_memory_python_starts_with_run_only(thrift: str, page: Page, server: str) -> None:
    page.add_init_script(thrift)
    panel = open_playground(page, server)
    panel.get_by_role("button", name="Run", exact=True).hover()
    assert not starts(page)
    assert run(panel, "print(1)") == "Your program ran."


def test_the_engine_for_the_next_program_is_imported_while_it_is_written(page: Page, server: str) -> None:
    """Import the engine for the next run while the reader types, not after each run, since most readers press Run once."""
    panel = open_playground(page, server)
    page.evaluate("""() => {
        globalThis.sent = [];
        const { postMessage } = MessagePort.prototype;
        MessagePort.prototype.postMessage = function (data) { globalThis.sent.push(Object.keys(data)[0]); postMessage.call(this, data); };
    }""")
    run(panel, "print(1)")
    panel.get_by_role("button", name="Run", exact=True).click()
    await_end(panel)
    assert page.evaluate("sent").count("prepare") == 0 or page.evaluate("sent")[-2:] == ["source", "source"]
    panel.get_by_role("textbox").press("Control+End")
    panel.get_by_role("textbox").press("Enter")
    assert page.evaluate("sent")[-1] == "prepare"


# -- what it tells ----------------------------------------------------------------------------------


class Slow(Host):
    """Serve Python slowly, within about three seconds."""

    def copyfile(self, source: Any, outputfile: Any) -> None:
        if not self.path.endswith("python.tar.gz"):
            return super().copyfile(source, outputfile)
        while part := source.read(500_000):
            outputfile.write(part)
            time.sleep(0.2)


class Declaring(Slow):
    """Declare an archive as compressed, so that the browser decompresses it."""

    def end_headers(self) -> None:
        if self.path.endswith(".tar.gz"):
            self.send_header("Content-Encoding", "gzip")
        super().end_headers()


@pytest.mark.parametrize("host", [Slow, Declaring])
def test_the_download_tells_how_much_of_how_much_has_come(host: type[Host], page: Page, site: Path) -> None:
    total = total_of(site)
    page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    with serve(host, site) as server:
        panel = open_playground(page, server)
        page.evaluate("""() => {
            globalThis.told = [];
            const status = document.querySelector(".run-status");
            new MutationObserver(() => globalThis.told.push(status.textContent)).observe(status, { childList: true });
        }""")
        press_run(panel, "print(1)")
        expect(panel.locator(".run-status")).to_have_text("Your program ran.", timeout=START)
    amounts = [re.fullmatch(r"Loading Python: ([\d.]+) of ([\d.]+) MB", text) for text in page.evaluate("told")]
    loaded = [float(amount[1]) for amount in amounts if amount]
    assert len(loaded) >= 2 and loaded == sorted(loaded) and loaded[0] < loaded[-1] <= round(total / 1e6, 1)
    assert {amount[2] for amount in amounts if amount} == {f"{total / 1e6:.1f}"}


def test_run_takes_few_seconds_of_the_processor(playwright: Playwright, site: Path, tier: str) -> None:
    """Measure the CPU seconds. They were 8 to 11 on each page when Python compiled everything that it imported."""
    if tier != "full":
        pytest.skip("time is measured in nightly runs only: --tier full")
    first, *later = measure(playwright, site)
    assert first < 5 and min(later) < 3

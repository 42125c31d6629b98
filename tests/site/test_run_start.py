"""Python starts from a recorded memory when the reader is about to run a program, and reports its progress."""

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
from tests.site.conftest import SAVE_DATA
from tests.site.running import START, Host, await_end, choose, need_runtime, open_playground, press_run, run, serve

EXERCISE = ("in-place/versions.html", "#exercise-in-place-versions-repair-the-layer")


@pytest.fixture(autouse=True)
def require_runtime(site: Path) -> None:
    need_runtime(site)


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


# -- the archives ---------------------------------------------------------------------------------


def contents(archive: Path) -> dict[str, bytes]:
    """Map the name of each file in an archive to its content."""
    with tarfile.open(archive) as tar:
        return {entry.name: tar.extractfile(entry).read() for entry in tar}  # type: ignore[union-attr]


def test_the_archive_of_the_engine_contains_bytecode_and_memory(site: Path, root: Path) -> None:
    packed = contents(site / "runtime" / "engine.tar.gz")
    assert {name: packed[name] for name in runtime.engine_files(root)} == runtime.engine_files(root)
    for name in runtime.engine_files(root):
        if name.endswith(".py"):
            folder, _, module = name.removesuffix(".py").rpartition("/")
            bytecode = packed[f"{folder}/__pycache__/{module}.cpython-314.pyc"]
            # The flag 1 stands for bytecode that is checked by hash, but never against its source.
            assert bytecode[4:8] == b"\1\0\0\0", name
    assert len(packed["memory.bin"]) > 10_000_000


def test_sizes_json_states_the_sizes_of_the_archives(site: Path) -> None:
    sizes = json.loads((site / "runtime" / "sizes.json").read_text(encoding="utf-8"))
    for name in runtime.ARCHIVES:
        content = (site / "runtime" / name).read_bytes()
        assert sizes.pop(name) == {"stored": len(content), "unpacked": len(gzip.decompress(content))}
    assert sizes == {}


def archive_bytes(site: Path) -> int:
    return sum((site / "runtime" / name).stat().st_size for name in runtime.ARCHIVES)


def test_python_weighs_less_than_16_megabytes(site: Path) -> None:
    assert archive_bytes(site) < 16_000_000


def test_archives_are_packed_again_when_their_sources_change(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = root / ".cache" / "runtime"
    wheel = next(folder.glob("numpy-*.whl"))
    engine = runtime.engine_files(root)
    calls: list[str] = []
    monkeypatch.setattr(python_archive, "write_python", lambda *arguments: calls.append("python"))
    monkeypatch.setattr(python_archive, "write_engine", lambda *arguments: calls.append("engine"))
    monkeypatch.setattr(runtime, "_remove_old_files", lambda *arguments: None)
    runtime.archives(folder, wheel, engine)
    assert calls == []
    runtime.archives(folder, wheel, {**engine, "reference_impl/__init__.py": b"x = 1\n"})
    assert calls == ["engine"]


def test_a_module_that_does_not_compile_is_reported(root: Path, tmp_path: Path) -> None:
    folder = root / ".cache" / "runtime"
    stage = next(path for path in folder.glob("python-*") if path.is_dir())
    engine = {**runtime.engine_files(root), "reference_impl/_size.py": b"x = (\n"}
    with pytest.raises(python_archive.NodeFailed, match=r"(?s)reference_impl/_size\.py.*'\(' was never closed"):
        python_archive.write_engine(tmp_path, stage, engine, tmp_path / "engine.tar.gz")
    assert list(tmp_path.iterdir()) == []


def test_random_numbers_are_not_part_of_the_recorded_memory(page: Page, server: str) -> None:
    """Check that random numbers without a seed differ in two visits."""
    program = "import random, numpy\nprint(random.random(), numpy.random.rand(), numpy.random.default_rng().random())"
    printed = []
    for _ in range(2):
        panel = open_playground(page, server)
        run(panel, program)
        printed.append(panel.locator(".run-output").text_content())
        choose(panel, "Reset")
    numbers = [set(re.findall(r"0\.\d+", text or "")) for text in printed]
    assert len(numbers[0]) == len(numbers[1]) == 3 and not numbers[0] & numbers[1]


def test_modules_outside_the_recorded_memory_can_be_imported(page: Page, server: str) -> None:
    """Check also that the sources are not downloaded for it."""
    names: list[str] = []
    page.on("request", lambda request: names.append(request.url.rpartition("/")[2]))
    program = """import csv, statistics, unittest.mock, numpy.ma, numpy.polynomial, numpy.fft, numpy.testing
import torch.optim, torch.utils.data, torch.nn.utils
print(statistics.mean([1, 2]), numpy.fft.fft([1, 2])[0], numpy.linalg.inv([[2.0]])[0, 0])
"""
    panel = open_playground(page, server)
    assert run(panel, program) == "Your program ran."
    expect(panel.locator(".run-output")).to_contain_text("1.5 (3+0j) 0.5")
    assert "engine.tar.gz" in names and "sources.tar.gz" not in names


def disable_recorded_memory(page: Page) -> None:
    """Make the recorded memory unusable, as in WebKit, where functions have other indices than when it was recorded."""

    def answer(route: Route) -> None:
        response = route.fetch()
        text = response.text()
        assert "TRAMPOLINES = 1;" in text
        route.fulfill(response=response, body=text.replace("TRAMPOLINES = 1;", "TRAMPOLINES = -1;"))

    page.route("**/start.mjs", answer)


def test_without_the_recorded_memory_python_starts_from_its_sources(page: Page, server: str) -> None:
    """Check that a failed download of the sources is reported, and that the next run downloads them again."""
    disable_recorded_memory(page)
    page.route("**/sources.tar.gz*", lambda route: route.abort())
    panel = open_playground(page, server)
    assert "The download of Python" in run(panel, "print(1)")
    page.unroute("**/sources.tar.gz*")
    program = (
        "import torch, csv, statistics, numpy.fft\nx = torch.ones(2, requires_grad=True)\nx.sum().backward()\nx.grad"
    )
    assert run(panel, program) == "Your program ran."
    expect(panel.locator(".x-value")).to_contain_text("tensor([1., 1.])")
    assert run(panel, "print(1)") == "Your program ran."


# -- when it starts ---------------------------------------------------------------------------------


def has_started(page: Page, wait: int = 1000) -> bool:
    """Return whether Python has started after `wait` milliseconds."""
    page.wait_for_timeout(wait)
    return page.locator("iframe").count() == 1


def test_python_starts_when_the_pointer_rests_on_run(page: Page, server: str) -> None:
    page.goto(server + "index.html", wait_until="networkidle")
    button = page.get_by_role("button", name="Run: How much")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.move(box["x"] + 5, box["y"] - 100)  # the pointer does not rest
    assert not has_started(page)
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    expect(page.locator("iframe")).to_have_count(1)
    button.click()
    expect(page.locator(".run-status")).to_contain_text("The output is the same as on the page", timeout=START)
    assert page.locator("iframe").count() == 1
    page.goto(
        server + "playground.html", wait_until="networkidle"
    )  # a run on one page must not start Python on later pages
    assert not has_started(page)


def test_python_starts_when_an_editor_has_the_focus(page: Page, server: str) -> None:
    open_playground(page, server)
    expect(page.locator("iframe")).to_have_count(1)
    address, exercise = EXERCISE
    page.goto(server + address)
    page.wait_for_function("() => globalThis.gradnotes?.ready")
    plain = page.locator(exercise).locator("textarea")
    plain.focus()  # the focus alone, as when Tab passes, must not start it
    assert not has_started(page)
    plain.click()
    expect(page.locator("iframe")).to_have_count(1)


@pytest.mark.parametrize(
    "limit",
    [
        SAVE_DATA,
        "Object.defineProperty(navigator, 'deviceMemory', { value: 2 })",
    ],
)
def test_with_save_data_or_little_memory_python_starts_with_run_only(limit: str, page: Page, server: str) -> None:
    page.add_init_script(limit)
    panel = open_playground(page, server)
    panel.get_by_role("button", name="Run", exact=True).hover()
    assert not has_started(page)
    assert run(panel, "print(1)") == "Your program ran."


def test_the_engine_for_the_next_run_is_imported_while_the_reader_types(page: Page, server: str) -> None:
    """Check that the engine is not imported right after a run, since most readers press Run once."""
    panel = open_playground(page, server)
    page.evaluate("""() => {
        globalThis.sentKinds = [];
        const { postMessage } = MessagePort.prototype;
        MessagePort.prototype.postMessage = function (data) {
            globalThis.sentKinds.push(Object.keys(data)[0]);
            postMessage.call(this, data);
        };
    }""")
    run(panel, "print(1)")
    panel.get_by_role("button", name="Run", exact=True).click()
    await_end(panel)
    assert page.evaluate("sentKinds").count("prepare") == 0 or page.evaluate("sentKinds")[-2:] == ["source", "source"]
    panel.get_by_role("textbox").press("Control+End")
    panel.get_by_role("textbox").press("Enter")
    assert page.evaluate("sentKinds")[-1] == "prepare"


# -- progress ---------------------------------------------------------------------------------------


class SlowHost(Host):
    """A server that sends Python slowly, within about three seconds."""

    def copyfile(self, source: Any, outputfile: Any) -> None:
        if not self.path.endswith("python.tar.gz"):
            return super().copyfile(source, outputfile)
        while part := source.read(500_000):
            outputfile.write(part)
            time.sleep(0.2)


class SlowHostWithEncoding(SlowHost):
    """Declares archives as gzip-encoded, so that the browser decompresses them."""

    def end_headers(self) -> None:
        if self.path.endswith(".tar.gz"):
            self.send_header("Content-Encoding", "gzip")
        super().end_headers()


@pytest.mark.parametrize("host", [SlowHost, SlowHostWithEncoding])
def test_the_download_reports_loaded_and_total_megabytes(host: type[Host], page: Page, site: Path) -> None:
    total = archive_bytes(site)
    page.add_init_script(SAVE_DATA)
    with serve(host, site) as server:
        panel = open_playground(page, server)
        page.evaluate("""() => {
            globalThis.statusTexts = [];
            const status = document.querySelector(".run-status");
            new MutationObserver(() => globalThis.statusTexts.push(status.textContent)).observe(status, { childList: true });
        }""")
        press_run(panel, "print(1)")
        expect(panel.locator(".run-status")).to_have_text("Your program ran.", timeout=START)
    amounts = [re.fullmatch(r"Loading Python: ([\d.]+) of ([\d.]+) MB", text) for text in page.evaluate("statusTexts")]
    loaded = [float(amount[1]) for amount in amounts if amount]
    assert len(loaded) >= 2 and loaded == sorted(loaded) and loaded[0] < loaded[-1] <= round(total / 1e6, 1)
    assert {amount[2] for amount in amounts if amount} == {f"{total / 1e6:.1f}"}


def test_run_takes_few_seconds_of_cpu_time(playwright: Playwright, site: Path, tier: str) -> None:
    """Check the CPU seconds of Run, which were 8 to 11 on each page when Python compiled all that it imported."""
    if tier != "full":
        pytest.skip("time is measured in nightly runs only: --tier full")
    first, *later = measure(playwright, site)
    assert first < 5 and min(later) < 3

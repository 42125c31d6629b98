"""Run and edit in the page: the same output, another one, an endless loop, a lost worker."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from gradnotes.site import runtime
from gradnotes.steps.page import answer

START = 90_000  # ms: a machine with two busy cores takes its time to compile 9 MB of WebAssembly


def test_answer_compares_with_the_text_itself() -> None:
    said = json.loads(answer('"""One."""\n\nprint(1 + 1)\n#> 2\n', "x"))
    assert said["verdict"] == "Same as on the page: 1 line of output compared."
    said = json.loads(answer('"""One."""\n\nprint(1 + 1)\n#> 3\n', "x"))
    assert said["differences"] and "'3'" in said["differences"][0] and "'2'" in said["differences"][0]


def test_the_runtime_has_all_that_its_part_of_the_harness_imports(root: Path) -> None:
    """A module that was split off would be missed in the browser only."""
    for name in runtime.HARNESS:
        text = (root / f"harness/src/snippetcheck/{name}.py").read_text(encoding="utf-8")
        names = re.findall(r"^from snippetcheck\.(\w+) import", text, re.M)
        for line in re.findall(r"^from snippetcheck import (.*)", text, re.M):
            names += re.findall(r"\w+", line)
        assert set(names) <= set(runtime.HARNESS), name


def test_the_runtime_has_all_files_of_the_engine(root: Path, tmp_path: Path) -> None:
    """Where signatures.txt was left out, a wrong argument ended in FileNotFoundError, in the page only."""
    runtime.write_engine(root, tmp_path / "engine.zip")
    with zipfile.ZipFile(tmp_path / "engine.zip") as archive:
        archive.extractall(tmp_path)
    program = "import reference_impl as torch\ntorch.relu('x')"
    ended = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert "TypeError: relu(): argument 'input' (position 1) must be Tensor, not str" in ended.stderr


def test_answer_to_what_is_no_python() -> None:
    said = json.loads(answer("print(", "x"))
    assert said["failed"] and said["verdict"].startswith("This is not Python, line 1")


def test_answer_escapes_what_a_program_prints() -> None:
    said = json.loads(answer('"""One."""\n\nprint("<img src=x onerror=alert(1)>")\n', "x"))
    assert "<img" not in said["html"] and "&lt;img" in said["html"]


def test_one_run_leaves_nothing_for_the_next() -> None:
    answer('"""One."""\n\nimport torch\n\ntorch.set_default_dtype(torch.float64)\n', "x")
    said = json.loads(answer('"""One."""\n\nimport torch\n\nprint(torch.ones(1).dtype)\n#> torch.float32\n', "x"))
    assert said["differences"] == []


def test_wheel_with_another_checksum_is_refused(tmp_path: Path) -> None:
    for name in runtime.FILES:
        (tmp_path / name).write_text("{}")
    package = {"numpy": {"file_name": "numpy.whl", "sha256": "0" * 64}}
    (tmp_path / "pyodide-lock.json").write_text(json.dumps({"packages": package}))
    given = tmp_path / "given.whl"
    given.write_bytes(b"not the wheel")
    with pytest.raises(runtime.RuntimeMissing, match="sha256"):
        runtime.fetch(tmp_path, given)
    assert not (tmp_path / "numpy.whl").exists()


def test_engine_archive_is_the_same_twice(root: Path, tmp_path: Path) -> None:
    for name in ("a.zip", "b.zip"):
        runtime.write_engine(root, tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


@pytest.fixture(scope="module")
def page(chromium: Browser, site: Path, server: str) -> Iterator[Page]:
    if not (site / "runtime" / "engine.zip").exists():
        pytest.skip("the site was built without a Python runtime: make runtime NUMPY_WHEEL=path/to/wheel")
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(START)
    opened = context.new_page()
    opened.goto(server + "index.html")
    yield opened
    context.close()


@pytest.fixture
def panel(page: Page) -> Iterator[Locator]:
    """The panel of the home page's example, after its first run."""
    page.get_by_role("button", name="Run: How much").click()
    panel = page.locator(".run-panel")
    expect(panel.get_by_role("button", name="Stop")).to_be_disabled(timeout=START)
    yield panel
    panel.get_by_role("button", name="Close").click()


def run(panel: Locator, program: str) -> str:
    panel.get_by_role("textbox").fill(program)
    panel.get_by_role("button", name="Run", exact=True).click()
    expect(panel.get_by_role("button", name="Stop")).to_be_disabled(timeout=START)
    return panel.locator(".run-status").text_content() or ""


def test_nothing_is_loaded_before_the_click(chromium: Browser, server: str) -> None:
    context = chromium.new_context()
    fresh = context.new_page()
    asked: list[str] = []
    fresh.on("request", lambda request: asked.append(request.url))
    fresh.goto(server + "index.html", wait_until="networkidle")
    assert not [url for url in asked if "runtime" in url or "run" in url.rsplit("/", 1)[-1]]
    context.close()


def test_unchanged_example_gives_what_the_page_shows(panel: Locator) -> None:
    expect(panel.locator(".run-status")).to_have_text("Same as on the page: 2 lines of output compared.")
    expect(panel).to_contain_text("reference_impl under the name torch")
    expect(panel.locator("figure.steps .steps-count")).to_have_text("0 of 6")


def test_edited_example_is_run_compared_and_drawn(panel: Locator) -> None:
    program = (panel.get_by_role("textbox").input_value()).replace("- 10", "- 9 + w * 0")
    status = run(panel, program)
    assert status == "Not what the text says."
    expect(panel.locator(".run-result > ul")).to_contain_text("tensor(24.) tensor(6.)")
    count = panel.locator("figure.steps .steps-count")
    expect(count).to_contain_text("0 of")
    assert count.text_content() != "0 of 6"
    panel.get_by_role("button", name="Step forward").click()
    expect(count).to_contain_text("1 of")
    panel.get_by_role("button", name="Reset").click()
    assert "- 10" in panel.get_by_role("textbox").input_value()


def test_an_error_is_shown_where_it_happens(panel: Locator) -> None:
    run(panel, '"""One."""\n\nimport torch\n\ntorch.ones(2) @ torch.ones(3)\nprint("never")\n')
    expect(panel.locator(".run-output .x-raises")).to_contain_text("RuntimeError")
    expect(panel.locator(".run-output")).not_to_contain_text("never")


def test_endless_loop_is_stopped_at_once(panel: Locator) -> None:
    panel.get_by_role("textbox").fill('"""One."""\n\nwhile True:\n    pass\n')
    panel.get_by_role("button", name="Run", exact=True).click()
    expect(panel.locator(".run-status")).to_have_text("Running")
    began = time.monotonic()
    panel.get_by_role("button", name="Stop").click()
    expect(panel.locator(".run-status")).to_have_text("Stopped.")
    assert time.monotonic() - began < 2
    while panel.page.workers and time.monotonic() - began < 4:
        panel.page.wait_for_timeout(50)
    assert panel.page.workers == []
    assert run(panel, '"""One."""\n\nprint(3)\n#> 3\n').startswith("Same as on the page")


def test_lost_worker_is_said_and_replaced(panel: Locator) -> None:
    run(panel, '"""One."""\n\nimport js\n\njs.close()\nprint(1)\n#> 1\n')
    assert run(panel, '"""One."""\n\nprint(4)\n#> 4\n') == "The runtime no longer answers. Run starts it again."
    assert run(panel, '"""One."""\n\nprint(4)\n#> 4\n').startswith("Same as on the page")


def test_site_without_a_runtime_says_how_to_get_it(chromium: Browser, server: str) -> None:
    context = chromium.new_context()
    bare = context.new_page()
    bare.route("**/runtime/**", lambda route: route.fulfill(status=404, body=""))
    bare.goto(server + "index.html")
    bare.get_by_role("button", name="Run: How much").click()
    expect(bare.locator(".run-status")).to_contain_text("make runtime", timeout=30_000)
    context.close()


def test_from_a_folder_run_says_what_it_needs(chromium: Browser, site: Path) -> None:
    context = chromium.new_context()
    local = context.new_page()
    local.goto((site / "index.html").as_uri())
    local.get_by_role("button", name="Run: How much").click()
    expect(local.locator(".run-status")).to_contain_text("Run needs a server")
    context.close()

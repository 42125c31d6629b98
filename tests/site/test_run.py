"""Running and editing a program in the page: comparison with the page, errors, endless loops, and a lost worker."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from gradnotes.browser import edited_program
from gradnotes.browser.run import prepare, run_program
from gradnotes.recorder import program
from gradnotes.site import python_archive, runtime
from tests.site.axe import AXE, NO_AXE, load_axe
from tests.site.browser_input import paste
from tests.site.running import START, await_end, choose, need_runtime, program_of, run

PAGE = '"""One."""\n# covers: a\n\nimport torch\n\nx = torch.ones(2) * 3\n#~ UserWarning: none\nprint(x.sum())\n#> tensor(6.)\n'


def run_in_page(text: str, page: str | None = None) -> dict[str, Any]:
    return json.loads(run_program(text, "x", page))


def test_output_is_compared_with_that_of_the_page() -> None:
    assert (
        run_in_page('"""One."""\n\nprint(1 + 1)\n#> 2\n')["verdict"]
        == "The output is the same as on the page: 1 line compared."
    )
    different = run_in_page('"""One."""\n\nprint(1 + 1)\n#> 3\n')
    assert (
        different["state"] == "differs"
        and "'3'" in different["differences"][0]
        and "'2'" in different["differences"][0]
    )


def test_three_dots_are_a_wildcard_only_after_a_question_mark() -> None:
    page = '"""One."""\n\nprint("in 3 s")\n#>? in ... s\nprint("wait...")\n#> wait...\n'
    program = 'print("in 3 s")\nprint("wait...")'
    assert run_in_page(program, page)["verdict"] == "The output is the same as on the page: 2 lines compared."
    for mark, differing in (("#>", 1), ("#>?", 0)):
        result = run_in_page('print("in 3 s")', f'"""One."""\n\nprint("in 3 s")\n{mark} in ... s\n')
        assert len(result["differences"]) == differing
    changed = run_in_page('print("in 3 m")\nprint("wait, please")', page)
    pages = [output["html"].partition('data-word="on the page">')[2] for output in changed["shown"]]
    assert pages == ["in ... s</span>", "wait...</span>"]


def test_the_editor_omits_expected_lines_which_are_still_compared() -> None:
    page = PAGE.replace("#~ UserWarning: none\n", "")
    page_program = edited_program.parse_page_program(page)
    assert page_program is not None and page_program.text == "import torch\n\nx = torch.ones(2) * 3\nprint(x.sum())"
    for text in (page_program.text, page_program.text + "\n\n"):
        result = run_in_page(text, page)
        assert (result["state"], [output["line"] for output in result["shown"]]) == ("same", [4])
    result = run_in_page(page_program.text, PAGE)
    assert result["state"] == "differs" and result["shown"][0]["line"] == 3  # line 3 does not warn, as the page expects


def test_a_changed_program_is_not_a_different_result() -> None:
    """Check that the result of a changed program has the state `edited` and lists no differences.

    Where the output differs from that of the page, the page's output is shown below it.
    """
    page = PAGE.replace("#~ UserWarning: none\n", "")
    result = run_in_page("import torch\n\n# mine\ny = 1\nx = torch.ones(2) * 4\nprint(x.sum())", page)
    assert (result["state"], result["differences"]) == ("edited", [])
    assert [output["line"] for output in result["shown"]] == [6]
    assert (
        "tensor(8.)" in result["shown"][0]["html"]
        and 'data-word="on the page">tensor(6.)' in result["shown"][0]["html"]
    )
    result = run_in_page("import torch\nx = torch.ones(3) * 2\nprint(x.sum())", page)
    assert "x-page" not in result["shown"][0]["html"]
    assert "page" not in run_in_page("print(1)")["verdict"]


def test_an_unrelated_program_is_not_compared_with_the_page() -> None:
    result = run_in_page("import torch\n\ndef f():\n    pass\n\nprint('mine')\nf()\n", PAGE)
    assert result["verdict"] == "Your program ran." and "page" not in str(result["shown"])


@pytest.mark.parametrize("text", ["", "\n", "# nothing yet\n"])
def test_an_empty_program_runs(text: str) -> None:
    result = run_in_page(text, PAGE)
    assert (result["verdict"], result["shown"], result["error"]) == ("Your program ran.", [], None)


def test_an_error_is_reported_with_its_lines() -> None:
    result = run_in_page("def f(x):\n    return 1 / x\n\nprint(1)\nf(0)\nprint(2)\n")
    assert result["error"] == {
        "text": "ZeroDivisionError: division by zero",
        "line": 2,
        "calls": [[5, "<module>"], [2, "f"]],
        "advice": "",
    }
    assert [output["line"] for output in result["shown"]] == [4, 5]
    assert run_in_page("a = (\n")["error"]["line"] == 1


def test_an_error_without_message_ends_with_the_name_of_its_class() -> None:
    result = run_in_page("assert 1 > 2\n")
    assert result["error"]["text"] == "AssertionError" and "AssertionError</span>" in result["shown"][0]["html"]


def test_a_name_of_torch_that_the_engine_lacks_is_explained() -> None:
    result = run_in_page("import torch\ntorch.compile(lambda x: x)\n")
    assert result["error"]["text"].endswith("PyTorch has torch.compile; reference_impl, which runs here, does not")


def test_output_is_reported_while_it_is_printed() -> None:
    reports: list[dict[str, Any]] = []
    text = "print('first')\nimport time\nfor i in range(8):\n    print(i)\n    time.sleep(0.05)\n"
    run_program(text, "x", None, lambda report: reports.append(json.loads(report)))
    assert [report["line"] for report in reports][0] == 1 and {report["line"] for report in reports[1:]} == {5}
    assert len(reports) > 3 and len(reports[1]["html"]) < len(reports[-1]["html"])


def test_a_flood_of_output_is_cut() -> None:
    result = run_in_page("for i in range(200_000):\n    print('many words')\n")
    assert len(result["shown"][0]["html"]) < 3 * program.TEXT_LIMIT


def test_the_runtime_has_all_imports_of_its_harness_modules(root: Path) -> None:
    """Check that the runtime has each harness module that its modules import. A missing one would fail only in the browser."""
    for name in runtime.HARNESS:
        text = (root / f"harness/src/snippetcheck/{name}.py").read_text(encoding="utf-8")
        names = re.findall(r"^from snippetcheck\.(\w+) import", text, re.M)
        for line in re.findall(r"^from snippetcheck import (.*)", text, re.M):
            names += re.findall(r"\w+", line)
        assert set(names) <= set(runtime.HARNESS), name


def test_the_runtime_has_all_files_of_the_engine(root: Path, tmp_path: Path) -> None:
    """Include data files: without signatures.txt, a wrong argument raised FileNotFoundError in the browser."""
    for name, content in runtime.engine_files(root).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    program = "import reference_impl as torch\ntorch.relu('x')"
    completed = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert "TypeError: relu(): argument 'input' (position 1) must be Tensor, not str" in completed.stderr


def test_a_syntax_error_is_reported_with_its_line() -> None:
    result = run_in_page("print(")
    assert result["state"] == "failed" and result["verdict"].startswith("Line 1 is not valid Python")


def test_stderr_is_shown() -> None:
    assert "beware" in run_in_page('import sys\nprint("beware", file=sys.stderr)\n')["shown"][0]["html"]


def test_a_warning_goes_to_the_stream_that_the_program_has_put_in_the_place_of_stderr() -> None:
    program = (
        "import contextlib, io, warnings\nwith contextlib.redirect_stderr(io.StringIO()) as log:\n    warnings.warn('so')\n"
        "print(repr(log.getvalue()))\nwarnings.warn('openly')\n"
    )
    redirected, shown = (statement["html"] for statement in run_in_page(program)["shown"])
    assert "program.py:3: UserWarning: so" in redirected and redirected.count("UserWarning") == 1
    assert "UserWarning: openly" in shown


def test_output_is_escaped_in_html() -> None:
    html = run_in_page('print("<img src=x onerror=alert(1)>")\n')["shown"][0]["html"]
    assert "<img" not in html and "&lt;img" in html


# By area: statements that change global state, each with an expression that prints that state.
STATE_CHANGES = {
    "engine": {
        "torch.set_default_dtype(torch.float64)": "torch.ones(1).dtype",
        "torch.manual_seed(3)": "torch.initial_seed() == 3",
        "torch.set_printoptions(precision=1)": "torch.full((1,), 1 / 3)",
        "torch.set_grad_enabled(False)": "torch.is_grad_enabled()",
        "torch.autograd.set_detect_anomaly(True)": "torch.is_anomaly_enabled()",
        "torch.tensor = None": "torch.tensor is None",
        "torch.nn.modules.module.register_module_forward_hook(lambda *a: torch.zeros(7))": (
            "torch.nn.Linear(1, 1)(torch.ones(1, dtype=torch.get_default_dtype())).shape"
        ),
    },
    "numpy": {
        "numpy.set_printoptions(precision=1)": "numpy.array([1 / 3])",
        "numpy.seterr(all='ignore')": "numpy.geterr()",
        "numpy.add = None": "numpy.add",
        "numpy.random.seed(0)": "numpy.random.rand() == 0.5488135039273248",
        "numpy.random.mine = 1": "hasattr(numpy.random, 'mine')",
    },
    "process": {
        "random.seed(0)": "random.random() == 0.8444218515250481",
        "builtins.len = lambda x: 7": "len([])",
        "sys.path.insert(0, 'there')": "'there' in sys.path",
        "sys.setrecursionlimit(5000)": "sys.getrecursionlimit() == 5000",
        "sys.modules['json'] = 1": "sys.modules['json'] == 1",
        "os.environ['MINE'] = '1'": "os.environ.get('MINE')",
        "open('mine.py', 'w').close()": "os.listdir()",
        "sys.path.append(''); import mine": "'mine' in sys.modules",
        "warnings.simplefilter('error')": "warnings.filters[0][0]",
        "warnings.warn = None": "warnings.warn is None",
        "math.pi = 3": "math.pi",
        "math.mine = type(sys)('gone')": "hasattr(math, 'mine')",
        "gc.disable()": "gc.isenabled()",
        "sys.stdin.close()": "sys.stdin.closed",
    },
}


@pytest.mark.parametrize("area", STATE_CHANGES)
def test_one_run_leaves_nothing_for_the_next(area: str) -> None:
    """Print all state before, during and after a run that changes it.

    During this run, each expression must print a different value than before it. After this run, it must print the same
    value as before.
    """
    modules = (
        "torch"
        if area == "engine"
        else "numpy, numpy.random"
        if area == "numpy"
        else "builtins, gc, math, os, random, sys, warnings"
    )
    program_text = f"import {modules}\n" + "".join(
        f"print({expression})\n" for expression in STATE_CHANGES[area].values()
    )
    before_result = run_in_page(program_text)
    changed_result = run_in_page(program_text.replace("\n", "\n" + "\n".join(STATE_CHANGES[area]) + "\n", 1))
    assert not before_result["error"] and not changed_result["error"], (before_result["error"], changed_result["error"])
    pairs = zip(before_result["shown"], changed_result["shown"], STATE_CHANGES[area], strict=True)
    assert [
        setting for before_output, changed_output, setting in pairs if before_output["html"] == changed_output["html"]
    ] == []
    assert run_in_page(program_text)["shown"] == before_result["shown"]


def test_a_seed_does_not_affect_the_next_program() -> None:
    run_in_page("import random, numpy\nrandom.seed(0)\nnumpy.random.seed(0)\n")
    result = run_in_page(
        "import random, numpy\nprint(random.random() == 0.8444218515250481, numpy.random.rand() == 0.5488135039273248)\n"
    )
    assert "False False" in result["shown"][0]["html"]


def test_the_next_run_uses_the_engine_that_prepare_imported() -> None:
    prepare()
    ready = sys.modules["reference_impl"]
    text = "import torch\ntorch.seen = 1\nprint(id(torch))\n"
    assert str(id(ready)) in run_in_page(text)["shown"][0]["html"]
    prepare()
    assert str(id(ready)) not in run_in_page(text)["shown"][0]["html"]


def test_wheel_with_another_checksum_is_refused(tmp_path: Path) -> None:
    for name in runtime.FILES:
        (tmp_path / name).write_text(f'"{runtime.VERSION}"')  # else all would be fetched
    package = {"numpy": {"file_name": "numpy.whl", "sha256": "0" * 64}}
    (tmp_path / "pyodide-lock.json").write_text(json.dumps({"packages": package}))
    wheel = tmp_path / "other.whl"
    wheel.write_bytes(b"not the wheel")
    with pytest.raises(runtime.RuntimeMissing, match="sha256"):
        runtime.fetch(tmp_path, wheel)
    assert not (tmp_path / "numpy.whl").exists()


def test_archives_of_the_same_files_are_equal(root: Path, tmp_path: Path) -> None:
    """Check that neither the time nor the order of the files changes an archive."""
    files = runtime.engine_files(root)
    python_archive.write_tar(tmp_path / "a.tar.gz", files)
    python_archive.write_tar(tmp_path / "b.tar.gz", dict(reversed(files.items())))
    assert (tmp_path / "a.tar.gz").read_bytes() == (tmp_path / "b.tar.gz").read_bytes()


@pytest.fixture(scope="module")
def page(chromium: Browser, site: Path, server: str) -> Iterator[Page]:
    need_runtime(site)
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(START)
    new_page = context.new_page()
    new_page.goto(server + "index.html")
    yield new_page
    context.close()


@pytest.fixture
def panel(page: Page) -> Iterator[Locator]:
    """Yield the panel of the home page's example after its first run."""
    page.evaluate("localStorage.clear(); sessionStorage.clear()")  # the previous test may have stored an endless loop
    page.get_by_role("button", name="Run: How much").click()
    panel = page.locator(".run-panel")
    await_end(panel)
    yield panel
    choose(panel, "Close")


def final_status(panel: Locator) -> str:
    await_end(panel)
    return panel.locator(".run-status").text_content() or ""


def test_nothing_is_loaded_before_the_click(chromium: Browser, server: str) -> None:
    context = chromium.new_context()
    fresh = context.new_page()
    urls: list[str] = []
    fresh.on("request", lambda request: urls.append(request.url))
    fresh.goto(server + "index.html", wait_until="networkidle")
    assert not [url for url in urls if "runtime" in url or "run" in url.rsplit("/", 1)[-1]]
    context.close()


def test_an_unchanged_example_prints_what_the_page_shows(panel: Locator) -> None:
    expect(panel.locator(".run-status")).to_have_text("The output is the same as on the page: 2 lines compared.")
    expect(panel).to_contain_text("the small engine of this site, which has PyTorch's API")
    expect(panel).not_to_contain_text("covers:")
    expect(panel.locator("figure.steps .steps-count")).to_have_text("0 of 6")
    expect(
        panel.get_by_role("button", name="Run", exact=True)
    ).to_be_focused()  # the clicked button has been removed, so the focus must move


def test_an_edited_example_is_compared_with_the_page_and_drawn(page: Page, panel: Locator) -> None:
    result = page.locator("figure:has(.run-panel) > .ran")
    expect(result).to_be_visible()
    status = run(panel, program_of(panel).replace("- 10", "- 9 + w * 0"))
    assert status == "Your program ran. Where a result differs, the page's result is shown under it."
    expect(result).to_be_hidden()
    under = panel.locator(".cm-line:has-text('print(') + .run-output:has(.x-page)").nth(1)
    expect(under.locator(".x-prints")).to_contain_text("tensor(32.) tensor(8.)")
    expect(under.locator(".x-page")).to_contain_text("tensor(24.) tensor(6.)")
    line, output = panel.locator(".cm-line", has_text="print(").nth(1).bounding_box(), under.bounding_box()
    assert line and output and 0 <= output["y"] - line["y"] - line["height"] < 8
    count = panel.locator("figure.steps .steps-count")
    expect(count).to_contain_text("0 of")
    assert count.text_content() != "0 of 6"
    panel.get_by_role("button", name="Step forward").click()
    expect(count).to_contain_text("1 of")
    expect(panel.locator(".run-step-line")).to_have_count(1)  # a line of the edited program
    panel.get_by_role(
        "button", name="Run", exact=True
    ).click()  # the URL still has the step, which the new figure must not take
    final_status(panel)
    expect(count).to_contain_text("0 of")
    panel.get_by_role("textbox").press("Control+End")
    panel.get_by_role("textbox").press("Enter")
    expect(panel.locator(".run-status")).to_have_text("Changed since it ran.")
    choose(panel, "Reset")
    expect(panel.get_by_role("textbox")).to_contain_text("- 10")
    expect(result).to_be_visible()


def test_the_first_output_of_a_long_program_scrolls_into_view(page: Page, panel: Locator) -> None:
    run(panel, "x = 1\n" * 90 + "print('below')\n")
    expect(panel.locator(".run-output", has_text="below")).to_be_in_viewport()
    expect(panel.get_by_role("button", name="Run", exact=True)).to_be_in_viewport()


def test_an_error_is_shown_below_its_line_and_linked_to_an_explanation(panel: Locator) -> None:
    text = "import torch\n\ndef f(x):\n    return x + 1\n\nx = torch.ones(2)\nf(x).sum().backward()\nprint('never')\n"
    assert run(panel, text) == "Your program ended with an error."
    expect(panel.locator(".run-output .x-raises")).to_contain_text("RuntimeError: element 0 of tensors")
    expect(panel.locator(".run-output")).not_to_contain_text("never")
    expect(panel.locator(".run-error-line")).to_have_text("f(x).sum().backward()")
    expect(panel.locator(".run-error")).to_contain_text("Raised in line 7")
    link = panel.locator(".run-error a")
    expect(link).to_be_visible()
    assert re.search(r"\.html#", link.get_attribute("href") or "")
    explanation = "(text) => gradnotes.findExplanation(text).then((link) => link?.href ?? null)"
    assert panel.page.evaluate(explanation, "ModuleNotFoundError: No module named 'caffe2'")
    assert panel.page.evaluate(explanation, "ModuleNotFoundError: No module named 'pandas'") is None
    for missing in ("'Tensor' object has no attribute '%s'", "module 'torch' has no attribute '%s'"):
        assert panel.page.evaluate(explanation, "AttributeError: " + missing % "size_of") is None  # no name is similar
    assert panel.page.evaluate(explanation, "AttributeError: 'Tensor' object has no attribute 'backwards'")
    assert panel.page.evaluate(explanation, "AttributeError: 'NoneType' object has no attribute 'data'")
    assert panel.page.evaluate(explanation, "NameError: name 'loss' is not defined") is None


def test_a_link_to_a_line_scrolls_it_below_the_header(page: Page, panel: Locator) -> None:
    """Check the buttons of the error and of the step viewer that scroll to a line."""
    run(
        panel,
        "import torch\n\nw = torch.ones(1, requires_grad=True)\n" + "w * 2\n" * 60 + "w.sum().backward()\n1 / 0\n",
    )
    panel.get_by_role("button", name="Step forward").click()
    panel.get_by_role("button", name="Step forward").click()
    header = page.locator(".md-header").bounding_box()
    for button, marked in (
        (panel.locator(".steps-place").first, ".run-step-line"),
        (panel.get_by_role("button", name="line 65"), ".run-error-line"),
    ):
        button.scroll_into_view_if_needed()
        button.click()
        expect(panel.locator(marked)).to_be_in_viewport()
        box = panel.locator(marked).bounding_box()
        assert header and box and header["y"] + header["height"] <= box["y"] < 900 - box["height"]


def test_a_verdict_is_not_shown_for_a_program_edited_meanwhile(panel: Locator) -> None:
    paste(panel.get_by_role("textbox"), "import time\nprint('on')\ntime.sleep(4)\n")
    panel.get_by_role("button", name="Run", exact=True).click()
    expect(panel.locator(".run-output").first).to_contain_text("on")
    panel.get_by_role("textbox").press_sequentially("#")
    assert final_status(panel) == "Changed while it ran."


APPEARANCES = [(width, scheme) for width in (1280, 390) for scheme in ("default", "slate")]
CHECK = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(" ")}`)"""


def test_axe_finds_nothing_in_an_edited_program_that_failed(panel: Locator) -> None:
    if not AXE.is_file():
        pytest.skip(NO_AXE)
    page = panel.page
    run(
        panel,
        program_of(panel).replace("- 10", "- 9 + w * 0")
        + "\nimport warnings\nwarnings.warn('so')\ntorch.ones(2).backward()\n",
    )
    expect(panel.locator(".run-error a")).to_be_visible()
    load_axe(page)
    violations_by_appearance: dict[str, list[str]] = {}
    for width, scheme in APPEARANCES:
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("(scheme) => { document.body.dataset.mdColorScheme = scheme; }", scheme)
        violations_by_appearance[f"{width} {scheme}"] = page.evaluate(CHECK)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1280, "height": 900})
    assert violations_by_appearance == {name: [] for name in violations_by_appearance}


def test_endless_loop_shows_what_it_prints_and_is_stopped_at_once(panel: Locator) -> None:
    paste(
        panel.get_by_role("textbox"),
        "print('before')\nn = 0\nwhile True:\n    n += 1\n    if n % 100_000 == 0:\n        print(n)\n",
    )
    panel.get_by_role("button", name="Run", exact=True).click()
    expect(panel.locator(".run-output").last).to_contain_text("300000")
    expect(panel.locator(".run-status")).to_have_text("Running")
    began = time.monotonic()
    panel.get_by_role("button", name="Stop").click()
    expect(panel.locator(".run-status")).to_have_text("Stopped. Its output so far is shown.")
    assert time.monotonic() - began < 2
    while panel.page.workers and time.monotonic() - began < 4:
        panel.page.wait_for_timeout(50)
    assert panel.page.workers == []
    expect(panel.locator(".run-output").first).to_contain_text("before")
    expect(panel.locator(".run-output").last).to_contain_text("300000")


def test_a_lost_worker_is_reported_and_replaced(panel: Locator) -> None:
    run(panel, "import js\n\njs.close()\nprint(1)\n")
    assert run(panel, "print(4)\n") == "Python no longer responds. Press Run to restart it."
    assert run(panel, "print(4)\n") == "Your program ran."


def test_a_program_is_ended_after_a_minute(panel: Locator) -> None:
    """Advance the page's clock instead of waiting; the worker's clock is unchanged."""
    page = panel.page
    page.clock.install()
    try:
        paste(panel.get_by_role("textbox"), "print('so far')\nwhile True:\n    pass\n")
        panel.get_by_role("button", name="Run", exact=True).click()
        expect(panel.locator(".run-output").first).to_contain_text("so far")
        page.clock.fast_forward(59_000)
        expect(panel.locator(".run-status")).to_have_text("Running")
        page.clock.fast_forward(2_000)
        expect(panel.locator(".run-status")).to_contain_text("Stopped after 60 seconds")
        expect(panel.locator(".run-output").first).to_contain_text("so far")
    finally:
        page.clock.resume()


def test_run_from_a_folder_explains_that_it_needs_a_server(chromium: Browser, site: Path) -> None:
    context = chromium.new_context()
    local = context.new_page()
    local.goto((site / "index.html").as_uri())
    local.get_by_role("button", name="Run: How much").click()
    expect(local.locator(".run-status")).to_contain_text("opened from a folder")
    context.close()

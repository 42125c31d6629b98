"""Each example with a Run button prints exactly what its page shows, if the page's code runs it in this process or in a browser.

With `--tier full`, all examples run, which takes minutes in the browser. Otherwise one in ninety runs and, in the browser, the examples
that failed before. The harness runs every example with the same executor; only a few functions around it are special to the page.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from snippetcheck.settings import load_settings
from snippetcheck.snippet import files

from gradnotes.browser.run import run_program
from gradnotes.fences.snippet import runs_in_the_page
from tests.site.running import need_runtime

PARTS = 6  # number of tests among which the examples that run in this process are divided, so that pytest workers share them
LIMIT = 300_000  # milliseconds for one example in the browser; two of them train for half a minute

# Differences between Python in the browser and Python here, each with the examples that revealed it.
EXAMPLES_BY_DIFFERENCE = {
    "reference counts differ": ["using-autograd/second-backward/nothing_saved", "tensors/memory/numpy_resize"],
    "indices are int32": ["extending/context/integers", "tensors/arithmetic/compare", "tensors/indexing/where"],
    "integers of NumPy are int32": ["tensors/from-data/always_copies", "tensors/from-data/numpy_limits"],
    "a long graph is freed": ["inside-the-engine/hooks/depth", "inside-the-engine/checkpoint/remedies"],
    "an engine is garbage-collected": ["extending/context/circle", "memory-and-speed/activations/leak_grows"],
    "messages of Python differ": ["hooks/feature-maps/is_literal", "training/parameters-and-buffers/extra_state"],
}

# Runs the programs one after the other in a sandbox of the page. Returns the verdict and the differences of each.
# If a sandbox ends or does not answer, the verdict says so, and a new sandbox replaces it.
RUN_PROGRAMS = """async ([programs, limit]) => {
  await gradnotes.load("sandbox.js");
  let sandbox, receive;
  const send = (source) => new Promise((resolve) => {
    const fail = (message) => {
      sandbox.end();
      sandbox = undefined;
      resolve({ verdict: message, differences: [] });
    };
    const timer = setTimeout(() => fail("no answer"), limit);
    receive = ({ error, result }) => {
      if (!error && !result) return;
      clearTimeout(timer);
      error ? fail(error) : resolve(result);
    };
    sandbox ??= new gradnotes.Sandbox((data) => receive(data));
    sandbox.send({ source, identifier: "x" });
  });
  const verdicts = {};
  for (const [name, source] of programs) {
    const { verdict, differences } = await send(source);
    verdicts[name] = [verdict, ...differences];
  }
  sandbox?.end();
  return verdicts;
}"""


def examples(root: Path) -> dict[str, str]:
    """Map the name of each example with a Run button to its program."""
    settings = load_settings(root)
    snippets = map(settings.load, files(settings.snippets_dir))
    return {snippet.name.removesuffix(".py"): snippet.text for snippet in snippets if runs_in_the_page(snippet)}


def select_examples(root: Path, tier: str, always: Iterable[str] = ()) -> dict[str, str]:
    """Return all examples with `tier="full"`, else one in ninety and those in `always`."""
    programs = examples(root)
    assert len(programs) > 400
    names = {*always, *list(programs)[::90]}
    return {name: text for name, text in programs.items() if tier == "full" or name in names}


def differing_verdicts(verdicts_by_name: dict[str, list[str]]) -> dict[str, list[str]]:
    return {
        name: verdicts
        for name, verdicts in verdicts_by_name.items()
        if not verdicts[0].startswith("The output is the same as on the page")
    }


@pytest.mark.parametrize("part", range(PARTS))
def test_examples_run_by_the_code_of_the_page_print_what_it_shows(
    part: int, root: Path, tier: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some examples write files
    verdicts_by_name: dict[str, Any] = {}
    for name, text in list(select_examples(root, tier).items())[part::PARTS]:
        result = json.loads(run_program(text, "x"))
        verdicts_by_name[name] = [result["verdict"], *result["differences"]]
    assert verdicts_by_name
    assert differing_verdicts(verdicts_by_name) == {}


def test_examples_in_the_browser_print_what_the_page_shows(
    chromium: Browser, site: Path, server: str, root: Path, tier: str
) -> None:
    need_runtime(site)
    programs = select_examples(root, tier, itertools.chain(*EXAMPLES_BY_DIFFERENCE.values()))
    context = chromium.new_context()
    page = context.new_page()
    page.goto(server + "index.html")
    verdicts_by_name = page.evaluate(RUN_PROGRAMS, [list(programs.items()), LIMIT])
    context.close()
    assert len(verdicts_by_name) == len(programs)
    assert differing_verdicts(verdicts_by_name) == {}

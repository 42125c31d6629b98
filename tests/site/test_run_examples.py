"""Each example with a Run button prints exactly what its page shows, when run by the page's code in this process and in a browser.

`--tier full` runs all examples, which takes minutes in the browser; other tiers run one in ninety and those that failed before.
The harness runs every example with the same executor; only a few functions around it are special to the page.
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

PARTS = 6  # of the examples that run here: in `full`, workers share them
LIMIT = 300_000  # ms for one example in the browser; two of them train for half a minute

# Differences of the browser's Python from ours, each with the examples that revealed it.
FENCE_RENDERERS = {
    "references are counted otherwise": ["using-autograd/second-backward/nothing_saved", "tensors/memory/numpy_resize"],
    "positions are int32": ["extending/context/integers", "tensors/arithmetic/compare", "tensors/indexing/where"],
    "whole numbers of NumPy are int32": ["tensors/from-data/always_copies", "tensors/from-data/numpy_limits"],
    "a long graph, let go": ["inside-the-engine/hooks/depth", "inside-the-engine/checkpoint/remedies"],
    "an engine, collected": ["extending/context/circle", "memory-and-speed/activations/leak_grows"],
    "texts of Python": ["hooks/feature-maps/is_literal", "training/parameters-and-buffers/extra_state"],
}

# Sends the programs to a sandbox of the page, one after the other; a lost sandbox is reported and replaced.
SEND = """async ([programs, limit]) => {
  await gradnotes.load("sandbox.js");
  let sandbox, receive;
  const send = (source) => new Promise((done) => {
    const lost = (why) => { sandbox.end(); sandbox = undefined; done({ verdict: why, differences: [] }); };
    const timer = setTimeout(() => lost("no answer"), limit);
    receive = ({ error, result }) => {
      if (!error && !result) return;
      clearTimeout(timer);
      error ? lost(error) : done(result);
    };
    sandbox ??= new gradnotes.Sandbox((data) => receive(data));
    sandbox.send({ source, identifier: "x" });
  });
  const said = {};
  for (const [name, source] of programs) {
    const { verdict, differences } = await send(source);
    said[name] = [verdict, ...differences];
  }
  sandbox?.end();
  return said;
}"""


def examples(root: Path) -> dict[str, str]:
    """Map the name of each example with a Run button to its program."""
    settings = load_settings(root)
    snippets = map(settings.load, files(settings.snippets_dir))
    return {snippet.name.removesuffix(".py"): snippet.text for snippet in snippets if runs_in_the_page(snippet)}


def select_examples(root: Path, tier: str, always: Iterable[str] = ()) -> dict[str, str]:
    """Return the examples that are run: all, or one in ninety and those named."""
    programs = examples(root)
    assert len(programs) > 400
    names = {*always, *list(programs)[::90]}
    return {name: text for name, text in programs.items() if tier == "full" or name in names}


def not_as_shown(verdicts_by_name: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: words for name, words in verdicts_by_name.items() if not words[0].startswith("Same as on the page")}


@pytest.mark.parametrize("part", range(PARTS))
def test_as_the_page_runs_them(
    part: int, root: Path, tier: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # for the files that they write
    verdicts_by_name: dict[str, Any] = {}
    for name, text in list(select_examples(root, tier).items())[part::PARTS]:
        result = json.loads(run_program(text, "x"))
        verdicts_by_name[name] = [result["verdict"], *result["differences"]]
    assert verdicts_by_name
    assert not_as_shown(verdicts_by_name) == {}


def test_in_the_browser(chromium: Browser, site: Path, server: str, root: Path, tier: str) -> None:
    need_runtime(site)
    programs = select_examples(root, tier, itertools.chain(*FENCE_RENDERERS.values()))
    context = chromium.new_context()
    page = context.new_page()
    page.goto(server + "index.html")
    verdicts_by_name = page.evaluate(SEND, [list(programs.items()), LIMIT])
    context.close()
    assert len(verdicts_by_name) == len(programs)
    assert not_as_shown(verdicts_by_name) == {}

"""Each engine of docs/inside-the-engine extends the previous engine, and its page shows the new lines."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from snippetcheck.pages import Fence, fences
from snippetcheck.settings import load_settings
from snippetcheck.snippet import Snippet

from gradnotes import front_matter

ROOT = Path(__file__).parents[2]
PART = ROOT / "docs" / "inside-the-engine"
PAGES = front_matter.read(ROOT / "docs", "inside-the-engine/index.md").values["pages"]
STEPS = [page for page in PAGES[: PAGES.index("the-core")] if page != "checkpoint"]
MAX_LINES = 240  # lines of code in an engine, without its comparison with PyTorch
MAX_NEW_LINES = 70  # new lines of code in a step
MAX_WIDTH = 88  # characters of a line that a window of 1280 pixels shows without scrolling


def program(step: str) -> Snippet:
    """Load the program of a step."""
    return load_settings(ROOT).load(ROOT / "snippets" / "inside-the-engine" / step / "engine.py")


def unfolded_fences(page: str) -> list[Fence]:
    """Return the fences of a page that are not inside a fold."""
    text = (PART / f"{page}.md").read_text(encoding="utf-8")
    return [fence for fence in fences(PART / f"{page}.md") if text.splitlines()[fence.line - 1].startswith("`")]


def engine(snippet: Snippet) -> dict[int, str]:
    """Map line numbers to the lines of code of a step's engine, without blank lines, comments and its comparison with PyTorch."""
    first, last = (snippet.manifest.last_line or snippet.title_last_line) + 1, snippet.regions["on-both-engines"][0] - 1
    lines = {number: snippet.lines[number - 1] for number in range(first, last)}
    return {number: line for number, line in lines.items() if line.strip() and not line.lstrip().startswith("#")}


def code(line: str) -> str:
    """Return a line without indentation and comment, so that a line that only moved into a block does not count as new."""
    return re.sub(r"  # .*", "", line).strip()


@pytest.mark.parametrize(("before", "step"), list(pairwise(["", *STEPS])))
def test_lines_that_a_step_adds_are_shown_outside_folds(before: str, step: str) -> None:
    snippet = program(step)
    old_code = {code(line) for line in engine(program(before)).values()} if before else set()
    new_lines = [n for n, line in engine(snippet).items() if code(line) not in old_code and "import" not in line]
    regions = [
        snippet.regions[fence.keys["region"]]
        for fence in unfolded_fences(step)
        if fence.keys.get("file") == snippet.name and "region" in fence.keys
    ]
    hidden_lines = [snippet.lines[n - 1] for n in new_lines if not any(first <= n <= last for first, last in regions)]
    assert hidden_lines == []
    assert len(new_lines) <= MAX_NEW_LINES and len(engine(snippet)) <= MAX_LINES


@pytest.mark.parametrize(("before", "step"), list(pairwise([*STEPS, "the-core"])))
def test_a_step_begins_with_a_failure_of_the_previous_engine(before: str, step: str) -> None:
    """Check that each page begins with a program on which the engine of the previous page fails.

    Only the failure of the first engine is on the first page itself, because readers of the path skip the second page.
    """
    page = before if step == STEPS[1] else step
    programs = [fence for fence in unfolded_fences(page) if fence.kind in ("snippet", "predict")]
    troubles = [
        fence
        for fence in programs
        if fence.keys["file"] == program(before).name and fence.keys.get("region") == "trouble"
    ]
    assert len(troubles) == 1
    if step not in ("the-core", STEPS[1]):
        assert troubles[0] == unfolded_fences(step)[0]


@pytest.mark.parametrize("step", STEPS)
def test_lines_of_programs_are_not_too_long(step: str) -> None:
    wide = [line for line in program(step).lines if len(line) > MAX_WIDTH and not line.startswith("#>")]
    assert wide == []


@pytest.mark.parametrize("page", PAGES)
def test_no_section_begins_with_a_fence(page: str) -> None:
    text = (PART / f"{page}.md").read_text(encoding="utf-8")
    assert re.findall(r"^#+ .*\n\n```.*", text, re.MULTILINE) == []

"""The tour of docs/inside-the-engine: ten programs, each extending the one before, and the pages that show the new lines."""

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
LISTED = front_matter.read(ROOT / "docs", "inside-the-engine/index.md").values["pages"]
STEPS = [page for page in LISTED[: LISTED.index("the-core")] if page != "checkpoint"]
LINES = 240  # of code in an engine, without its comparison with PyTorch
NEW = 70  # in a step
WIDTH = 88  # characters that a page shows without scrolling, at 1280 pixels


def program(step: str) -> Snippet:
    return load_settings(ROOT).load(ROOT / "snippets" / "inside-the-engine" / step / "engine.py")


def unfolded_fences(page: str) -> list[Fence]:
    """Return the fences of a page that readers see unfolded."""
    text = (PART / f"{page}.md").read_text(encoding="utf-8")
    return [fence for fence in fences(PART / f"{page}.md") if text.splitlines()[fence.line - 1].startswith("`")]


def engine(snippet: Snippet) -> dict[int, str]:
    """Map line numbers to the code of a step's engine, up to its comparison with PyTorch."""
    first, last = (snippet.manifest.last_line or snippet.title_last_line) + 1, snippet.regions["on-both-engines"][0] - 1
    lines = {number: snippet.lines[number - 1] for number in range(first, last)}
    return {number: line for number, line in lines.items() if line.strip() and not line.lstrip().startswith("#")}


def code(line: str) -> str:
    """Remove indentation and comment, since a line that moved into a block is not new."""
    return re.sub(r"  # .*", "", line).strip()


@pytest.mark.parametrize(("before", "step"), list(pairwise(["", *STEPS])))
def test_what_is_new_is_shown_unfolded(before: str, step: str) -> None:
    snippet = program(step)
    known = {code(line) for line in engine(program(before)).values()} if before else set()
    new = [number for number, line in engine(snippet).items() if code(line) not in known and "import" not in line]
    regions = [
        snippet.regions[f.keys["region"]]
        for f in unfolded_fences(step)
        if f.keys.get("file") == snippet.name and "region" in f.keys
    ]
    hidden_lines = [snippet.lines[n - 1] for n in new if not any(first <= n <= last for first, last in regions)]
    assert hidden_lines == []
    assert len(new) <= NEW and len(engine(snippet)) <= LINES


@pytest.mark.parametrize(("before", "step"), list(pairwise([*STEPS, "the-core"])))
def test_a_step_begins_with_what_goes_wrong_in_the_one_before(before: str, step: str) -> None:
    """Check that each page begins with a program on which the engine of the previous page fails.

    The program on which the first engine fails is on the first page itself, since the path ends there.
    """
    page = before if step == STEPS[1] else step
    programs = [f for f in unfolded_fences(page) if f.kind in ("snippet", "predict")]
    troubles = [f for f in programs if f.keys["file"] == program(before).name and f.keys.get("region") == "trouble"]
    assert len(troubles) == 1
    if step not in ("the-core", STEPS[1]):
        assert troubles[0] == unfolded_fences(step)[0]


@pytest.mark.parametrize("step", STEPS)
def test_a_program_is_read_without_scrolling(step: str) -> None:
    wide = [line for line in program(step).lines if len(line) > WIDTH and not line.startswith("#>")]
    assert wide == []


@pytest.mark.parametrize("page", LISTED)
def test_no_section_opens_with_a_fence(page: str) -> None:
    text = (PART / f"{page}.md").read_text(encoding="utf-8")
    assert re.findall(r"^#+ .*\n\n```.*", text, re.MULTILINE) == []

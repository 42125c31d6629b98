"""Reports shorten long lines, many lines and lists of numbers, but always show the difference."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sample_projects import Project
from snippetcheck.fence_types import Fence
from snippetcheck.report import difference


def test_a_long_line_is_cut_around_its_first_difference() -> None:
    page, run = "a" * 1000 + "b" + "c" * 1000, "a" * 1000 + "d" + "c" * 1000
    removed, added = [line for line in difference([page], [run]) if line[0] in "-+"]
    assert removed == "- [800 characters]" + "a" * 200 + "b" + "c" * 199 + "[801 more]"
    assert added == "+ [800 characters]" + "a" * 200 + "d" + "c" * 199 + "[801 more]"


@pytest.mark.parametrize(("length", "text"), [(400, "x" * 400), (401, "x" * 400 + "[1 more]")])
def test_a_line_beyond_400_characters_is_shortened(length: int, text: str) -> None:
    assert difference([], ["x" * length]) == ["+ " + text]
    assert difference(["x" * length], []) == ["- " + text]


def test_no_count_of_omitted_characters_follows_the_end_of_a_line() -> None:
    (_, run) = [line for line in difference(["a" * 500], ["a" * 499 + "b"]) if line[0] in "-+"]
    assert run == "+ [299 characters]" + "a" * 200 + "b"


def test_the_middle_of_many_lines_is_omitted() -> None:
    assert len(difference([], ["x"] * 40)) == 40
    lines = difference([], [str(n) for n in range(50)])
    assert len(lines) == 41 and lines[19:22] == ["+ 19", "+ [10 more lines]", "+ 30"]


def test_twelve_changed_numbers_and_the_largest_of_the_rest_are_listed() -> None:
    page = " ".join(f"{n}.0" for n in range(1, 15))
    run = " ".join(f"{n}.5" for n in range(1, 15))
    lines = difference([page], [run])
    assert lines[-1] == "  and 2 more; the largest: 1.0 -> 1.5  (absolute 0.5, relative 0.5)"
    assert len([line for line in lines if "->" in line]) == 14


@pytest.mark.parametrize(
    ("region", "line", "shows"),
    [(None, 9, True), ("a", 3, True), ("a", 5, True), ("a", 2, False), ("a", 6, False), ("gone", 1, True)],
)
def test_a_fence_shows_the_lines_of_its_region(region: str | None, line: int, shows: bool) -> None:
    keys = {"region": region} if region else {}
    fence = Fence(Path("page.md"), 1, 3, "snippet", "snippet", (), keys)
    assert fence.shows(line, {"a": (3, 5)}) is shows


def test_all_paths_in_a_report_are_relative(project: Project) -> None:
    """Check that failures, malformed snippets and problems of the ledger have paths relative to the working directory."""
    project.snippet("red.py", "print(1)\n#> 2")
    project.snippet("malformed.py", "print(1)", manifest="# cover: x\n")
    project.snippet("raises.py", "1 / 0")
    project.page("page.md", "``` python\nx\n```\n\n``` snippet\nfile: red.py\n```\n")
    for completed in (project.pytest(), project.harness("bless")):
        text = completed.stdout + completed.stderr
        paths = set(re.findall(r"\S*(?:red|malformed|raises)\.py:\d+: ", text)) | set(
            re.findall(r"\S*page\.md:\d+: ", text)
        )
        assert len(paths) >= 2, text
        assert {path for path in paths if not path.startswith(("snippets/", "docs/"))} == set(), text

"""What `--tier quick` leaves out, and what it must not."""

from __future__ import annotations

import runpy
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

pytest_plugins = "pytester"
Ran = Callable[..., dict[str, int]]

TESTS = """
from pathlib import Path
def test_value(): assert Path("reference_impl/core.py").read_text() == "1"
def test_other(): pass
"""


@pytest.fixture
def ran(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Ran:
    """Run pytest with these options in a project with our conftest.py, two tests of the engine and one of a page; what came out."""
    monkeypatch.delenv("GRADNOTES_TIER", raising=False)
    shutil.copy(Path(__file__).parents[1] / "conftest.py", pytester.path)
    for name, text in {
        "reference_impl/core.py": "1",
        "tests/engine/test_made.py": TESTS,
        "tests/site/test_page.py": "def test_page(): pass",
    }.items():
        path = pytester.path / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    pytester.path.joinpath("pyproject.toml").write_text("[tool.pytest.ini_options]\n")

    def run(*options: str) -> dict[str, int]:
        # Workers see what is installed from a new process, and this one has seen other paths.
        runpytest = pytester.runpytest_subprocess if "-n" in options else pytester.runpytest
        return runpytest("-p", "no:snippetcheck", "-p", "no:cacheprovider", *options).parseoutcomes()

    return run


def test_quick_leaves_out_what_has_passed_as_it_is(ran: Ran, pytester: pytest.Pytester) -> None:
    assert ran("--tier", "quick") == {"passed": 3}
    assert ran("--tier", "quick") == {"passed": 1}
    assert ran() == ran("--tier", "full") == {"passed": 3}
    pytester.path.joinpath("reference_impl/new.py").write_text("")
    assert ran("--tier", "quick") == {"passed": 3}
    assert ran("--tier", "quick") == {"passed": 1}


def test_quick_asks_again_what_has_failed(ran: Ran, pytester: pytest.Pytester) -> None:
    core = pytester.path / "reference_impl/core.py"
    assert ran() == {"passed": 3}
    core.write_text("2")
    for _ in range(2):
        assert ran("--tier", "quick") == {"passed": 2, "failed": 1}
    core.write_text("1")
    assert ran("--tier", "quick") == {"passed": 3}


@pytest.mark.parametrize("part", [("-k", "other"), ("tests/engine/test_made.py::test_other",), ("--maxfail", "1")])
def test_a_part_of_a_file_does_not_stand_for_it(ran: Ran, part: tuple[str, ...]) -> None:
    assert ran(*part)["passed"] >= 1
    assert ran("--tier", "quick") == {"passed": 3}


def test_prose_around_a_fence_does_not_ask_for_it_again(tmp_path: Path) -> None:
    root = Path(__file__).parents[1]
    page = tmp_path / "page.md"

    def state(text: str, kind: str = "figure") -> str:
        page.write_text(text)
        names = runpy.run_path(str(root / "conftest.py"))  # anew, since what it has read it reads once
        return names["checksum"](f"{tmp_path}#{kind}")

    figure = "    ``` figure\n    kind: strides\n    ```"
    before = state(f"One.\n\n{figure}\n\n``` snippet\na.py\n```\n")
    assert before == state(f"Another.\n\n{figure}\n\n``` snippet\nb.py\n```\n")
    assert before != state(f"One.\n\n{figure.replace('strides', 'index')}\n\n``` snippet\na.py\n```\n")
    every = state(f"One.\n\n{figure}\n\n``` snippet\na.py\n```\n", "[a-z]+")
    assert every == state(f"Another.\n\n{figure}\n\n``` snippet\na.py\n```\n", "[a-z]+")
    assert every != state(f"One.\n\n{figure}\n\n``` snippet\nb.py\n```\n", "[a-z]+")


def test_workers_leave_out_the_same(ran: Ran) -> None:
    assert ran("-n", "1") == {"passed": 3}
    assert ran("-n", "1", "--tier", "quick") == {"passed": 1}


def test_what_decides_is_there() -> None:
    """A folder that has moved would decide nothing, and its tests would be left out for ever."""
    root = Path(__file__).parents[1]
    names = runpy.run_path(str(root / "conftest.py"))
    paths = {
        *names["DECIDED_BY"],
        *names["ALWAYS"],
        *(path for paths in names["DECIDED_BY"].values() for path in paths),
    }
    assert [
        path for path in paths if not (root / path.partition("#")[0]).exists() and not path.startswith(".cache/")
    ] == []


def test_the_environment_names_a_tier_too(ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    ran()
    monkeypatch.setenv("GRADNOTES_TIER", "quick")
    assert ran() == {"passed": 1}


def test_an_unknown_tier_is_an_error(ran: Ran, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADNOTES_TIER", "all")
    result = pytester.runpytest("-p", "no:snippetcheck")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*GRADNOTES_TIER=all: it is one of quick, pull-request, full*"])

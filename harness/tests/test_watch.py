"""The watch mode reruns the snippets that a saved file affects. (bench/harness measures how long that takes.)"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sample_projects import Project

PYPROJECT = """
[tool.snippetcheck.engines.one]
[tool.snippetcheck.engines.two]
preload = ["stand_in"]
path = ["."]
sources = ["stand_in"]
"""


class Watching:
    """A process of `snippetcheck watch`. The constructor waits until the process has printed the text `ready`."""

    def __init__(self, project: Project, ready: str = "watching"):
        self.project = project
        self.log = project.root / "log"
        self.stream = self.log.open("w")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "snippetcheck", "watch"], cwd=project.root, stdout=self.stream, stderr=self.stream
        )
        self.position = 0
        self.wait_for(ready, 20)

    def wait_for(self, text: str, seconds: float) -> str:
        """Wait until `text` is printed, and return the output since the last call. Fail after `seconds`."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            output = self.log.read_text()[self.position :]
            if text in output:
                self.position += len(output)
                return output
            time.sleep(0.02)
        raise AssertionError(
            f"{text!r} was not printed within {seconds} s, but: {self.log.read_text()[self.position :]!r}"
        )

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=10)
        self.stream.close()


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[Watching]:
    """Watch a project with two engines: a.py runs on both, b.py only on `two`, and a page shows a.py."""
    project = Project(tmp_path / "watched", PYPROJECT)
    (project.root / "stand_in.py").write_text("value = 1\n")
    project.snippet("a.py", "print(1)\n#> 1")
    project.snippet("b.py", "import stand_in\nprint(stand_in.value)\n#> 1", "# engines: two -- it has the module\n")
    project.page("a.md", "``` snippet\nfile: a.py\n```\n")
    watch = Watching(project)
    yield watch
    watch.close()


def test_a_saved_snippet_is_run(watching: Watching) -> None:
    watching.project.snippet("a.py", "print(2)\n#> 1")
    output = watching.wait_for("0 green now, 2 red in all", 30)
    assert "RED   a.py on one" in output and "RED   a.py on two" in output
    assert "docs/a.md:1: shows a.py" in output
    watching.project.snippet("a.py", "print(2)\n#> 2")
    output = watching.wait_for("2 green now, 0 red in all", 30)
    assert "green a.py one" in output and "green a.py two" in output and "b.py" not in output


def test_a_malformed_snippet_is_reported_until_it_is_corrected(watching: Watching) -> None:
    watching.project.snippet("a.py", "print(2)\n#>1")
    assert "a.py:4: nearly an expected line" in watching.wait_for("1 red in all", 30)
    watching.project.snippet("a.py", "print(2)\n#> 2")
    watching.wait_for("2 green now, 0 red in all", 30)


def test_a_new_file_with_a_name_reserved_by_pytest_is_not_run(watching: Watching) -> None:
    """Check that the watch refuses a file that would keep pytest from starting."""
    watching.project.snippet("conftest.py", "print(3)\n#> 3")
    assert "'conftest.py' is reserved by pytest" in watching.wait_for("0 green now, 1 red in all", 30)


def test_a_new_snippet_is_run(watching: Watching) -> None:
    watching.project.snippet("c.py", "print(3)\n#> 3")
    assert "green c.py one" in watching.wait_for("2 green now", 30)


def test_a_saved_page_is_checked_and_its_snippets_are_run(watching: Watching) -> None:
    watching.project.page("a.md", "``` snippet\nfile: a.py\n```\n\n``` python\nx\n```\n")
    output = watching.wait_for("2 green now, 0 red in all", 30)
    assert "a.md:5: a fence that nothing checks" in output
    watching.project.page("a.md", "``` snippet\nfile: z.py\n```\n")
    watching.wait_for("no snippet 'z.py'", 30)
    watching.project.page("a.rst", ".. literalinclude:: ../snippets/a.py\n\n.. literalinclude:: ../snippets/y.py\n")
    output = watching.wait_for("2 green now, 0 red in all", 30)
    assert "no snippet 'y.py'" in output and "green a.py one" in output


def test_a_saved_engine_source_reruns_the_snippets_of_that_engine(watching: Watching) -> None:
    (watching.project.root / "stand_in.py").write_text("value = 22\n")
    output = watching.wait_for("1 red in all", 10)
    assert "green a.py two" in output and "a.py one" not in output
    assert "RED   b.py on two" in output
    (watching.project.root / "stand_in.py").write_text("value =\n")
    watching.wait_for("engine 'two' cannot be imported", 10)
    (watching.project.root / "stand_in.py").write_text("value = 1\n")
    output = watching.wait_for("0 red in all", 10)
    assert output.index("b.py") < output.index("a.py"), "failed snippets must run first"


def test_a_removed_or_renamed_snippet_is_no_longer_counted(watching: Watching) -> None:
    path = watching.project.snippet("a.py", "print(2)\n#> 1")
    watching.wait_for("0 green now, 2 red in all", 30)
    path.rename(path.with_name("c.py"))
    output = watching.wait_for("0 green now, 2 red in all", 30)
    assert "gone  snippets/a.py, 0 red in all" in output and "RED   c.py on one" in output
    path.with_name("c.py").unlink()
    watching.wait_for("gone  snippets/c.py, 0 red in all", 30)


def test_a_removed_page_and_one_that_is_not_utf8_do_not_stop_the_watch(watching: Watching) -> None:
    page = watching.project.root / "docs" / "a.md"
    page.unlink()
    (watching.project.root / "docs" / "b.md").write_bytes(b"\xff")
    watching.wait_for("docs/b.md:1: a page that is not UTF-8", 30)
    watching.project.snippet("a.py", "print(2)\n#> 1")
    watching.wait_for("0 green now, 2 red in all", 30)


def test_the_watch_waits_for_an_engine_that_is_removed(watching: Watching) -> None:
    (watching.project.root / "stand_in.py").unlink()
    watching.wait_for("engine 'two' cannot be imported", 10)
    (watching.project.root / "stand_in.py").write_text("value = 1\n")
    watching.wait_for("2 green now, 0 red in all", 10)


def test_the_watch_waits_for_an_engine_that_is_missing_or_broken_at_the_start(tmp_path: Path) -> None:
    project = Project(tmp_path / "watched", PYPROJECT)
    project.snippet("a.py", "print(1)\n#> 1")
    watch = Watching(project, ready="engine 'two' cannot be imported")
    try:
        (project.root / "stand_in.py").write_text("value =\n")
        watch.wait_for("invalid syntax", 10)
        (project.root / "stand_in.py").write_text("value = 1\n")
        watch.wait_for("1 green now, 0 red in all", 10)
    finally:
        watch.close()

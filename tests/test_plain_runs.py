"""Whoever copies an example gets what its page shows: `python file.py` on torch prints just the `#>` lines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from snippetcheck.compare import line_matches, message_matches, output_lines
from snippetcheck.settings import load_settings
from snippetcheck.snippet import Snippet, files, load

from tests.sampling import is_picked

ROOT = Path(__file__).resolve().parents[1]
SHARE = 8  # one file in so many is run, those that a change of its text picks; `--tier full` runs all
EVERY = 350  # one file in so many is run by an interpreter of its own too


def examples() -> list[Snippet]:
    """The examples that torch runs on any machine."""
    settings = load_settings(ROOT)
    found = [settings.load(path) for path in files(settings.snippets_dir)]
    return [one for one in found if "torch" in one.manifest.engines and "cuda" not in one.manifest.needs]


def differences(snippet: Snippet, status: int, stdout: str, stderr: str) -> list[str]:
    """In what a plain run differs from the lines under the statements."""
    expected = [line for statement in snippet.statements for line in statement.output]
    printed = output_lines(stdout)
    told = []
    if len(printed) != len(expected) or not all(map(line_matches, expected, printed)):
        told.append(f"prints {printed} instead of {[line.text for line in expected]}")
    error = snippet.statements[-1].error
    if bool(status) != bool(error):
        told.append(f"ends with status {status}: {stderr[-300:]}")
    elif error:
        wanted = f"{error.type}: {error.message}".rstrip() if error.message else error.type
        ends = [stderr[at:].rstrip() for at in range(len(stderr)) if stderr.startswith(error.type, at)]
        if not any(message_matches(wanted, one.partition(". Did you mean: ")[0]) for one in ends):
            told.append(f"ends with {stderr[-300:]!r} instead of {wanted!r}")
    return told


def test_a_copied_example_prints_what_its_page_shows(tier: str) -> None:
    """In processes forked from one that has imported torch; nothing of the harness is in them."""
    snippets = {str(one.path): one for one in examples() if is_picked(one.text, SHARE, tier)}
    command = [sys.executable, "-m", "tests.plain_runs", *snippets]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, env=environment())
    ran = json.loads(done.stdout)
    told = {snippets[path].name: differences(snippets[path], *run) for path, run in ran.items()}
    assert {name: what for name, what in told.items() if what} == {}
    assert ran.keys() == snippets.keys()


def test_some_by_an_interpreter_of_their_own(tmp_path: Path) -> None:
    for one in examples()[::EVERY]:
        done = subprocess.run(
            [sys.executable, str(one.path)], cwd=tmp_path, capture_output=True, text=True, env=environment()
        )
        assert differences(one, done.returncode, done.stdout, done.stderr) == []


@pytest.mark.parametrize(
    ("printed", "told"),
    [("1\n2\n", []), ("1\n", ["prints"]), ("1\n2", []), ("1\n3\n", ["prints"]), ("12\n", ["prints"])],
)
def test_a_difference_is_noticed(tmp_path: Path, printed: str, told: list[str]) -> None:
    path = tmp_path / "a.py"
    path.write_text('"""A title."""\n\nprint(1)\n#> 1\nprint(2)\n#> 2\n')
    assert [what.split()[0] for what in differences(load(path, tmp_path), 0, printed, "")] == told


def environment() -> dict[str, str]:
    """One thread, so that sums come out as in the harness, and the hashes of one seed."""
    return os.environ | {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "COLUMNS": "80", "TZ": "UTC"}

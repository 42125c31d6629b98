"""A copied example prints what its page shows: `python file.py` on torch prints the output that the `#>` lines expect."""

from __future__ import annotations

import functools
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
SHARE = 20  # one example in twenty runs, selected by the checksum of its text; with `--tier full`, all
EVERY = 350  # each 350th example also runs in a new interpreter


@functools.cache
def examples() -> list[Snippet]:
    """Return the snippets that run on torch and don't need CUDA."""
    settings = load_settings(ROOT)
    snippets = [settings.load(path) for path in files(settings.snippets_dir)]
    return [
        snippet for snippet in snippets if "torch" in snippet.manifest.engines and "cuda" not in snippet.manifest.needs
    ]


def differences(snippet: Snippet, status: int, stdout: str, stderr: str) -> list[str]:
    """Describe each difference between a run without the harness, and the output and error that the snippet expects."""
    expected = [line for statement in snippet.statements for line in statement.output]
    printed = output_lines(stdout)
    messages = []
    if len(printed) != len(expected) or not all(map(line_matches, expected, printed)):
        messages.append(f"prints {printed} instead of {[line.text for line in expected]}")
    error = snippet.statements[-1].error
    if bool(status) != bool(error):
        messages.append(f"ends with status {status}: {stderr[-300:]}")
    elif error:
        expected_error = f"{error.type}: {error.message}".rstrip() if error.message else error.type
        ends = [stderr[at:].rstrip() for at in range(len(stderr)) if stderr.startswith(error.type, at)]
        if not any(message_matches(expected_error, end.partition(". Did you mean: ")[0]) for end in ends):
            messages.append(f"ends with {stderr[-300:]!r} instead of {expected_error!r}")
    return messages


def test_a_copied_example_prints_what_its_page_shows(tier: str) -> None:
    """Run examples without the harness, in forks of a process that has imported torch."""
    snippets = {str(snippet.path): snippet for snippet in examples() if is_picked(snippet.text, SHARE, tier)}
    command = [sys.executable, "-m", "tests.plain_runs", *snippets]
    completed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, env=environment())
    runs = json.loads(completed.stdout)
    messages = {snippets[path].name: differences(snippets[path], *run) for path, run in runs.items()}
    assert {name: texts for name, texts in messages.items() if texts} == {}
    assert runs.keys() == snippets.keys()


def test_some_examples_print_what_their_page_shows_in_a_new_interpreter(tmp_path: Path) -> None:
    for snippet in examples()[::EVERY]:
        completed = subprocess.run(
            [sys.executable, str(snippet.path)], cwd=tmp_path, capture_output=True, text=True, env=environment()
        )
        assert differences(snippet, completed.returncode, completed.stdout, completed.stderr) == []


@pytest.mark.parametrize(
    ("printed", "first_words"),
    [("1\n2\n", []), ("1\n", ["prints"]), ("1\n2", []), ("1\n3\n", ["prints"]), ("12\n", ["prints"])],
)
def test_a_difference_in_output_is_described(tmp_path: Path, printed: str, first_words: list[str]) -> None:
    path = tmp_path / "a.py"
    path.write_text('"""A title."""\n\nprint(1)\n#> 1\nprint(2)\n#> 2\n')
    assert [message.split()[0] for message in differences(load(path, tmp_path), 0, printed, "")] == first_words


def environment() -> dict[str, str]:
    """Return this process's environment with variables that the harness sets: threads, hash seed, terminal width and time zone.

    More threads would change the rounding of sums, and another hash seed the order of sets.
    """
    return os.environ | {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "COLUMNS": "80", "TZ": "UTC"}

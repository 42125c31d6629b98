"""Each key of the manifest does what the README says, and a mistake in its value is reported with line and remedy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sample_projects import Project
from snippetcheck.bless import bless
from snippetcheck.compare import compare
from snippetcheck.engines import PYTHON
from snippetcheck.mutate import score
from snippetcheck.outcome import FINISHED, FLOODED, RAISED, TOO_MANY_PROCESSES, TOO_MUCH_MEMORY
from snippetcheck.runner.client import EngineClient
from snippetcheck.snippet import Snippet, SnippetError, load

NUMPY = 'needs = ["made_up"]\n[tool.snippetcheck.engines.numpy]\npreload = ["numpy"]\ndistributions = ["numpy"]\n'
THIS_PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


@pytest.fixture
def write_with(tmp_path: Path) -> Callable[[str, str], Snippet]:
    """Return a function that writes a snippet with this manifest and body, and returns the parsed snippet."""

    def write_with(manifest: str, body: str) -> Snippet:
        path = tmp_path / "example.py"
        path.write_text(f'"""An example."""\n{manifest}\n\n{body}\n')
        return load(path, tmp_path)

    return write_with


@pytest.mark.parametrize(
    ("manifest", "reason"),
    [
        ("# skip: the server is away", "the server is away"),
        ("# when: python < 3", f"needs python < 3, and {THIS_PYTHON}"),
        ("# when: platform != linux", "needs platform != linux, and this is linux"),
        ("# when: platform == win32", "needs platform == win32, and this is linux"),
        ("# when: numpy >= 2, < 3 and numpy < 1", "needs numpy < 1, and 2."),
        ("# when: made-up >= 1", "needs made-up >= 1, which is not installed"),
        ("# when: python >= 3.11 and numpy >= 1 and platform == linux", ""),
        ("# when: Python >= 3", "unknown name 'Python'"),
    ],
)
def test_a_snippet_is_skipped_where_it_cannot_run(manifest: str, reason: str, project: Project) -> None:
    file = project.root / "pyproject.toml"
    file.write_text(file.read_text().partition("[tool.snippetcheck.engines")[0] + NUMPY)
    project.snippet("a.py", "print(1)\n#> 1", manifest)
    output = project.pytest("-rs").stdout
    verdict = "1 passed" if not reason else "1 failed" if "unknown" in reason else "1 skipped"
    assert verdict in output and reason in output, output
    if verdict == "1 skipped":
        completed = project.harness("bless")
        assert completed.returncode == 0 and f"not blessed a.py: {reason}" in completed.stdout, completed.stdout


def test_a_program_for_another_python_is_skipped(project: Project) -> None:
    """Check for snippet files and a fence that a syntax error is reported only if this Python meets the condition of `when`."""
    file = project.root / "pyproject.toml"
    file.write_text(f'{file.read_text().partition("[tool.snippetcheck.engines")[0]}examples = ["page.md"]\n{NUMPY}')
    project.snippet("later.py", "type = = int\nprint(1)\n#> 1", "# when: python >= 9\n# covers: a")
    project.snippet("now.py", "type = = int\nprint(1)\n#> 1", "# when: python >= 3")
    (project.root / "page.md").write_text("```python\n# when: python >= 9\n\ntype = = int\nprint(1)\n#> 1\n```\n")
    output = project.pytest("-rs").stdout
    assert "2 skipped" in output and "needs python >= 9, and" in output, output
    assert "now.py:3: is not Python: invalid syntax" in output and "later.py:" not in output.partition("= short")[0], (
        output
    )


@pytest.mark.parametrize(
    ("manifest", "message", "remedy"),
    [
        ("# skip:", "manifest key 'skip' has no value", "add a value or remove the line"),
        (
            "# when: nunpy >= 2",
            "unknown name 'nunpy' in a condition",
            "use one of python, platform, numpy, made_up, or",
        ),
        ("# when: python", "not a condition: 'python'", "write `name >= version`"),
        ("# when: python >= 3.x", "not a version of python: '>= 3.x'", "write `>= 3.12`"),
        ("# when: python >= 3.11 or numpy >= 2", "not a version of python: '>= 3.11 or numpy >= 2'", "write `>= 3.12`"),
        ("# when: python === 3.11", "not a version of python: '=== 3.11'", "write `>= 3.12`"),
        ("# when: python >= 3,, < 4", "not a version of python: '>= 3,, < 4'", "write `>= 3.12`"),
        ("# when: python >= 3, and numpy >= 2", "not a version of python: '>= 3,'", "write `>= 3.12`"),
        ("# when: platform == linus", "not a condition on the platform: '== linus'", "linux, darwin, win32"),
        ("# when: platform >= linux", "not a condition on the platform: '>= linux'", "`platform != NAME`"),
        ("# environment: 1A", "'1A' is not a name", "separate names"),
        ("# environment: PYTHONPATH=x", "PYTHONPATH cannot be set: Python reads it when it starts", "leave it out"),
        ("# environment: HOME", "HOME cannot be set: each run has its own", "leave it out"),
        ("# environment: SNIPPET_RUN=x", "SNIPPET_RUN cannot be set: each run has its own", "leave it out"),
        ("# environment: A=1, B, A=2", "'A' is repeated", "remove one of the two"),
        ("# environment: A, A=", "'A' is repeated", "remove one of the two"),
        (
            "# environment: A,, B",
            "a name is missing",
            "separate names by spaces or commas, as in `API_KEY, LANGUAGE=en`",
        ),
        ("# needs: ,", "a name is missing", "separate names by spaces or commas, as in `first, second`"),
        ("# tolerance: 2", "tolerance must be a number between 0 and 1, got '2'", "use a number such as 1e-6"),
        ("# tolerance: 1%", "tolerance must be a number between 0 and 1, got '1%'", "use a number such as 1e-6"),
        ("# limits: cores=2", "unknown limit 'cores'", "use one of processes, threads, memory, address_space"),
        ("# limits: memory=3, memory=4", "'memory' is repeated", "remove one of the two"),
        ("# limits: memory=3.5", "memory must be a whole number of at least 1, got '3.5'", "write a number"),
        ("# limits: memory = 3", "'memory' is not a name", "as in `memory=4096, processes=8`"),
        ("# limits: memory=0", "memory must be a whole number of at least 1, got 0", "write a number"),
        (
            "# limits: memory=99999999999999999999",
            "memory must be a whole number of at least 1, got '99999999999999999999'",
            "write a number",
        ),
        (
            "# limits: memory=1099511627777",
            "memory must be at most 1099511627776, got 1099511627777",
            "write a smaller number",
        ),
        ("# limits: memory", "'memory' is not a name", "separate names"),
    ],
)
def test_a_mistake_in_a_manifest_has_a_line_and_a_remedy(
    manifest: str, message: str, remedy: str, project: Project
) -> None:
    file = project.root / "pyproject.toml"
    file.write_text(file.read_text().partition("[tool.snippetcheck.engines")[0] + NUMPY)
    project.snippet("a.py", "print(1)\n#> 1", f"# covers: a\n{manifest}")
    output = project.harness("bless").stdout
    assert f"snippets/a.py:3: {message}\n    " in output and remedy in output, output


def test_the_key_environment_passes_and_sets_variables(
    write_with: Callable[[str, str], Snippet], python_server: EngineClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MADE_UP_SECRET", "open sesame")
    manifest = "# environment: MADE_UP_SECRET, MADE_UP_UNSET, MADE_UP=3 TZ=Asia/Tokyo"
    body = (
        "import os, time\nprint({name: os.environ[name] for name in os.environ if 'MADE_UP' in name})\n"
        "#> {'MADE_UP_SECRET': 'open sesame', 'MADE_UP': '3'}\nprint(time.localtime(0).tm_hour)\n#> 9"
    )
    snippet = write_with(manifest, body)
    assert compare(snippet, python_server.run(snippet)) == []
    plain = write_with("", body)
    assert [finding.line for finding in compare(plain, python_server.run(plain))] == [6, 8]


def test_a_cached_run_is_used_only_with_the_same_variables(project: Project) -> None:
    project.snippet("a.py", "import os\nprint(os.environ['MADE_UP'])\n#> 1", "# environment: MADE_UP")
    codes = [project.pytest("--snippet-cache", MADE_UP=value).returncode for value in ("1", "1", "2")]
    assert codes == [0, 0, 1]


@pytest.mark.parametrize(
    ("limits", "body", "outcome"),
    [
        ("memory=100", "import time\nheld = b'x' * (150 << 20)\ntime.sleep(0.6)", TOO_MUCH_MEMORY),
        ("processes=2", "import subprocess\n_ = subprocess.run('sleep 1 & sleep 1', shell=True)", TOO_MANY_PROCESSES),
        ("open_files=20", "files = [open('/dev/null') for _ in range(20)]", RAISED),
        ("open_files=64", "files = [open('/dev/null') for _ in range(20)]", FINISHED),
        ("output=2", "print('x' * 1_500_000)", FINISHED),
        ("output=2", "print('x' * 2_500_000)", FLOODED),
    ],
)
def test_the_key_limits_replaces_the_limits_of_the_engine(
    limits: str, body: str, outcome: str, write_with: Callable[[str, str], Snippet], python_server: EngineClient
) -> None:
    snippet = write_with(f"# limits: {limits}", body)
    assert python_server.run(snippet).outcome == outcome
    if outcome not in (FINISHED, FLOODED):
        assert python_server.run(write_with("", body)).outcome == FINISHED


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("[1.0000001, 2.0]", ""),
        ("[1.0001, 2.0]", ""),
        ("[1.1, 2.00001]", "beyond the tolerance of 0.001: [0] 1.0 -> 1.1  (absolute 0.1, relative 0.1)"),
        ("[1.0, 2.0] ", ""),
        ("[1.0, 2.0]x", "something other than its #> lines say"),
        ("(1.0, 2.0)", "something other than its #> lines say"),
        ("[1.0, nan]", "beyond the tolerance of 0.001: [1] 2.0 -> nan"),
        ("[1.0, 2.0]\n", "prints 2 lines; it has 1 #> line"),
    ],
)
def test_floats_may_differ_by_the_tolerance(
    output: str, message: str, write_with: Callable[[str, str], Snippet], python_server: EngineClient
) -> None:
    body = f"print({output!r})\n#> [1.0, 2.0]"
    snippet = write_with("# tolerance: 1e-3", body)
    findings = compare(snippet, python_server.run(snippet))
    assert ([message in finding.message for finding in findings]) == ([True] if message else []), findings
    literal = write_with("", body)
    assert bool(compare(literal, python_server.run(literal))) == (output.strip(" ") != "[1.0, 2.0]")


def test_integers_are_exact_within_any_tolerance(
    write_with: Callable[[str, str], Snippet], python_server: EngineClient
) -> None:
    snippet = write_with("# tolerance: 0.5", "print(10, 10.0)\n#> 11 11.0")
    assert "[" not in (finding := compare(snippet, python_server.run(snippet))[0]).message
    assert "beyond the tolerance of 0.5: 11 -> 10" in finding.message


def test_bless_keeps_numbers_within_the_tolerance_and_mutants_exceed_it(
    write_with: Callable[[str, str], Snippet], python_server: EngineClient
) -> None:
    body = "print(0.50001, 3)\n#> 0.5 3\nprint(0.7)\n#> 0.6"
    snippet = write_with("# tolerance: 1e-3", body)
    run = python_server.run(snippet)
    blessed = bless(snippet, run, [run])
    assert blessed.text.endswith("print(0.50001, 3)\n#> 0.5 3\nprint(0.7)\n#> 0.7\n")
    blessed.write()
    snippet = load(snippet.path, snippet.path.parent)
    result = score(snippet, run)
    assert (result.survivors, result.mutants > 10) == ((), True)


STDERR = "import sys\nprint('progress', file=sys.stderr)\n#2> progress\nprint('done')\n#> done"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (STDERR, ""),
        (STDERR.replace("#2> progress", "#2>? pro...ss"), ""),
        (STDERR.replace("#2> progress", "#2> regress"), "on stderr: prints something other than its #2> lines say"),
        (STDERR.replace("#2> progress\n", ""), "writes to stderr"),
        (STDERR.replace("#2> progress", "#> progress"), "prints nothing; its #> lines say 1"),
        (STDERR + "\n#2> more", "on stderr: prints nothing; its #2> lines say 1"),
        ("import logging\nlogging.warning('low')\n#2> WARNING:root:low", ""),
    ],
)
def test_stderr_is_compared_with_its_expected_lines(
    body: str, message: str, write_with: Callable[[str, str], Snippet], python_server: EngineClient
) -> None:
    snippet = write_with("", body)
    run = python_server.run(snippet)
    findings = compare(snippet, run)
    assert (message in findings[0].message) if message else not findings
    if not message and "?" not in body:
        assert score(snippet, run).survivors == ()


def test_bless_fills_in_a_bare_sign_for_stderr(
    write_with: Callable[[str, str], Snippet], python_server: EngineClient
) -> None:
    snippet = write_with("", STDERR.replace("#2> progress", "#2>").replace("#> done", "#>"))
    run = python_server.run(snippet)
    assert bless(snippet, run, [run]).text.endswith(f"{STDERR}\n")


def test_a_stderr_line_without_a_blank_after_its_sign_is_refused(write_with: Callable[[str, str], Snippet]) -> None:
    with pytest.raises(SnippetError, match="nearly an expected line: '#2>progress'"):
        write_with("", STDERR.replace("#2> ", "#2>"))


def test_numbers_of_a_skipped_snippet_verify_no_prose(project: Project) -> None:
    from snippetcheck import ledger
    from snippetcheck.settings import load_settings

    path = project.snippet("a.py", "print(4.5)\n#> 4.5", "# skip: away")
    project.page("a.md", "The mean is `4.5`.\n\n``` snippet\nfile: a.py\n```\n")
    snippet = load_settings(project.root).load(path)
    (problem,) = ledger.unverified_numbers(project.root / "docs", {"a.py": snippet})
    assert problem.message == "the number `4.5` occurs in no output shown on this page"


def test_by_default_output_is_limited_and_open_files_are_not() -> None:
    assert (PYTHON.limits.output, PYTHON.limits.open_files) == (1, 0)

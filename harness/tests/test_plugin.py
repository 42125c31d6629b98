"""The plugin collects snippets, reports failures and mistakes in the settings, and leaves nothing behind if it is ended."""

from __future__ import annotations

import colorsys
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from sample_projects import Project
from snippetcheck.settings import SettingsError, find_root, load_settings

PAGE = """
---
title: A page
---

# A page

=== "tab"

    ``` snippet
    file: part/wrong.py
    region: fix
    ```

``` snippet
file: part/wrong.py
region: other
```
"""

WRONG = """
# region: other
print(0)
#> 0
# endregion

# region: fix
print([1.0, 2.0])
#> [1.0, 2.5]
# endregion
"""


@pytest.fixture
def mixed_project(project: Project) -> Project:
    """Create a project with a passing snippet, a failing one, and a page that shows two regions of the failing one."""
    project.snippet("part/right.py", "print(1)\n#> 1")
    project.snippet("part/wrong.py", WRONG)
    project.page("part.md", PAGE)
    return project


def test_snippets_have_node_ids_and_the_exit_codes_of_pytest(mixed_project: Project) -> None:
    completed = mixed_project.pytest("-v")
    assert completed.returncode == 1
    assert "snippets/part/right.py::python PASSED" in completed.stdout
    assert "snippets/part/wrong.py::python FAILED" in completed.stdout
    assert mixed_project.pytest("snippets/part/right.py::python").returncode == 0
    assert mixed_project.pytest("snippets/part/right.py").returncode == 0
    assert mixed_project.pytest("-k", "right and python").returncode == 0
    assert mixed_project.pytest("-k", "nothing").returncode == 5
    assert mixed_project.pytest("--snippet-engine", "torch").returncode == 4


def test_a_failure_report_has_page_line_difference_and_remedy(mixed_project: Project) -> None:
    completed = mixed_project.pytest()
    for text in (
        "docs/part.md:9: shows part/wrong.py",
        "snippets/part/wrong.py:10: prints something other than its #> lines say",
        "9 | print([1.0, 2.0])",
        "- [1.0, 2.5]",
        "+ [1.0, 2.0]",
        "[1] 2.5 -> 2.0  (absolute 0.5, relative 0.2)",
        "python -m snippetcheck bless snippets/part/wrong.py",
    ):
        assert text in completed.stdout, text
    assert "docs/part.md:14" not in completed.stdout, "the report must not name the fence whose region passes"
    assert "Traceback" not in completed.stdout
    assert "snippetcheck/plugin.py" not in completed.stdout


def test_a_failure_that_no_page_shows_names_all_fences_of_its_snippet(mixed_project: Project) -> None:
    mixed_project.snippet("part/wrong.py", WRONG.replace("2.5", "2.0") + "\nprint(3)\n#> 4\n")
    completed = mixed_project.pytest()
    assert "docs/part.md:9: shows part/wrong.py" in completed.stdout
    assert "docs/part.md:14: shows part/wrong.py" in completed.stdout


def test_a_report_escapes_invisible_characters_and_shortens_long_lines(project: Project) -> None:
    project.snippet("signs.py", "print('a\\rb \\x1b[1m\\0')\n#> ab")
    project.snippet("alike.py", "print('p\\u0430ge')\n#> page")
    project.snippet("long.py", "print('x' * 500_000 + 'y')\n#> xyz")
    project.snippet("unicode.py", "raise ValueError('\\ud800')")
    completed = project.pytest("-n", "1", "--junitxml", "junit.xml")
    assert "4 failed" in completed.stdout
    assert r"+ a\rb \x1b[1m\x00" in completed.stdout
    assert r"in ASCII: 'page' -> 'p\u0430ge'" in completed.stdout
    assert "x[499601 more]" in completed.stdout and "x" * 500 not in completed.stdout
    assert r"ValueError: \ud800" in completed.stdout
    assert len(list(ET.parse(project.root / "junit.xml").iter("failure"))) == 4


def test_a_malformed_snippet_fails_and_the_run_continues(mixed_project: Project) -> None:
    mixed_project.snippet("a_first.py", "print(1)\n#>1")
    completed = mixed_project.pytest("-v")
    assert completed.returncode == 1
    assert "snippets/a_first.py::python FAILED" in completed.stdout
    assert "snippets/a_first.py:4: nearly an expected line: '#>1'" in completed.stdout
    assert "with one space after the sign" in completed.stdout
    assert "snippets/part/right.py::python PASSED" in completed.stdout


@pytest.mark.parametrize("arguments", [[], ["-n", "1"]], ids=["serial", "one worker"])
def test_the_junit_report_has_file_and_line_of_a_failure(arguments: list[str], mixed_project: Project) -> None:
    completed = mixed_project.pytest("--junitxml", "junit.xml", *arguments)
    assert completed.returncode == 1
    suite = ET.parse(mixed_project.root / "junit.xml").getroot().find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    failure = suite.find("testcase/failure")
    assert failure is not None and "snippets/part/wrong.py:10" in (failure.text or "")


def test_the_options_x_and_lf_select_failed_snippets(mixed_project: Project) -> None:
    mixed_project.snippet("a_first.py", "print(1)\n#> 2")
    completed = mixed_project.pytest("-x", "-o", "cache_dir=.pytest_cache")
    assert "1 failed" in completed.stdout and "passed" not in completed.stdout
    mixed_project.pytest("-o", "cache_dir=.pytest_cache")
    completed = mixed_project.pytest("--lf", "-v")
    assert "2 failed" in completed.stdout and "right.py" not in completed.stdout
    mixed_project.snippet("a_first.py", "print(2)\n#> 2")
    completed = mixed_project.pytest("--lf", "-v")
    assert "1 failed, 1 passed" in completed.stdout


def test_failures_are_annotated_on_github(mixed_project: Project) -> None:
    assert "::error" not in mixed_project.pytest().stdout
    mixed_project.snippet("broken.py", "print(1)\n#>1")
    lines = [
        line for line in mixed_project.pytest(GITHUB_ACTIONS="true").stdout.splitlines() if line.startswith("::error")
    ]
    assert [re.match(r"::error file=([^,]*),line=(\d+),", line).groups() for line in lines] == [  # type: ignore[union-attr]
        ("snippets/broken.py", "4"),
        ("snippets/part/wrong.py", "10"),
        ("docs/part.md", "9"),
    ]
    assert "%0A- [1.0, 2.5]" in lines[-1]
    assert "title=snippets/part/wrong.py%3A%3Apython%2C line 10::" in lines[-1]


ENGINE_A = "[tool.snippetcheck.engines.a]\n"
MISTAKES = {
    "[tool.snippetcheck]\nsnippet_dir = 'x'": "unknown key 'snippet_dir'",
    "[tool.snippetcheck]\nsnippets_dir = 'x'": "snippets_dir: folder 'x' does not exist",
    "[tool.snippetcheck]\npages_dir = 3": "pages_dir must be the name of a folder, got 3",
    "[tool.snippetcheck]\npages_dir = ''": "pages_dir must be the name of a folder, got ''",
    '[tool.snippetcheck]\nsnippets_dir = "s\\u0000"': r"snippets_dir: folder 's\x00' does not exist",
    f"[tool.snippetcheck]\nsnippets_dir = '{'x' * 300}'": "xxx' does not exist\n    create it or correct the name",
    "[tool.snippetcheck]\nsnippets_dir = 'a'\nsnippets_dir = 'b'": "Cannot overwrite a value (at end of document)\n    correct the file",
    "[tool.snippetcheck]\nneeds = ['a', 'b', 'a']": "needs: 'a' is repeated\n    remove one of the two",
    "[tool.snippetcheck]\nengines = ['a']": "engines must be a table, got list",
    "[tool.snippetcheck]\nneeds = 'a'": "needs must be a list of modules, as in package.module, got 'a'",
    "[tool.snippetcheck]\nfences = ['a-b']": "fences must be a list of modules, as in package.module, got 'a-b'",
    "[tool.snippetcheck]\nlimits = 3": "limits must be a table, got int\n    write a section `[tool.snippetcheck.limits]`",
    "[tool.snippetcheck]\ntimeout = '5'": "timeout must be a number of seconds, got '5'",
    "[tool.snippetcheck]\ntimeout = 601": "use a number from 1 to 600",
    "[tool]\nsnippetcheck = 3 # [tool.snippetcheck]": "[tool.snippetcheck] must be a table, got int",
    'tool = "[tool.snippetcheck]"': "tool must be a table, got str\n    write a section `[tool.snippetcheck]`",
    "[tool.snippetcheck.limits]\naddress_space = 999999999999999999": "address_space must be at most 1099511627776, got 999999999999999999",
    f"[tool.snippetcheck.limits]\nmemory = {'9' * 5000}": "Exceeds the limit",
    "[tool.snippetcheck.engines]\na = 'x'": "engine 'a' must be a table, got str",
    "[tool.snippetcheck.engines.'a b']": "engine name must begin with a letter or '_' and consist of letters, digits, '-', '_' and '.', got 'a b'",
    ENGINE_A + "preloads = ['x']": "unknown key 'preloads' in engine 'a'\n    use one of preload, path, ",
    ENGINE_A + "preload = 'torch'": "engine 'a': preload must be a list of modules, as in package.module, got 'torch'",
    ENGINE_A + "sources = [3]": "engine 'a': sources must be a list of modules, as in package.module, got 3",
    ENGINE_A
    + "sources = ['a/b.py']": "engine 'a': sources must be a list of modules, as in package.module, got 'a/b.py'",
    ENGINE_A + "reseed = ['random']": "reseed must be a list of functions, as in random.seed, got 'random'",
    ENGINE_A + "distributions = ['numpy>=2']": "must be a list of packages without versions, got 'numpy>=2'",
    ENGINE_A + "environment = ['A=b']": "environment must be a list of variables, but no values and not HOME, TMPDIR, ",
    ENGINE_A + "environment = ['TZ']": "PYTHONHASHSEED, got 'TZ'",
    ENGINE_A + "path = ['nowhere']": "engine 'a': path: folder 'nowhere' does not exist",
    ENGINE_A + "replace = ['x']": "engine 'a': replace must be a table of names, got ['x']",
    ENGINE_A + "replace = { a = 'a.b' }": "replace must be a table of names, got {'a': 'a.b'}",
    ENGINE_A + "replace = { 'a.b' = 'c' }": "replace must be a table of names, got {'a.b': 'c'}",
    "[tool.other]\n[tool.snippetchek.limits]\n": "there is no table [tool.snippetchek]\n    rename it to [tool.snippetcheck]",
    "[tool.snippetcheck\n": "Expected",
    "[tool.snippetcheck]\n\udcff": "invalid start byte",
}


@pytest.mark.parametrize("text", MISTAKES, ids=lambda text: text[:80])
def test_each_mistake_in_the_settings_is_reported_with_a_remedy(text: str, tmp_path: Path) -> None:
    (tmp_path / "snippets").mkdir()
    file = tmp_path / "pyproject.toml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(SettingsError) as caught:
        load_settings(find_root(tmp_path))
    last_line = text.rstrip().count("\n") + 1  # where each of the mistakes stands
    assert str(caught.value).startswith(f"{file}:{last_line}: ") and "\n    " in str(caught.value)
    assert MISTAKES[text] in str(caught.value)


def test_a_mistake_before_the_key_that_makes_a_folder_optional_has_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.md").touch()
    text = '# One\n\n[tool.snippetcheck]\ntimeout = "3"\nneeds = [\n    "a",\n]\nexamples = ["a.md"]\n'
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(SettingsError, match=r"pyproject\.toml:4: timeout must be"):
        load_settings(tmp_path)
    (tmp_path / "pyproject.toml").write_text(text.replace('"3"', "3").replace('"a",', '"a", "a",'))
    with pytest.raises(SettingsError, match=r"pyproject\.toml:5: needs: 'a' is repeated"):
        load_settings(tmp_path)
    (tmp_path / "pyproject.toml").write_text("# One\n[tool.snippetcheck]\n")
    with pytest.raises(SettingsError, match=r"pyproject\.toml:2: snippets_dir: folder 'snippets' does not exist"):
        load_settings(tmp_path)


def test_the_project_is_not_searched_for_the_line_of_a_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searched_paths: list[str] = []
    monkeypatch.setattr(Path, "glob", lambda self, pattern: searched_paths.append(pattern) or iter([self / "a.md"]))
    (tmp_path / "a.md").touch()
    text = '[tool.snippetcheck]\nexamples = ["**/*.md"]\ntimeout = "3"\nneeds = []\nfences = []\n'
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(SettingsError, match=r"pyproject\.toml:3: timeout must be"):
        load_settings(tmp_path)
    assert searched_paths == ["**/*.md"]


def test_a_mistake_in_the_settings_ends_the_run(project: Project) -> None:
    (project.root / "pyproject.toml").write_text("[tool.snippetcheck]\nengines = 3\n")
    for completed in (project.pytest(), project.harness("bless")):
        assert completed.returncode in (2, 4)
        assert "engines must be a table, got int" in completed.stderr and "Traceback" not in completed.stderr


INSTALL = "install it, correct the name, or add its folder to `path`"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (
            "preload = ['nosuch']",
            f"preload: 'nosuch' raises ModuleNotFoundError: No module named 'nosuch'\n    {INSTALL}",
        ),
        (
            "sources = ['nosuch']",
            f"sources: 'nosuch' raises ModuleNotFoundError: No module named 'nosuch'\n    {INSTALL}",
        ),
        ("sources = ['nosuch.a']", f"'nosuch.a' raises ModuleNotFoundError: No module named 'nosuch'\n    {INSTALL}"),
        ("replace = { a = 'b' }", f"replace: 'b' raises ModuleNotFoundError: No module named 'b'\n    {INSTALL}"),
        ("replace = { json = 'sched' }", "replace: 'json' raises ImportError: json cannot be replaced: "),
        (
            "distributions = ['nosuch']",
            "distributions: 'nosuch' raises PackageNotFoundError: No package metadata was found for nosuch\n    install it or",
        ),
        (
            "reseed = ['nosuch.seed']",
            "reseed: 'nosuch.seed' raises ModuleNotFoundError: No module named 'nosuch'\n    name",
        ),
        ("reseed = ['math.sqrt']", "reseed: 'math.sqrt' raises TypeError: math.sqrt() takes exactly one argument"),
        (
            "preload = ['broken']",
            "raises SyntaxError: '(' was never closed (broken.py, line 1)\n    correct this code:\n",
        ),
    ],
)
@pytest.mark.parametrize("isolation", ["fork", "subprocess"])
def test_what_an_engine_lacks_is_reported_with_its_setting(
    setting: str, message: str, isolation: str, project: Project
) -> None:
    (project.root / "broken.py").write_text("print(\n")
    file = project.root / "pyproject.toml"
    file.write_text(f"[tool.snippetcheck]\nisolation = '{isolation}'\n{ENGINE_A}path = ['.']\n{setting}\n")
    project.snippet("a.py", "print(1)\n#> 1")
    completed = project.pytest()
    assert completed.returncode == 1
    assert f"pyproject.toml: engine 'a' cannot be imported: {setting.split()[0]}: '" in completed.stdout
    assert (
        message in completed.stdout and "site-packages" not in completed.stdout and "importlib" not in completed.stdout
    )


def test_snippets_in_every_folder_are_collected(project: Project) -> None:
    """Check that snippets are collected in folders that pytest skips because of their names."""
    for name in ("build", "dist", "venv", "node_modules", ".hidden", "a.egg"):
        project.snippet(f"{name}/a.py", "print(1)\n#> 2")
    assert "6 failed" in project.pytest().stdout
    assert (
        "4 failed"
        in project.pytest("--ignore", "snippets/dist", "--ignore", "snippets/.hidden", "-o", "norecursedirs=").stdout
    )


def test_a_project_can_be_run_through_a_symbolic_link(project: Project, tmp_path: Path) -> None:
    project.snippet("part/wrong.py", "print(1)\n#> 2")
    link = tmp_path / "link"
    link.symlink_to(project.root)
    completed = project.pytest(str(link / "snippets"), "--rootdir", str(link), "-v")
    assert (completed.returncode, "snippets/part/wrong.py::python FAILED" in completed.stdout) == (1, True)


def test_without_settings_the_plugin_changes_nothing(project: Project) -> None:
    (project.root / "pyproject.toml").write_text("")
    project.snippet("test_own.py", "def test_own():\n    assert True\n")
    completed = project.pytest("-v")
    assert completed.returncode == 0
    assert "snippets/test_own.py::test_own PASSED" in completed.stdout


def test_a_snippet_is_not_imported_as_a_test(project: Project) -> None:
    project.snippet("test_a.py", "print(1)\n#> 1\n\ndef test_me():\n    assert False")
    for arguments in ([], ["snippets/test_a.py"], ["--doctest-modules"]):
        completed = project.pytest("-v", *arguments)
        assert completed.returncode == 0, completed.stdout
        assert "1 passed" in completed.stdout


def test_bless_without_a_snippet_is_refused(project: Project) -> None:
    completed = project.harness("bless")
    assert (completed.returncode, completed.stdout) == (2, "")
    assert completed.stderr.startswith(
        f"{project.root}: found no snippet and no example to bless\n    write a `#>` line"
    )
    project.page("index.md", "```python\nprint(1)\n```\n")
    file = project.root / "pyproject.toml"
    file.write_text(file.read_text().replace("snippets_dir =", 'examples = ["docs/*.md"]\nsnippets_dir ='))
    for arguments in ([], ["docs/index.md"], ["docs"]):
        completed = project.harness("bless", *arguments)
        assert (completed.returncode, "found no snippet and no example" in completed.stderr) == (2, True)


@pytest.mark.parametrize("command", [["bless"], ["watch"], ["import", "."]])
def test_no_command_works_outside_a_project(command: list[str], project: Project) -> None:
    (project.root / "pyproject.toml").write_text("[project]\n")
    completed = project.harness(*command)
    assert (completed.returncode, completed.stdout) == (2, "")
    assert completed.stderr.startswith(f"{project.root}: no [tool.snippetcheck] here or above\n    add")


def test_bless_finds_snippets_and_examples_below_a_folder(project: Project) -> None:
    project.snippet("a.py", "print(1)\n#> 1")
    project.page("index.md", "```python\nprint(1)\n#> 1\n```\n")
    file = project.root / "pyproject.toml"
    file.write_text(file.read_text().replace("snippets_dir =", 'examples = ["docs/*.md"]\nsnippets_dir ='))
    for argument in (".", str(project.root)):
        assert project.harness("bless", argument).stdout == "unchanged a.py\nunchanged docs/index.md:2\n"
    (project.root / "tests").mkdir()
    (project.root / "tests" / "test_a.py").write_text("")
    completed = project.harness("bless", "tests")
    assert (completed.returncode, "tests: has neither snippets nor examples" in completed.stderr) == (2, True)


def test_bless_finds_the_snippets_that_a_page_shows(project: Project) -> None:
    for name in ("a.py", "b.py", "c.py"):
        project.snippet(name, "print(1)\n#> 1")
    project.page("index.rst", ".. literalinclude:: ../snippets/b.py\n")
    project.page("quiz.md", "``` ask\nfile: c.py\n```\n")
    (project.root / "asking.py").write_text(
        "from snippetcheck.fence_types import FenceType, register\nregister(FenceType('ask', ('file',), shows_file=True))\n"
    )
    file = project.root / "pyproject.toml"
    file.write_text(file.read_text().replace("snippets_dir =", 'fences = ["asking"]\nsnippets_dir ='))
    completed = project.run([sys.executable, "-m", "snippetcheck", "bless", "docs/index.rst", "docs/quiz.md"])
    assert completed.stdout == "unchanged b.py\nunchanged c.py\n", completed.stderr


@pytest.mark.parametrize("name", ["x" * 300 + ".md", "x\0.md"], ids=["long", "null"])
def test_a_name_that_no_file_can_have_is_reported(name: str, project: Project) -> None:
    project.snippet("a.py", "print(1)\n#> 1")
    project.page("index.md", f"``` snippet\nfile: {name.replace('.md', '.py')}\n```\n")
    completed = project.harness("bless", "docs/index.md")
    assert (completed.returncode, "has neither snippets nor examples" in completed.stderr) == (2, True)
    if "\0" not in name:
        for arguments in (["bless", name], ["import", name]):
            assert "no such file" in project.harness(*arguments).stderr
        assert "file or directory not found: xxx" in project.pytest(name).stderr


def test_bless_names_each_snippet_and_refuses_wrong_arguments(mixed_project: Project) -> None:
    completed = mixed_project.harness("bless", "--dry-run")
    assert completed.returncode == 0
    assert "unchanged part/right.py\n" in completed.stdout
    assert "not written part/wrong.py\n" in completed.stdout
    completed = mixed_project.harness("bless", "snippets/part/right.py")
    assert (completed.returncode, completed.stdout) == (0, "unchanged part/right.py\n")
    completed = mixed_project.harness("bless", "nowhere.py")
    assert (completed.returncode, "no such file" in completed.stderr) == (2, True)
    (mixed_project.root / "docs" / "one.md").write_text("# One\n\n``` snippet\nfile: part/right.py\n```\n\nNo more.\n")
    completed = mixed_project.harness("bless", "docs/one.md")
    assert (completed.returncode, completed.stdout) == (0, "unchanged part/right.py\n"), completed.stderr
    completed = mixed_project.harness("bless", "docs")
    assert (completed.returncode, "has neither snippets nor examples" in completed.stderr) == (2, True)
    completed = mixed_project.harness("bless", "--engine", "tensorflow")
    assert (completed.returncode, "unknown engine 'tensorflow'" in completed.stderr) == (2, True)
    outside = mixed_project.root / "outside.py"
    outside.write_text('"""T."""\n\nprint(1)\n')
    completed = mixed_project.harness("bless", "outside.py")
    assert (completed.returncode, "outside.py: has neither snippets nor" in completed.stderr) == (2, True)


SLEEPS = "import time\nopen('begun', 'w').close()\ntime.sleep(600)"


def has_begun(folder: Path) -> bool:
    """Return whether the snippet SLEEPS runs on a server below this folder."""
    return any(folder.glob("snippetcheck-server-*/*/*/work/begun"))


def test_an_interrupted_run_leaves_no_process_and_no_folder(project: Project, tmp_path: Path) -> None:
    """Send SIGINT while a snippet runs: pytest and the snippet must end, and their files must be removed."""
    project.snippet("a.py", SLEEPS, "# timeout: 600\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"],
        cwd=project.root,
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        # A shell that starts this test in the background, with `&`, has made it ignore SIGINT.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        deadline = time.monotonic() + 20
        while not has_begun(tmp_path) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert has_begun(tmp_path)
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=20)[0]
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 2 and b"no snippets were judged" not in output
    deadline = time.monotonic() + 5
    while running_processes(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not running_processes(tmp_path)
    assert not list(tmp_path.glob("snippet*"))


def test_a_killed_run_leaves_no_snippet_running(project: Project, tmp_path: Path) -> None:
    project.snippet("a.py", SLEEPS, "# timeout: 600\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"],
        cwd=project.root,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    deadline = time.monotonic() + 20
    while not has_begun(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert has_begun(tmp_path)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 5
    while running_processes(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not running_processes(tmp_path)


def running_processes(folder: Path) -> list[int]:
    """Return the ids of the servers, zygotes and snippets that run in the folders of servers below this folder."""
    pids = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                if os.readlink(f"/proc/{entry}/cwd").startswith(f"{folder}/snippet"):
                    pids.append(int(entry))
            except OSError:
                continue
    return pids


def test_an_unreadable_page_does_not_break_the_report(mixed_project: Project) -> None:
    (mixed_project.root / "docs" / "latin.md").write_bytes(b"caf\xe9\n")
    completed = mixed_project.pytest()
    assert "1 failed, 1 passed" in completed.stdout, completed.stdout
    assert "docs/part.md:9: shows part/wrong.py" in completed.stdout


def test_no_control_character_reaches_the_terminal(project: Project) -> None:
    escape = "\x1b[31m"
    project.snippet("title.py", "print(1)\n#> 2").write_text('"""A \\x1b[31m title."""\n\nprint(1)\n#> 2\n')
    project.snippet("type.py", "raise type('\\x1b[31mE', (Exception,), {})('\\udcff')")
    (project.root / "snippets" / f"na{escape}me.py").write_text("")
    (project.root / "snippets" / "na\udcffme.py").write_text("")
    for completed in (project.pytest("-v"), project.pytest(GITHUB_ACTIONS="true")):
        assert completed.returncode == 1
        assert "\x1b" not in completed.stdout and "INTERNALERROR" not in completed.stdout
        assert r"A \x1b[31m title" in completed.stdout
        assert r"raises \x1b[31mE" in completed.stdout
        assert r"na\x1b[31mme.py" in completed.stdout and r"na\udcffme.py" in completed.stdout


def test_an_engine_that_is_not_imported_from_the_project_fails(tmp_path: Path) -> None:
    """Check that an engine fails if Python imports its source from elsewhere although the project contains a copy.

    The cache key would be computed from the copy, which is not what runs.
    """
    copy = Project(tmp_path / "copy", '[tool.snippetcheck.engines.one]\nsources = ["colorsys"]\n')
    (copy.root / "colorsys.py").write_text("")  # stands for a copy of the module that Python imports
    copy.snippet("a.py", "print(1)\n#> 1")
    completed = copy.pytest()
    assert completed.returncode == 1
    assert f"imports colorsys from {colorsys.__file__}, and not from {copy.root / 'colorsys.py'}" in completed.stdout
    assert 'path = ["."]' in completed.stdout
    with (copy.root / "pyproject.toml").open("a") as file:
        file.write('path = ["."]\n')
    assert copy.pytest().returncode == 0

"""The time limit of a snippet comes from its manifest, else from the command line, else from the settings."""

from __future__ import annotations

from sample_projects import Project
from snippetcheck.settings import load_settings

ENDLESS = "while True:\n    pass"


def test_the_manifest_overrides_the_command_line_which_overrides_the_settings(project: Project) -> None:
    file = project.root / "pyproject.toml"
    file.write_text(file.read_text().replace("[tool.snippetcheck]\n", "[tool.snippetcheck]\ntimeout = 0.5\n"))
    with_timeout = project.snippet("own.py", ENDLESS, "# timeout: 0.25\n")
    without_timeout = project.snippet("other.py", ENDLESS)
    settings = load_settings(project.root)
    assert [settings.load(path).manifest.timeout for path in (with_timeout, without_timeout)] == [0.25, 0.5]
    output = project.pytest("--snippet-timeout", "0.75").stdout
    assert "0.25 s" in output and "0.75 s" in output and "0.5 s" not in output
    assert "0.5 s" in project.pytest("snippets/other.py").stdout


def test_a_timeout_must_be_positive(project: Project) -> None:
    completed = project.pytest("--snippet-timeout", "0")
    assert completed.returncode == 4
    assert "--snippet-timeout must be a number of seconds, got 0.0" in completed.stderr

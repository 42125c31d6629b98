"""The harness works in an environment that contains its wheel and pytest, but neither torch nor NumPy."""

from __future__ import annotations

from pathlib import Path

import pytest
from sample_environments import INSTALL, environment
from sample_projects import Project

PYPROJECT = '[tool.snippetcheck]\nfences = ["own_fences"]\n'
# A fence type of the project: a table from a file, whose numbers the prose may quote.
FENCES = """
from snippetcheck.fence_types import FenceType, register


def check(fence, snippets):
    if not (fence.page.parent / fence.keys["file"]).is_file():
        yield f"no table {fence.keys['file']!r}", "write it"


def prints(fence, snippets):
    yield (fence.page.parent / fence.keys["file"]).read_text()


TABLE = register(FenceType("table", required=("file",), check=check, prints=prints))
"""
TESTS = """
from pathlib import Path

import own_fences
from snippetcheck import ledger
from snippetcheck.settings import load_settings
from snippetcheck.snippet import files
from snippetcheck.testing import complaints

SETTINGS = load_settings(Path(__file__).parent)


def test_ledger():
    snippets = {snippet.name: snippet for snippet in map(SETTINGS.load, files(SETTINGS.snippets_dir))}
    pages = SETTINGS.pages_dir
    problems = ledger.unclassified_blocks(pages) + ledger.invalid_fences(pages, snippets)
    problems += ledger.unembedded_snippets(pages, snippets) + ledger.unverified_numbers(pages, snippets)
    assert not problems, "\\n".join(map(str, problems))


def test_table_needs_its_file(tmp_path):
    assert complaints("``` table\\nfile: a.csv\\n```\\n", tmp_path) == ["1: no table 'a.csv'"]
"""


def test_a_project_works_in_an_environment_with_only_the_wheel(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    folder = tmp_path_factory.getbasetemp()
    python = environment(folder, (INSTALL,))
    project = Project(tmp_path / "foreign", PYPROJECT)
    project.snippet("mean.py", "import statistics\nprint(statistics.mean([1.5, 5.5]))")
    project.page(
        "mean.md", "It is `3.5`, and took `0.25`.\n\n``` snippet\nfile: mean.py\n```\n\n``` table\nfile: t.csv\n```\n"
    )
    (project.root / "docs" / "t.csv").write_text("seconds,0.25\n")
    (project.root / "own_fences.py").write_text(FENCES)
    (project.root / "test_docs.py").write_text(TESTS)
    find_packages = (
        "import importlib.util as u, snippetcheck; print([u.find_spec(n) for n in ('torch', 'numpy', 'gradnotes')])"
    )
    assert project.run([str(python), "-c", find_packages]).stdout == "[None, None, None]\n"
    assert "blessed mean.py from python" in project.run([str(python.with_name("snippetcheck")), "bless"]).stdout
    for _ in range(2):  # the second run uses the caches of the first
        completed = project.run([str(python), "-m", "pytest", "-p", "no:cacheprovider"])
        assert "3 passed" in completed.stdout, completed.stdout + completed.stderr
    (project.root / "mkdocs.yml").write_text(
        "site_name: Means\nmarkdown_extensions: [snippetcheck.markdown, fenced_code]\n"
    )
    python = environment(folder, (INSTALL, "pip install mkdocs"))
    for command in ("markdown -x snippetcheck.markdown docs/mean.md", "mkdocs -q build --strict"):
        completed = project.run([str(python), "-m", *command.split()])
        assert not completed.returncode, completed.stderr
        html = completed.stdout or (project.root / "site" / "mean" / "index.html").read_text()
        assert '<p class="snippet-title">An example.</p>' in html
        assert '<span class="snippet-prints">#&gt; 3.5</span>' in html
    (project.root / "docs" / "t.csv").write_text("seconds,0.5\n")
    completed = project.run([str(python), "-m", "pytest", "-p", "no:cacheprovider"])
    assert "docs/mean.md:1: the number `0.25` occurs in no output shown on this page" in completed.stdout

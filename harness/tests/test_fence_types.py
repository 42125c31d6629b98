"""A project registers a fence type in one place: its keys, its check, and the output that it shows."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from sample_projects import Project
from snippetcheck import ledger
from snippetcheck.fence_types import FENCE_TYPES, SNIPPET, FenceType, register
from snippetcheck.pages import Fence, fences
from snippetcheck.settings import SettingsError, load_settings
from snippetcheck.snippet import Snippet, load
from snippetcheck.testing import complaints, registered


def check(fence: Fence, snippets: Mapping[str, Snippet]) -> Iterator[tuple[str, str]]:
    if not (fence.page.parent / fence.keys["file"]).is_file():
        yield f"no table {fence.keys['file']!r}", "write it"


def prints(fence: Fence, snippets: Mapping[str, Snippet]) -> Iterator[str]:
    yield (fence.page.parent / fence.keys["file"]).read_text()


TABLE = FenceType("table", ("file",), ("caption",), check, prints)
PAGE = "Twice is `0.25`, and once `0.5`.\n\n``` table\nfile: times.csv\n```\n"


def test_a_type_that_is_not_registered_is_unclassified(tmp_path: Path) -> None:
    assert "3: a fence that nothing checks: 'table'" in complaints(PAGE, tmp_path)


def test_a_registered_type_defines_keys_check_and_output(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    before = dict(FENCE_TYPES)
    with registered(TABLE):
        assert complaints(PAGE.replace("file:", "name:"), tmp_path)[2:] == ["4: unknown key 'name' in a table fence"]
        (tmp_path / "docs" / "times.csv").write_text("a,0.25\n")
        assert complaints(PAGE, tmp_path) == ["1: the number `0.5` occurs in no output shown on this page"]
        (tmp_path / "docs" / "times.csv").write_text("a,0.25\nb,0.5\n")
        assert complaints(PAGE, tmp_path) == []
    assert FENCE_TYPES == before
    assert FENCE_TYPES["snippet"] is SNIPPET


def test_numbers_in_the_prose_of_a_fence_are_checked(tmp_path: Path) -> None:
    asks = FenceType("asks", ("file", "why"), ("other",), prints=lambda *_: ["0.5"], prose=("why",))
    page = "``` asks\nfile: `1`\nother: `2`\nwhy: Not `0.5` but `0.25`.\n```\n"
    with registered(asks):
        assert complaints(page, tmp_path) == ["4: the number `0.25` occurs in no output shown on this page"]


def test_complaints_uses_the_given_snippets(tmp_path: Path) -> None:
    snippets = {"a.py": '"""A."""\n\nprint(0.5)\n#> 0.5\n'}
    assert complaints("It is `0.5`.\n\n``` snippet\nfile: a.py\n```\n", tmp_path, snippets) == []
    assert complaints("``` snippet\nfile: b.py\n```\n", tmp_path, snippets) == ["1: no snippet 'b.py'"]


def test_a_type_may_show_a_snippet_and_repeat_a_key(tmp_path: Path) -> None:
    asks = FenceType("asks", ("file",), lists=("wrong",), shows_file=True)
    snippets = {"a.py": '"""A."""\n\nprint(0.5)\n#> 0.5\n'}
    page = "``` asks\nfile: a.py\nwrong: 1\nwrong: 2\n```\n"
    with registered(asks):
        assert complaints(page, tmp_path, snippets) == []
        (fence,) = fences(tmp_path / "docs" / "page.md")
        assert fence.keys == {"file": "a.py", "wrong": "1\n2"}
        assert (
            ledger.unembedded_snippets(
                tmp_path / "docs", {"a.py": load(tmp_path / "snippets/a.py", tmp_path / "snippets")}
            )
            == []
        )
        assert complaints(page.replace("wrong: 1", "file: a.py"), tmp_path) == ["3: key 'file' is repeated"]
    with registered(FenceType("asks", ("file",), lists=("wrong",))):
        assert ledger.unembedded_snippets(
            tmp_path / "docs", {"a.py": load(tmp_path / "snippets/a.py", tmp_path / "snippets")}
        )


@pytest.mark.parametrize("name", ["snippet", "illustrative"])
def test_a_name_cannot_be_registered_twice(name: str) -> None:
    with pytest.raises(ValueError, match=f"fence type '{name}' is already registered"):
        register(FenceType(name))


def test_the_setting_fences_imports_modules_that_register_types(project: Project) -> None:
    file = project.root / "pyproject.toml"
    file.write_text(file.read_text().replace('pages_dir = "docs"', 'pages_dir = "docs"\nfences = ["own_fences"]'))
    (project.root / "own_fences.py").write_text(
        "from snippetcheck.fence_types import FenceType, register\nregister(FenceType('own'))\n"
    )
    project.page("a.md", "``` own\n```\n\n``` other\n```\n")
    program = (
        "from snippetcheck import pages; from snippetcheck.settings import load_settings; s = load_settings('.');"
        "s.register_fences(); print([fence.kind for fence in pages.fences('docs/a.md')])"
    )
    assert project.run([sys.executable, "-c", program]).stdout == "['own', 'unclassified']\n"
    (project.root / "own_fences.py").write_text("import json\n1 / 0\n")
    error = project.harness("bless", "docs/a.md").stderr
    assert "fences: own_fences cannot be imported: ZeroDivisionError('division by zero')" in error
    lines = [line for line in error.splitlines() if "File" in line]
    assert lines == [f'  File "{project.root / "own_fences.py"}", line 2, in <module>'], "the user's line and no other"
    (project.root / "own_fences.py").unlink()
    with pytest.raises(SettingsError, match="fences: own_fences cannot be imported.*\n    install it, or correct"):
        load_settings(project.root).register_fences()


def test_the_fence_type_in_the_readme_works(project: Project) -> None:
    text = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
    section = text.partition("## A fence of your own\n")[2].partition("\n## ")[0]
    code = [line[4:] for line in section.splitlines() if line.startswith("    ") or not line]
    (project.root / "test_readme.py").write_text("\n".join(code))
    assert "1 passed" in project.pytest("test_readme.py").stdout

"""What evidence says of what decided it: it changes with its sources, and with nothing else."""

from __future__ import annotations

import ast
import colorsys
import json
import shutil
from pathlib import Path

import pytest
import snippetcheck
from made_projects import Project
from snippetcheck import evidence, provenance
from snippetcheck.engines import Engine

OWN = Path(snippetcheck.__file__).parent


def engine(root: Path) -> Engine:
    return Engine("small", path=(str(root),), sources=("small_engine",), distributions=("pytest", "no-such-package"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name, text in {"__init__.py": "x = 1\n", "ops/add.py": "", "names.txt": "add", "__pycache__/a.pyc": ""}.items():
        path = root / "small_engine" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "judge.py").write_text("")
    return root


def test_an_engine_is_the_same_wherever_it_lies(project: Path, tmp_path: Path) -> None:
    made = provenance.fingerprint_engine(engine(project))
    assert set(made) == {"engine", "harness", "pytest"}
    shutil.copytree(project, tmp_path / "copy")
    (tmp_path / "copy/small_engine/__pycache__/b.pyc").write_text("")
    assert provenance.fingerprint_engine(engine(tmp_path / "copy")) == made


@pytest.mark.parametrize("name", ["__init__.py", "ops/add.py", "names.txt", "ops/new.py"])
def test_each_file_of_an_engine_counts(name: str, project: Path) -> None:
    made = provenance.fingerprint_engine(engine(project))
    with (project / "small_engine" / name).open("a") as file:
        file.write("# edited\n")
    assert provenance.changed_names(made, provenance.fingerprint_engine(engine(project))) == ["engine"]


def test_a_table_names_what_has_changed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = {"engine": ["small_engine"], "judge": ["judge.py"], "harness": ["snippetcheck"]}
    made = provenance.describe_sources(project, "python judge.py", sources, ["pytest", "no-such-package"])
    made = json.loads(json.dumps(made))
    assert (made["command"], made["red"], set(made["made_with"])) == ("python judge.py", [], {*sources, "pytest"})
    assert provenance.table_changes(project, made) == []
    (project / "judge.py").write_text("easier = True\n")
    assert provenance.table_changes(project, made) == ["judge"]
    (project / "small_engine/names.txt").rename(project / "small_engine/other.txt")
    assert provenance.table_changes(project, made) == ["engine", "judge"]
    (project / "judge.py").unlink()
    assert provenance.table_changes(project, made) == ["judge"]
    (project / "judge.py").write_text("")
    (project / "small_engine/other.txt").rename(project / "small_engine/names.txt")
    monkeypatch.setattr(provenance.importlib.metadata, "version", lambda name: "0.1+cpu")
    assert provenance.table_changes(project, made) == ["pytest"]


def test_a_judge_is_made_of_all_that_it_imports(project: Path) -> None:
    files = {
        "tests/judge.py": "import json\nimport beside\nfrom tests import samples\ndef f():\n    from tests.deep.more import x\n",
        "tests/beside.py": "import small_engine\n",
        "tests/samples.py": "from tests import judge\n",
        "tests/deep/more.py": "",
        "tests/unused.py": "",
    }
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    found = ["tests/beside.py", "tests/deep/more.py", "tests/judge.py", "tests/samples.py"]
    assert provenance.with_imports(project, "tests/judge.py") == found


def test_a_source_that_is_not_there_is_an_error(project: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"jugde\.py: no such file\n    correct"):
        provenance.describe_sources(project, "", {"judge": ["jugde.py"]})


def test_what_no_verdict_depends_on_is_used_by_nothing_that_decides_one() -> None:
    """A name that is gone, or a module that begins to matter, must leave the list."""
    imported = {_module(path): _imports(path) for path in OWN.rglob("*.py")}
    assert provenance.NOT_FINGERPRINTED <= imported.keys()
    reached, ahead = set(), ["compare", "runner.client", "runner.server", "snippet"]
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            ahead += imported[name]
    assert {"runner.child", "wildcards", "outcome"} <= reached
    assert not {name.rpartition(".")[2] for name in reached} & provenance.NOT_FINGERPRINTED


def _imports(path: Path) -> list[str]:
    """The modules of this package that one of them imports."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "snippetcheck":
            module = node.module.partition(".")[2]
            names = [f"{module}.{name.name}".lstrip(".") for name in node.names]
            found += [name for name in (module, *names) if (OWN / f"{name.replace('.', '/')}.py").exists()]
    return found


def _module(path: Path) -> str:
    return ".".join(path.relative_to(OWN).with_suffix("").parts)


PYPROJECT = """
[tool.snippets.engines.one]
path = ["."]
sources = ["one_engine"]
[tool.snippets.engines.two]
"""


def test_a_run_records_for_each_engine_what_decided_it(tmp_path: Path) -> None:
    """Two runs, an edit of one engine between them: each verdict keeps what it was made with, merged too."""
    made = Project(tmp_path / "made", PYPROJECT)
    (made.root / "one_engine.py").write_text("")
    for name in ("a", "b"):
        made.snippet(f"{name}.py", "print(1)\n#> 1")
    assert made.pytest("-k", "a.py", "--snippet-evidence", "a.json").returncode == 0
    (made.root / "one_engine.py").write_text("x = 2\n")
    assert made.pytest("-k", "b.py", "--snippet-evidence", "b.json", "-n", "1").returncode == 0
    assert made.harness("merge", "a.json", "b.json", "--evidence", "both.json").returncode == 0
    both = evidence.read(made.root / "both.json")
    before, after = both.made_with_of("a.py", "one"), both.made_with_of("b.py", "one")
    assert provenance.changed_names(before, after) == ["engine"]
    assert after == provenance.fingerprint_engine(Engine("one", path=(str(made.root),), sources=("one_engine",)))
    assert both.made_with_of("a.py", "two") == both.made_with_of("b.py", "two")


def test_evidence_of_an_earlier_version_does_not_say_what_it_ran_with(tmp_path: Path) -> None:
    entry = {"sha256": "", "engines": {"torch": "passed"}, "seconds": {}, "ran": {}}
    values = {"date": "", "complete": True, "shard": None, "versions": {}, "snippets": {"a.py": entry}}
    (tmp_path / "old.json").write_text(json.dumps(values))
    assert evidence.read(tmp_path / "old.json").made_with_of("a.py", "torch") == {}


def test_an_engine_that_is_not_the_one_on_record_does_not_run(tmp_path: Path) -> None:
    """In a copy of a project the installed engine ran, while the evidence would have named the copy's."""
    made = Project(tmp_path / "made", '[tool.snippets.engines.one]\nsources = ["colorsys"]\n')
    (made.root / "colorsys.py").write_text("")  # beside the one that is installed
    made.snippet("a.py", "print(1)\n#> 1")
    done = made.pytest()
    assert done.returncode == 1
    assert f"imports colorsys from {colorsys.__file__}, and not from {made.root / 'colorsys.py'}" in done.stdout
    assert 'path = ["."]' in done.stdout
    with (made.root / "pyproject.toml").open("a") as file:
        file.write('path = ["."]\n')
    assert made.pytest().returncode == 0

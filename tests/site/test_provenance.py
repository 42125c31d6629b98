"""The fingerprint of evidence changes if one of its sources changes, and only then."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path

import pytest
import snippetcheck
from snippetcheck.engines import Engine

from gradnotes.evidence import evidence_file, provenance
from tests.files import write_files

HARNESS = Path(snippetcheck.__file__).parent


def engine(root: Path) -> Engine:
    """Return the engine of a project: the package small_engine and two distributions, of which one is not installed."""
    return Engine("small", path=(str(root),), sources=("small_engine",), distributions=("pytest", "no-such-package"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Create a project with the package small_engine and the file judge.py."""
    root = tmp_path / "project"
    files = {"__init__.py": "x = 1\n", "ops/add.py": "", "names.txt": "add", "__pycache__/a.pyc": ""}
    write_files(root / "small_engine", files)
    (root / "judge.py").write_text("")
    return root


def test_the_fingerprint_does_not_depend_on_the_folder(project: Path, tmp_path: Path) -> None:
    fingerprint = provenance.fingerprint_engine(engine(project))
    assert set(fingerprint) == {"engine", "harness", "pytest"}
    shutil.copytree(project, tmp_path / "copy")
    (tmp_path / "copy/small_engine/__pycache__/b.pyc").write_text("")
    assert provenance.fingerprint_engine(engine(tmp_path / "copy")) == fingerprint


@pytest.mark.parametrize("name", ["__init__.py", "ops/add.py", "names.txt", "ops/new.py"])
def test_each_file_of_an_engine_is_in_its_fingerprint(name: str, project: Path) -> None:
    fingerprint = provenance.fingerprint_engine(engine(project))
    with (project / "small_engine" / name).open("a") as file:
        file.write("# edited\n")
    assert provenance.changed_names(fingerprint, provenance.fingerprint_engine(engine(project))) == ["engine"]


def test_changed_sources_of_a_table_are_named(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = {"engine": ["small_engine"], "judge": ["judge.py"], "harness": ["snippetcheck"]}
    provenance_data = provenance.describe_sources(project, "python judge.py", sources, ["pytest", "no-such-package"])
    provenance_data = json.loads(json.dumps(provenance_data))
    assert (provenance_data["command"], provenance_data["red"], set(provenance_data["made_with"])) == (
        "python judge.py",
        [],
        {*sources, "pytest"},
    )
    assert provenance.table_changes(project, provenance_data) == []
    (project / "judge.py").write_text("easier = True\n")
    assert provenance.table_changes(project, provenance_data) == ["judge"]
    (project / "small_engine/names.txt").rename(project / "small_engine/other.txt")
    assert provenance.table_changes(project, provenance_data) == ["engine", "judge"]
    (project / "judge.py").unlink()
    assert provenance.table_changes(project, provenance_data) == ["judge"]
    (project / "judge.py").write_text("")
    (project / "small_engine/other.txt").rename(project / "small_engine/names.txt")
    monkeypatch.setattr(provenance.importlib.metadata, "version", lambda name: "0.1+cpu")
    assert provenance.table_changes(project, provenance_data) == ["pytest"]


def test_with_imports_returns_direct_and_indirect_imports(project: Path) -> None:
    files = {
        "tests/judge.py": "import json\nimport beside\nfrom tests import samples\ndef f():\n    from tests.deep.more import x\n",
        "tests/beside.py": "import small_engine\n",
        "tests/samples.py": "from tests import judge\n",
        "tests/deep/more.py": "",
        "tests/unused.py": "",
    }
    write_files(project, files)
    expected_files = ["tests/beside.py", "tests/deep/more.py", "tests/judge.py", "tests/samples.py"]
    assert provenance.with_imports(project, "tests/judge.py") == expected_files


def test_a_missing_source_is_an_error(project: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"jugde\.py: no such file\n    correct"):
        provenance.describe_sources(project, "", {"judge": ["jugde.py"]})


def test_modules_outside_the_fingerprint_decide_no_verdict() -> None:
    """Check that modules that decide verdicts import no module in NOT_FINGERPRINTED, directly or through others.

    If this fails, remove the imported module from NOT_FINGERPRINTED.
    """
    imports_by_module = {_module(path): _imports(path) for path in HARNESS.rglob("*.py")}
    assert provenance.NOT_FINGERPRINTED <= imports_by_module.keys()
    reached_modules, pending = set(), ["compare", "runner.client", "runner.server", "snippet"]
    while pending:
        name = pending.pop()
        if name not in reached_modules:
            reached_modules.add(name)
            pending += imports_by_module[name]
    assert {"runner.child", "expected", "outcome"} <= reached_modules
    assert not {name.rpartition(".")[2] for name in reached_modules} & provenance.NOT_FINGERPRINTED


def _imports(path: Path) -> list[str]:
    """Return the snippetcheck modules that a file imports with `from ... import`, without the prefix `snippetcheck.`."""
    modules = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "snippetcheck":
            module = node.module.partition(".")[2]
            names = [f"{module}.{name.name}".lstrip(".") for name in node.names]
            modules += [name for name in (module, *names) if (HARNESS / f"{name.replace('.', '/')}.py").exists()]
    return modules


def _module(path: Path) -> str:
    return ".".join(path.relative_to(HARNESS).with_suffix("").parts)


def test_evidence_of_an_earlier_version_has_no_fingerprints(tmp_path: Path) -> None:
    entry = {"sha256": "", "engines": {"torch": "passed"}, "seconds": {}, "ran": {}}
    values = {"date": "", "complete": True, "versions": {}, "snippets": {"a.py": entry}}
    (tmp_path / "old.json").write_text(json.dumps(values))
    assert evidence_file.read(tmp_path / "old.json").made_with_of("a.py", "torch") == {}

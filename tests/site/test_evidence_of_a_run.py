"""The evidence plugin for pytest writes the results of a run: verdicts, fingerprints and mutation scores."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from snippetcheck.engines import Engine
from snippetcheck.mutate import Mutant, Score

from gradnotes.evidence import evidence_file, provenance
from gradnotes.evidence.mutation_score import summary
from harness.tests.sample_projects import Project

ROOT = Path(__file__).resolve().parents[2]
IMPORT_PATH = (ROOT, ROOT / "harness" / "src")
# A snippet that fails in its first runs, and passes from run number `green_from` on
FLAKY = """
from pathlib import Path

count = Path({path!r})
number = int(count.read_text()) + 1 if count.exists() else 1
_ = count.write_text(str(number))
print(number >= {green_from})
#> True
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Create a project without snippets."""
    return Project(tmp_path / "project", import_path=IMPORT_PATH)


def run(project: Project, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in the project with the evidence plugin of gradnotes."""
    return project.pytest("-p", "gradnotes.evidence.pytest_plugin", *arguments)


def read_evidence(project: Project, name: str = ".cache/evidence.json") -> dict[str, Any]:
    """Return the content of an evidence file of the project, by default of the file that a complete run writes."""
    values: dict[str, Any] = json.loads((project.root / name).read_text())
    return values


@pytest.fixture
def mixed_project(project: Project) -> Project:
    """Add a snippet that passes and one that fails."""
    project.snippet("part/right.py", "print(1)\n#> 1")
    project.snippet("part/wrong.py", "print(1)\n#> 2")
    return project


def test_a_complete_run_records_verdicts_and_versions(mixed_project: Project) -> None:
    assert run(mixed_project, "-n", "2").returncode == 1
    values = read_evidence(mixed_project)
    assert values["complete"] is True
    assert set(values["versions"]) == {"python"}
    right = values["snippets"]["part/right.py"]
    assert right["engines"] == {"python": "passed"}
    assert len(right["sha256"]) == 64
    assert right["seconds"]["python"] > 0
    assert values["snippets"]["part/wrong.py"]["engines"] == {"python": "failed"}
    assert values["date"].startswith("20")


def test_a_partial_run_writes_evidence_only_to_a_named_file(mixed_project: Project) -> None:
    run(mixed_project, "-k", "right")
    assert not (mixed_project.root / ".cache/evidence.json").exists()
    run(mixed_project, "-k", "right", "--snippet-evidence", "some.json")
    values = read_evidence(mixed_project, "some.json")
    assert (values["complete"], list(values["snippets"])) == (False, ["part/right.py"])


def test_a_run_that_only_collects_writes_nothing(mixed_project: Project) -> None:
    run(mixed_project, "--collect-only", "--snippet-evidence", "some.json")
    assert not (mixed_project.root / "some.json").exists()


def test_a_run_with_skips_is_not_complete(project: Project) -> None:
    (project.root / "pyproject.toml").write_text('[tool.snippetcheck]\nneeds = ["no_such_package"]\n')
    project.snippet("a.py", "import no_such_package", "# needs: no_such_package\n")
    project.snippet("b.py", "print(1)\n#> 1")
    completed = run(project, "-rs")
    assert completed.returncode == 0
    assert "needs no_such_package, which is not installed" in completed.stdout
    values = read_evidence(project)
    assert values["snippets"]["a.py"]["engines"] == {"python": "skipped"}
    assert values["complete"] is False


def test_folders_that_pytest_skips_by_name_are_part_of_a_complete_run(project: Project) -> None:
    for name in ("build", "dist", "venv", "node_modules", ".hidden", "a.egg"):
        project.snippet(f"{name}/a.py", "print(1)\n#> 1")
    assert "6 passed" in run(project).stdout
    assert read_evidence(project)["complete"] is True


def test_a_run_through_a_symbolic_link_is_complete(project: Project, tmp_path: Path) -> None:
    project.snippet("part/right.py", "print(1)\n#> 1")
    link = tmp_path / "link"
    link.symlink_to(project.root)
    assert run(project, str(link / "snippets"), "--rootdir", str(link)).returncode == 0
    assert read_evidence(project)["complete"] is True


@pytest.mark.parametrize(("green_from", "verdict"), [(3, "passed"), (9, "failed")])
def test_the_last_attempt_of_a_rerun_is_recorded(green_from: int, verdict: str, project: Project) -> None:
    project.snippet("flaky.py", FLAKY.format(path=str(project.root / "count"), green_from=green_from))
    run(project, "--reruns", "2")
    assert read_evidence(project)["snippets"]["flaky.py"]["engines"] == {"python": verdict}


def test_one_failure_among_repeated_runs_is_recorded(project: Project) -> None:
    project.snippet("flaky.py", FLAKY.format(path=str(project.root / "count"), green_from=2))
    assert "1 failed, 2 passed" in run(project, "--count", "3").stdout
    assert read_evidence(project)["snippets"]["flaky.py"]["engines"] == {"python": "failed"}


def test_a_cached_run_keeps_its_date(project: Project) -> None:
    project.snippet("slow.py", "import time\ntime.sleep(1)\nprint(1)\n#> 1")
    for name in ("first", "second"):
        assert run(project, "--snippet-cache", "--snippet-evidence", f"{name}.json").returncode == 0
    first, second = (read_evidence(project, f"{name}.json")["snippets"]["slow.py"] for name in ("first", "second"))
    assert first["ran"] == second["ran"]


PYPROJECT = """
[tool.snippetcheck.engines.one]
path = ["."]
sources = ["one_engine"]
[tool.snippetcheck.engines.two]
"""


@pytest.mark.parametrize("workers", [[], ["-n", "1"]], ids=["alone", "a worker"])
def test_a_run_records_the_fingerprint_of_each_engine(workers: list[str], tmp_path: Path) -> None:
    project = Project(tmp_path / "made", PYPROJECT, IMPORT_PATH)
    engine = project.root / "one_engine.py"
    engine.write_text("")
    project.snippet("a.py", "print(1)\n#> 1")
    records = []
    for name, text in (("before.json", "x = 1\n"), ("after.json", "x = 2\n")):
        engine.write_text(text)
        assert run(project, "--snippet-evidence", name, *workers).returncode == 0
        records.append(evidence_file.read(project.root / name))
    before, after = (record.made_with_of("a.py", "one") for record in records)
    assert provenance.changed_names(before, after) == ["engine"]
    assert after == provenance.fingerprint_engine(Engine("one", path=(str(project.root),), sources=("one_engine",)))
    assert records[0].made_with_of("a.py", "two") == records[1].made_with_of("a.py", "two") != {}


CONFTEST_THAT_EDITS_THE_ENGINE = """
import pytest

@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems():
    open("one_engine.py", "w").write("x = 2")
"""


def test_an_edit_during_a_run_counts_as_a_change(tmp_path: Path) -> None:
    project = Project(tmp_path / "made", PYPROJECT, IMPORT_PATH)
    (project.root / "one_engine.py").write_text("x = 1")
    engine = Engine("one", path=(str(project.root),), sources=("one_engine",))
    before = provenance.fingerprint_engine(engine)
    (project.root / "conftest.py").write_text(CONFTEST_THAT_EDITS_THE_ENGINE)
    project.snippet("a.py", "print(1)\n#> 1")
    assert run(project).returncode == 0
    assert (project.root / "one_engine.py").read_text() == "x = 2"
    assert evidence_file.read(project.root / ".cache/evidence.json").made_with_of("a.py", "one") == before


@pytest.mark.parametrize("arguments", [[], ["--snippet-mutate"]], ids=["evidence", "mutation score"])
def test_a_file_that_cannot_be_written_is_an_error_only_if_an_option_names_it(
    arguments: list[str], project: Project
) -> None:
    """Put a file in place of the folder `.cache`, so that even root cannot write below it."""
    project.snippet("a.py", "print(1)\n#> 1")
    (project.root / ".cache").write_text("")
    completed = run(project, *arguments)
    assert completed.returncode == 0, completed.stdout
    assert "cannot be written" in completed.stdout and "1 passed" in completed.stdout
    option = "--snippet-mutation-evidence" if arguments else "--snippet-evidence"
    completed = run(project, *arguments, option, ".cache/x.json")
    assert (completed.returncode, "cannot be written" in completed.stdout) == (3, True), completed.stdout


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["alone", "two workers"])
def test_a_run_writes_its_mutation_score(workers: list[str], project: Project) -> None:
    project.snippet("one/a.py", "print(1.5)\n#> 1.5")
    project.snippet("two/b.py", "print('in', 3)\n#> in 3")
    completed = run(project, "--snippet-mutate", "--snippet-mutation-evidence", "score.json", "snippets", *workers)
    assert completed.returncode == 0, completed.stdout
    values = read_evidence(project, "score.json")
    assert f"mutation: {values['mutants']} of {values['mutants']} changed values turned red" in completed.stdout
    assert values["killed"] == values["mutants"] > 10
    assert (values["survivors"], values["snippets"]) == ([], 2)
    assert [row["part"] for row in values["by_part"]] == ["one", "two"]
    assert values["provenance"]["command"].endswith("snippets --snippet-mutate --snippet-mutation-evidence score.json")


def test_a_survivor_is_listed_with_its_line() -> None:
    scores = [
        Score("part/a.py", "torch", 9, (Mutant(3, "digit", "1", "2", ()),)).to_json(),
        Score("part/b.py", "torch", 5, ()).to_json(),
    ]
    values = summary(scores, {"torch": "2.13.0"}, {})
    assert (values["mutants"], values["killed"]) == (14, 13)
    assert values["by_part"] == [{"part": "part", "runs": 2, "mutants": 14, "survivors": 1}]
    assert values["survivors"] == [
        {"snippet": "part/a.py", "engine": "torch", "line": 3, "kind": "digit", "before": "1", "after": "2"}
    ]
    assert values["provenance"] == {"red": ["part/a.py on torch"]}

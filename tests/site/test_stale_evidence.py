"""Evidence is valid for the code that ran. After a change of the code, pages report it as stale.

A stale or failed run of an example blocks publication, and so does a table with failures, but not a stale table.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from snippetcheck.engines import Engine
from test_fences import FENCE, SNIPPET, book, render, snippet_fence, write_evidence  # noqa: F401

from gradnotes.evidence import provenance
from gradnotes.evidence.evidence_file import Evidence
from gradnotes.fences.extension import invalidate
from gradnotes.fences.table_status import publication_blockers, render_status_line
from gradnotes.problems import PageError
from tests.files import write_files

SHA256 = hashlib.sha256(SNIPPET.encode()).hexdigest()
ADD = '''"""A sum and its gradient."""

import torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
(a * b + b).backward()
print(a.grad, b.grad)
#> tensor(3.) tensor(3.)
'''
# The gradients of `add` in the engine's source
RIGHT = "self=lambda g: g, other=lambda g, alpha: g if alpha == 1 else g * alpha"
PYPROJECT = """
[tool.snippetcheck.engines.reference_impl]
path = ["."]
replace = { torch = "reference_impl" }
sources = ["reference_impl"]
distributions = ["numpy"]
"""


@pytest.fixture
def project(tmp_path: Path, root: Path) -> Path:
    """Create a site of one page with a copy of the engine. Run the example of the page, and write the table that the page shows."""
    copy = tmp_path / "project"
    page = "---\ntitle: Part\npages: []\n---\n\n" + snippet_fence("part/add.py")
    page += "\n" + FENCE.format(info="steps", body="file: part/add.py")
    page += "\n" + FENCE.format(info="evidence", body="file: judged.json\nrows: rows\ncolumns: op")
    sources = {"engine": ["reference_impl"], "judge": ["judge.py"]}
    files = {
        "docs/index.md": "---\ntitle: Home\nparts: [part]\n---\n\nText.\n",
        "docs/part/index.md": page,
        "snippets/part/add.py": ADD,
        "pyproject.toml": "[tool.snippetcheck]\n" + PYPROJECT,
        "judge.py": "",
    }
    write_files(copy, files)
    shutil.copytree(root / "reference_impl", copy / "reference_impl", ignore=shutil.ignore_patterns("__pycache__"))
    completed = run_examples(copy)
    assert completed.returncode == 0, completed.stdout
    table = {"provenance": provenance.describe_sources(copy, "python judge.py", sources), "rows": [{"op": "add"}]}
    (copy / "docs/evidence/judged.json").write_text(json.dumps(table))
    return copy


def run_examples(project: Path) -> subprocess.CompletedProcess[str]:
    """Run the examples of the project on its copy of the engine, and write their evidence, as `make evidence` does."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "gradnotes.evidence.pytest_plugin", "snippets"]
    command += ["--snippet-evidence", "docs/evidence/snippets.json"]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return subprocess.run(command, cwd=project, env=inherited, capture_output=True, text=True)


def make_add_wrong(project: Path) -> None:
    """Make the gradient of the first operand of `add` three times too large."""
    path = project / "reference_impl" / "core" / "operations" / "arithmetic.py"
    text = path.read_text()
    assert RIGHT in text
    path.write_text(text.replace(RIGHT, RIGHT.replace("lambda g: g,", "lambda g: g * 3,"), 1))


def page_text(project: Path, has_viewer: bool = True) -> str:
    """Render the page, with or without its step viewer, and return its text without tags."""
    invalidate()
    text = (project / "docs/part/index.md").read_text().partition("---\n\n")[2]
    html = render(project, text if has_viewer else re.sub(r"``` steps.*?```\n", "", text, flags=re.S))
    return " ".join(re.sub(r"<[^>]+>", "", html).split())


def test_a_wrong_gradient_stops_the_build_and_the_publication(project: Path) -> None:
    """Check that the page raises a PageError, which fails a strict build, and that the outdated example blocks publication."""
    assert publication_blockers(project) == []
    text = page_text(project)
    assert "Ran on reference_impl" in text and "has changed since" not in text and "b.grad becomes tensor(3.)" in text

    make_add_wrong(project)
    with pytest.raises(PageError) as caught:
        page_text(project)
    (problem,) = caught.value.problems
    assert problem.message.startswith("could not record part/add.py: add.py:9: ")
    assert "The snippet says 'tensor(3.) tensor(3.)', the engine printed 'tensor(9.) tensor(7.)'" in problem.message
    assert (problem.line, "pytest --snippet-engine reference_impl" in problem.remedy) == (5, True)
    text = page_text(project, has_viewer=False)
    assert "Ran on" not in text
    assert "reference_impl has changed since this example last ran on it, " in text
    assert "The engine has changed since: .venv/bin/python judge.py renews the result." in text
    (example,) = publication_blockers(project)  # an old table does not block; a note on the page reports it
    assert example.startswith("snippets/part/add.py: reference_impl has changed since it last ran on it, ")
    assert example.endswith(": `make publish` runs it")

    assert run_examples(project).returncode == 1  # the new evidence is up to date, but the example has failed
    assert "Failed on reference_impl" in page_text(project, has_viewer=False)
    assert (
        publication_blockers(project)[0]
        == "snippets/part/add.py: failed on reference_impl: correct it, then `make publish`"
    )


CHANGES = {
    "one engine": (
        {"torch": {}, "reference_impl": {"engine": "older"}},
        "Ran on torch 2.13.0, 2026-01-31. reference_impl has changed since this example last ran on it, 2026-01-31.",
    ),
    "the harness": (
        {"torch": {"harness": "older"}, "reference_impl": {"harness": "older"}},
        "The test harness has changed since this example last ran on torch and on reference_impl, 2026-01-31.",
    ),
    "the harness and one engine": (
        {"torch": {"harness": "older"}, "reference_impl": {"harness": "older", "engine": "older"}},
        "The test harness has changed since this example last ran on torch, 2026-01-31. "
        "reference_impl and the test harness have changed since this example last ran on reference_impl, 2026-01-31.",
    ),
    "a version": (
        {"torch": {"numpy": "1.0"}, "reference_impl": {}},
        "Ran on reference_impl with NumPy 2.4.6, 2026-01-31. "
        "NumPy has changed since this example last ran on torch, 2026-01-31.",
    ),
}


def build_evidence(book: Path, date: str, older: dict[str, dict[str, str]], verdict: str = "passed") -> Evidence:  # noqa: F811
    """Configure two engines, and return evidence of `part/sum.py`.

    `older` maps engines to values that replace those in their current fingerprints.
    """
    table = 'distributions = ["numpy"]\n'
    engines = f"[tool.snippetcheck.engines.torch]\n{table}[tool.snippetcheck.engines.reference_impl]\n{table}"
    (book / "pyproject.toml").write_text(engines)
    recorded = Evidence(date, True, versions={"torch": "2.13.0+cpu", "numpy": "2.4.6"})
    for engine, values in older.items():
        fingerprint = provenance.fingerprint_engine(Engine(engine, distributions=("numpy",)))
        recorded.note("part/sum.py", engine, verdict, SHA256, 0.1, date, {**fingerprint, **values})
    return recorded


@pytest.mark.parametrize("case", CHANGES)
def test_a_record_is_stale_only_where_something_changed(book: Path, case: str) -> None:  # noqa: F811
    older, sentence = CHANGES[case]
    build_evidence(book, "2026-01-31", older).write(book / ".cache/evidence.json")
    html = render(book, snippet_fence("part/sum.py"))
    assert f'<p class="ran ran-stale"><span>{sentence}</span>' in html


def test_an_up_to_date_record_is_preferred_to_a_newer_one(book: Path) -> None:  # noqa: F811
    """Simulate an edit of the engine that was undone, after which the older record is valid again."""
    fresh: dict[str, dict[str, str]] = {"torch": {}, "reference_impl": {}}
    build_evidence(book, "2026-01-31", fresh).write(book / "docs/evidence/snippets.json")
    edited = {"torch": {}, "reference_impl": {"engine": "between"}}
    build_evidence(book, "2026-02-28", edited, "failed").write(book / ".cache/evidence.json")
    html = render(book, snippet_fence("part/sum.py"))
    assert "Failed on torch 2.13.0" in html
    assert "Ran on reference_impl with NumPy 2.4.6, 2026-01-31." in html


def test_evidence_without_fingerprints_is_stale(book: Path) -> None:  # noqa: F811
    """Check evidence without fingerprints, as earlier versions of this site wrote it."""
    write_evidence(book, SHA256, torch="passed", reference_impl="passed")
    path = book / ".cache/evidence.json"
    values = json.loads(path.read_text())
    del values["made_with"], values["snippets"]["part/sum.py"]["made_with"]
    path.write_text(json.dumps(values))
    assert "The test harness has changed since" in render(book, snippet_fence("part/sum.py"))


def test_the_table_of_runs_counts_stale_records(book: Path) -> None:  # noqa: F811
    build_evidence(book, "2026-01-31", {"torch": {}, "reference_impl": {"engine": "older"}}).write(
        book / ".cache/evidence.json"
    )
    body = "file: runs\nrows: engines\ncolumns: engine, passed, failed, stale, no record"
    text = " ".join(re.sub(r"<[^>]+>", " ", render(book, FENCE.format(info="evidence", body=body))).split())
    assert text.endswith("torch 1 0 0 0 reference_impl 0 0 1 0")


def test_missing_edited_or_malformed_snippets_block_publication(book: Path) -> None:  # noqa: F811
    write_evidence(book, "0" * 64, torch="passed", reference_impl="skipped")
    (book / "snippets/part/malformed.py").write_text("print(1\n")
    blockers = publication_blockers(book)
    assert blockers[0].startswith("snippets/part/malformed.py:1: ")
    assert "snippets/part/alone.py: never ran on torch: `make publish` runs it" in blockers
    assert "snippets/part/sum.py: has changed since it last ran on torch: `make publish` runs it" in blockers
    assert len(blockers) == 5  # a table without provenance does not block


def test_a_table_with_failures_blocks_publication(book: Path) -> None:  # noqa: F811
    (book / "judge.py").write_text("")
    values = {
        "provenance": {
            **provenance.describe_sources(book, "python judge.py", {"judge": ["judge.py"]}),
            "red": ["add", "mul"],
        }
    }
    (book / "docs/evidence/speed.json").write_text(json.dumps(values))
    assert publication_blockers(book)[-1].endswith(". Failures: add, mul.")


def test_sources_of_slow_tables_exist(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Notice renamed source files here, not only when the slow programs that write these tables run."""
    monkeypatch.syspath_prepend(root / "bench" / "harness")
    sources = importlib.import_module("bench.mutation.run").sources()
    assert provenance.table_changes(root, provenance.describe_sources(root, "", sources)) == []
    assert {"bench/mutation/run.py", "bench/mutation/gradient_changes.py"} <= set(sources["judge"])
    assert {"tests/engine/op_compare.py", "harness/tests/test_compare.py"} <= set(sources["tests"])
    benchmark = importlib.import_module("run").describe_benchmark()
    assert {"bench/harness/corpus.py", "bench/harness/peers.py"} <= set(benchmark["sources"]["judge"])


def test_every_committed_table_has_a_status_line(root: Path) -> None:
    tables = [path for path in (root / "docs/evidence").glob("*.json") if path.name != "snippets.json"]
    assert len(tables) > 5
    for path in tables:
        assert re.match(
            r'<p class="ran ran-\w+"><span>(Measured on 2|The date)',
            render_status_line(json.loads(path.read_text()), root),
        )

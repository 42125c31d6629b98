"""Put faults into the project's sources, one at a time, and check that an example or a test turns red.

    make coverage                                     # first: which test executes which line
    .venv/bin/python -m bench.mutation.run          # 100 wrong gradients, 30 faults of each other family
    .venv/bin/python -m bench.mutation.run --minutes 5   # continues the last run for 5 minutes
    .venv/bin/python -m bench.mutation.run --again       # only the survivors of the last run

Each fault (see `bench.mutation.families`) is put into a copy of the tree. First the examples that execute the faulty lines run on the
faulty engine, until one turns red, that is, fails. If all are green, the tests that execute these lines run in a fork of this process,
which has imported PyTorch already. A red test counts only if it is green without the fault. The summary goes to docs/evidence/faults.json.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from snippetcheck.compare import compare
from snippetcheck.engines import EngineError
from snippetcheck.runner.client import EngineClient
from snippetcheck.settings import Settings, load_settings
from snippetcheck.snippet import Snippet, files

from bench.mutation.families import FAMILIES, Fault, equivalents, faults, sample
from bench.mutation.witnesses import Witnesses, in_fork
from gradnotes.evidence.provenance import describe_sources, table_changes, with_imports

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "evidence" / "faults.json"
UNFINISHED = ROOT / ".cache" / "faults.jsonl"
SEED = 17
SAMPLE = 30  # number of faults of each family except gradients; a run takes half an hour on two cores
EXAMPLES = 60  # maximum number of examples that run for a fault
SECONDS = (4.0, 25.0, 60.0)  # durations of the groups of tests; most faults turn a test of the first group red
# The tests of each source folder. Tests of the harness and of the site share servers and builds; coverage records the lines of a
# shared server only for the test that started it.
TEST_FOLDERS = {"harness/": "harness/tests/", "gradnotes/": "tests/site/", "reference_impl/": "tests/engine/"}
# Other packages replace functions of the core. A fault in a replaced function is noticed only by tests that run the core alone.
# These are slow and run last.
CORE = ("reference_impl/core/", "reference_impl/fast/")
CORE_TESTS = "tests/engine/test_core.py::"
LONGEST = 8.0  # seconds; a test that takes longer runs only if it executes the faulty lines
SITE_SECONDS = 120  # added to the time limit of tests of the site: the first of them may build the site in its fork
PROJECT_MODULES = ("reference_impl", "snippetcheck", "gradnotes", "tests", "conftest")


def main() -> None:
    """Judge a sample of faults, and print how many of them an example or a test noticed.

    Only the verdicts on the whole default sample are written to the evidence. If the time ends first, the next run continues.
    """
    options = arguments()
    settings = load_settings(ROOT)
    provenance = describe_sources(ROOT, "make coverage && python -m bench.mutation.run", sources(), ("torch", "numpy"))
    witnesses = Witnesses(ROOT, settings.engines["reference_impl"], examples(settings))
    is_whole_sample = not (options.only or options.family) and (options.sample, options.seed, options.tier) == (
        SAMPLE,
        SEED,
        "pull-request",
    )
    selected_faults = sample(
        [fault for fault in faults(ROOT) if fault.family in (options.family or FAMILIES)], options.sample, options.seed
    )
    selected_faults = [fault for fault in selected_faults if options.only in fault.name]
    verdicts = (
        {name: row for name, row in load_results().items() if row["red_by"] or row["equivalent"]}
        if options.again
        else {}
    )
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        notes = Notes(UNFINISHED if is_whole_sample else Path(folder) / "verdicts", provenance)
        verdicts |= notes.read()
        pending = [fault for fault in selected_faults if fault.name not in verdicts]
        print(f"{len(selected_faults)} faults, {len(pending)} to judge", flush=True)
        judge_all(pending, Path(folder), settings, witnesses, notes, options)
        verdicts |= notes.read()
    remaining = [fault for fault in selected_faults if fault.name not in verdicts]
    if remaining:
        print(f"stopped: {len(remaining)} faults are left\n    run the same command again to continue")
        return
    results = [verdicts[fault.name] for fault in selected_faults]
    print(json.dumps(summarize(results), indent=1))
    if is_whole_sample:
        write(results, provenance)
        notes.path.unlink()


def judge_all(
    pending: list[Fault],
    folder: Path,
    settings: Settings,
    witnesses: Witnesses,
    notes: Notes,
    options: argparse.Namespace,
) -> None:
    """Judge the `pending` faults in several processes, each with a copy of the tree, and append the verdicts to `notes`.

    No process starts a fault later than `options.minutes` after the call. An error in a process is printed and ends this process, so
    that its remaining faults have no verdict.
    """
    import torch
    import torch.testing._internal.common_methods_invocations  # noqa: F401  before the forks

    torch.set_num_threads(1)
    gc.freeze()
    deadline = time.monotonic() + options.minutes * 60
    children = []
    for number in range(options.processes):
        pid = os.fork()
        if pid == 0:
            try:
                judge = Judge(folder / str(number), settings, witnesses, options.tier)
                for fault in pending[number :: options.processes]:
                    if time.monotonic() > deadline:
                        break
                    notes.append(judge.judge_fault(fault))
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(0)
        children.append(pid)
    for pid in children:
        os.waitpid(pid, 0)


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--again", action="store_true", help="judge only the survivors of the recorded run")
    parser.add_argument("-j", "--processes", type=int, default=2, help="number of processes (default 2)")
    parser.add_argument("--minutes", type=float, default=1e6, help="stop after this time; the next run continues")
    parser.add_argument(
        "--family", choices=FAMILIES, nargs="*", default=(), help="judge only these families; do not write the evidence"
    )
    parser.add_argument(
        "--only", default="", help="judge only faults whose name contains this; do not write the evidence"
    )
    parser.add_argument(
        "--sample", type=int, default=SAMPLE, help=f"faults per family; only {SAMPLE}, the default, writes the evidence"
    )
    parser.add_argument(
        "--seed", type=int, default=SEED, help=f"seed of the sample; only {SEED}, the default, writes the evidence"
    )
    parser.add_argument(
        "--tier", default="pull-request", help="tier of the tests; only pull-request, the default, writes the evidence"
    )
    return parser.parse_args()


def sources() -> dict[str, list[str]]:
    """Return all files that decide whether a fault is noticed, by role, such as "engine" or "tests"."""
    tests = sorted(
        path.relative_to(ROOT).as_posix()
        for folder in ("tests", "harness/tests")
        for path in tests_below(ROOT / folder)
    )
    judge = with_imports(ROOT, "bench/mutation/run.py")
    judge = [name for name in judge if name.startswith("bench/")] + [
        "bench/mutation/equivalent_faults.toml",
        "conftest.py",
    ]
    return {
        "engine": ["reference_impl"],
        "harness": ["harness/src"],
        "site": ["gradnotes"],
        "judge": judge,
        "tests": tests,
        "examples": ["snippets"],
    }


def tests_below(folder: Path) -> Iterator[Path]:
    """Yield the Python files below a folder of tests."""
    return (path for path in folder.rglob("*.py") if "node_modules" not in path.parts)


def examples(settings: Settings) -> list[Snippet]:
    """Return the snippets that run on reference_impl."""
    snippets = [settings.load(path) for path in files(settings.snippets_dir)]
    return [snippet for snippet in snippets if "reference_impl" in snippet.manifest.engines]


def load_results() -> dict[str, dict[str, Any]]:
    """Return the results of the recorded run by the name of the fault.

    Exit if the engine, the harness, the site or the examples have changed since the run.
    """
    values = json.loads(RESULTS.read_text())
    changed_sources = set(table_changes(ROOT, values["provenance"])) - {"judge", "tests"}
    if changed_sources:
        raise SystemExit(
            f"changed since the recorded run: {', '.join(sorted(changed_sources))}\n    run without --again"
        )
    return {row["name"]: row for row in values["results"]}


class Notes:
    """A file with the verdicts so far. The next run on the same sources continues from it; a run on other sources replaces it."""

    def __init__(self, path: Path, provenance: dict[str, Any]):
        self.path, self.head = path, json.dumps(provenance["made_with"]) + "\n"
        if not path.exists() or not path.read_text().startswith(self.head):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.head)

    def read(self) -> dict[str, dict[str, Any]]:
        """Return the verdicts by the name of the fault."""
        return {verdict["name"]: verdict for verdict in map(json.loads, self.path.read_text().splitlines()[1:])}

    def append(self, verdict: dict[str, Any]) -> None:
        """Append a verdict to the file, and print it. Several processes may call it at the same time."""
        with self.path.open("a") as file:
            file.write(json.dumps(verdict) + "\n")
        outcome = verdict["red_by"] or verdict["equivalent"] or f"NOT NOTICED, {verdict['asked']}"
        print(
            f"{verdict['seconds']:5.1f} s | {outcome} | {verdict['family']} | {verdict['line']} {verdict['name']}"[
                :400
            ],
            flush=True,
        )


def write_source(path: Path, text: str) -> None:
    """Write a source file, and remove its bytecode file. Python would use old bytecode if time and size of the source are the same."""
    path.write_text(text)
    with contextlib.suppress(FileNotFoundError):
        Path(importlib.util.cache_from_source(str(path))).unlink()


class Judge:
    """Put faults into a copy of the project's files, and run examples and tests on the copy."""

    def __init__(self, copy: Path, settings: Settings, witnesses: Witnesses, tier: str):
        self.copy, self.witnesses, self.tier = copy, witnesses, tier
        self.engine = replace(settings.engines["reference_impl"], path=(str(copy),))
        self.snippets = {snippet.name: snippet for snippet in examples(settings)}
        self.reasons = equivalents()
        self.green_names: set[str] = set()  # examples and tests that are green without a fault
        self.red_names: set[str] = set()  # examples and tests that are red without a fault
        copy_into(copy)
        self.check_import()

    def check_import(self) -> None:
        """Check that a fork imports the packages from the copy, and raise AssertionError if it does not."""
        files = in_fork(lambda: self.imported_files(), 60)
        assert files and all(str(file).startswith(str(self.copy)) for file in files), files

    def imported_files(self) -> list[str | None]:
        """Import the packages from the copy and return their files. Runs in a fork."""
        self.enter()
        return [importlib.import_module(name).__file__ for name in ("reference_impl", "snippetcheck", "gradnotes")]

    def judge_fault(self, fault: Fault) -> dict[str, Any]:
        """Run examples and tests on a fault until one turns red. Return the verdict, a row of the evidence.

        name, family, kind, line: of the fault
        red_by: the red example or test, or None
        asked: if none is red, a summary of what ran
        equivalent: the reason why the fault has no effect, or None
        seconds: how long judging took
        """
        start = time.monotonic()
        path = self.copy / fault.file
        original = path.read_text(encoding="utf-8")
        faulty = fault.put_into(original)
        red_by, run_summary = self.find_red(fault, path, original, faulty)
        judgment = {
            "name": fault.name,
            "family": fault.family,
            "kind": fault.kind,
            "red_by": red_by,
            "asked": run_summary,
        }
        judgment["equivalent"] = None if red_by else self.reasons.get(fault.equivalent_name)
        return {**judgment, "line": fault.lines[0], "seconds": round(time.monotonic() - start, 1)}

    def find_red(self, fault: Fault, path: Path, original: str, faulty: str) -> tuple[str | None, str]:
        """Return the first example or test that the fault turns red, and an empty string; or None, and a summary of what ran."""

        def are_green(names: list[str], kind: str) -> bool:
            """Return whether all examples or tests are green without the fault. A red one is excluded from further runs."""
            if self.green_names.issuperset(names):
                return True
            write_source(path, original)
            red_name = self.first_red(names, kind)
            write_source(path, faulty)
            if red_name is None:
                self.green_names.update(names)
            elif red_name in names:
                self.red_names.add(red_name)
            return red_name is None

        snippets = self.witnesses.snippets(fault)
        groups = [("example", snippets[:EXAMPLES])]
        groups += [("test", group) for group in self.groups(fault)]
        run_count: Counter[str] = Counter()
        write_source(path, faulty)
        try:
            for kind, names in groups:
                pending = [name for name in names if name not in self.red_names]
                while pending:
                    red_name = self.first_red(pending, kind)
                    if red_name is None:
                        break
                    if are_green([red_name] if red_name in pending else pending, kind):
                        return f"{kind} {red_name}", ""
                    remaining = [name for name in pending if name not in self.red_names]
                    # if no name was removed, they exceed the time limit or end their process without the fault too
                    pending = remaining if remaining != pending else []
                run_count[kind] += len(pending)
        finally:
            write_source(path, original)
        if not groups[1:] and not snippets:
            return None, "nothing executes it"
        return None, f"{run_count['example']} of {len(snippets)} examples, {run_count['test']} tests"

    def groups(self, fault: Fault) -> list[list[str]]:
        """Return the tests to run, in groups: tests that execute the faulty lines, tests that may execute them, tests of the core.

        Coverage does not record the lines of a server that another test started, nor which tests depend on a line that runs at import.
        """
        seconds = self.witnesses.seconds
        tests = self.witnesses.tests(fault)
        folder = next(tests for sources, tests in TEST_FOLDERS.items() if fault.file.startswith(sources))
        is_unrecorded = folder != "tests/engine/" or self.witnesses.is_only_imported(fault)
        other_tests = [
            name for name in seconds if is_unrecorded and name.startswith(folder) and seconds[name] < LONGEST
        ]
        other_tests = self.witnesses.quick_first(set(other_tests) - set(tests))
        tests.sort(key=lambda name: not name.startswith(folder))  # the tests of the fault's own package first
        core_tests = [name for name in seconds if fault.file.startswith(CORE) and name.startswith(CORE_TESTS)]
        groups: list[list[str]] = []
        for names, limits in ((tests, SECONDS), (other_tests, SECONDS[2:])):
            remaining = list(names)
            for limit in limits:
                group: list[str] = []
                total_seconds = 0.0
                while remaining and total_seconds <= limit:
                    total_seconds += seconds[remaining[0]] + 0.01
                    group.append(remaining.pop(0))
                groups.append(group)
        groups.append([name for name in core_tests if not any(name in group for group in groups)])
        return [group for group in groups if group]

    def first_red(self, names: list[str], kind: str) -> str | None:
        """Return the name of the first of these examples or tests (`kind`) that is red; None if all are green.

        If it is unknown which is red, return a text in place of the name, see `first_red_in_fork`, `first_red_example` and `run_tests`.
        """
        return self.red_example(names) if kind == "example" else self.red_test(names)

    def red_example(self, names: Sequence[str]) -> str | None:
        """Return the name of the first red example, or a text as `first_red` does; None if all are green."""
        limit = 120 + 10 * sum(self.witnesses.seconds[name] for name in names)
        return self.first_red_in_fork(lambda: [self.first_red_example(names)], limit)

    def first_red_example(self, names: Sequence[str]) -> str | None:
        """Run examples on the copy of the tree until one is red, and return its name or None. Runs in a fork.

        If the engine does not start, return "the import of the engine".
        """
        try:
            with EngineClient(self.engine) as server:
                return next(
                    (name for name in names if compare(self.snippets[name], server.run(self.snippets[name]))), None
                )
        except EngineError:
            return "the import of the engine"

    def red_test(self, names: Sequence[str]) -> str | None:
        """Return the id of the first red test, or a text as `first_red` does; None if all are green."""
        limit = 20 + 4 * sum(self.witnesses.seconds[name] for name in names)
        if any(name.startswith("tests/site/") for name in names):
            limit += SITE_SECONDS
        return self.first_red_in_fork(lambda: self.run_tests(names), limit)

    def first_red_in_fork(self, find_red: Callable[[], list[str | None]], limit: float) -> str | None:
        """Call `find_red` in a fork, and return the first item of its result, a name or None.

        If the fork does not end within `limit` seconds or crashes, return a text instead of the name: "that meets its time limit" or
        "that ends its process", to be read after the word "example" or "test".
        """
        try:
            red_names = in_fork(find_red, limit)
        except TimeoutError:
            return "that meets its time limit"
        return "that ends its process" if red_names is None else red_names[0]

    def run_tests(self, names: Sequence[str]) -> list[str | None]:
        """Return a list with one item: the id of the first red test, None if no test is red, or "the collection of tests" if that fails.

        This method runs in a fork.
        """
        import pytest

        self.enter()
        first_red = FirstRed()
        options = ["-x", "-q", "-p", "no:cacheprovider", f"--tier={self.tier}"]
        if all(name.startswith("tests/engine/") for name in names):
            options += ["-p", "no:snippetcheck"]  # the plugin would read all examples
        code = pytest.main([*names, *options], [first_red])
        return [first_red.name or (None if code in (0, 5) else "the collection of tests")]

    def enter(self) -> None:
        """Make this process, and the processes that it starts, import the packages from the copy."""
        for name in [name for name in sys.modules if name.partition(".")[0] in PROJECT_MODULES]:
            del sys.modules[name]
        paths = [str(self.copy), str(self.copy / "harness" / "src")]
        sys.path[:0] = paths
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)
        os.chdir(self.copy)


class FirstRed:
    """A pytest plugin that stores the id of the first test that fails, or "the collection of tests" if that fails."""

    name: str | None = None

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Store the id of a failed test, unless another test failed before."""
        if report.failed and self.name is None:
            self.name = report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        """Store a failed collection, unless another failure came before."""
        if report.failed and self.name is None:
            self.name = "the collection of tests"


def copy_into(copy: Path) -> None:
    """Copy the project to `copy`, without the files that git ignores. Link the folders of downloaded tools."""
    listing = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    for name in listing.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    for name in ("tests/site/node_modules", ".cache/runtime"):
        if (ROOT / name).exists():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).symlink_to(ROOT / name)


def summarize(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the numbers of faults by family and in total, as "by_family", and the verdicts on the survivors, as "missed".

    A row of "by_family" has the keys family, faults (without the equivalent ones), by_example, by_test, missed and equivalent.
    """

    def counts(family: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
        red_by = Counter(row["red_by"].partition(" ")[0] for row in rows if row["red_by"])
        equivalent = sum(bool(row["equivalent"]) for row in rows)
        return {
            "family": family,
            "faults": len(rows) - equivalent,
            "by_example": red_by["example"],
            "by_test": red_by["test"],
            "missed": len(rows) - red_by.total() - equivalent,
            "equivalent": equivalent,
        }

    families = [counts(family, [row for row in results if row["family"] == family]) for family in FAMILIES]
    families = [row for row in families if row["faults"] or row["equivalent"]]
    survivors = [row for row in results if not row["red_by"] and not row["equivalent"]]
    return {"by_family": [*families, counts("all", results)], "missed": survivors}


def write(results: list[dict[str, Any]], provenance: dict[str, Any]) -> None:
    """Write the verdicts, their summary and the provenance to docs/evidence/faults.json.

    The names of the survivors are added to `provenance`, as "red".
    """
    summary = summarize(results)
    provenance["red"] = [row["name"] for row in summary["missed"]]
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(
        json.dumps({"provenance": provenance, "seed": SEED, **summary, "results": results}, indent=1) + "\n"
    )


if __name__ == "__main__":
    main()

"""Puts faults into our own sources, one at a time, and sees whether some example or test turns red.

    make coverage                                     # first: which test executes which line
    .venv/bin/python bench/harness/faults.py          # 100 wrong gradients, 30 faults of each other family
    .venv/bin/python bench/harness/faults.py --minutes 5   # goes on where the last run stopped, for so long
    .venv/bin/python bench/harness/faults.py --again       # only what nothing noticed the last time

The faults (`fault_families.py`) are made in a copy of the tree. The examples that execute the faulty lines run on the faulty
engine, until one is red; where none is, the tests that execute them do, in a fork of this process, which has imported PyTorch. A
test counts only if it is green without the fault. The figures go to docs/evidence/faults.json.
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

from fault_families import FAMILIES, Fault, equivalents, faults, sample
from fault_witnesses import Witnesses, in_fork
from snippetcheck.compare import compare
from snippetcheck.engines import EngineError
from snippetcheck.runner.client import EngineClient
from snippetcheck.settings import Settings, load_settings
from snippetcheck.snippet import Snippet, files

from gradnotes.evidence.provenance import describe_sources, table_changes, with_imports

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "evidence" / "faults.json"
UNFINISHED = ROOT / ".cache" / "faults.jsonl"
SEED = 17
SAMPLE = 30  # of each family but the gradients: half an hour on two cores
EXAMPLES = 60  # that are asked about one fault
SECONDS = (4.0, 25.0, 60.0)  # of tests, in groups: most faults are red in the first
# Tests; those of the harness and of the site share servers and builds, which were counted for the first that asked.
ROOMS = {"harness/": "harness/tests/", "gradnotes/": "tests/site/", "reference_impl/": "tests/engine/"}
# What other rooms replace is seen by those tests alone that run without these; they take longest, and are asked at the end.
CORE = ("reference_impl/core/", "reference_impl/fast/")
OF_CORE = "tests/engine/test_core.py::"
LONGEST = 8.0  # seconds of a test that is asked because of its room alone
OURS = ("reference_impl", "snippetcheck", "gradnotes", "tests", "conftest")


def main() -> None:
    """Make the faults, run, and write the rates."""
    options = arguments()
    settings = load_settings(ROOT)
    made = describe_sources(ROOT, "make coverage && python bench/harness/faults.py", sources(), ("torch", "numpy"))
    witnesses = Witnesses(ROOT, settings.engines["reference_impl"], examples(settings))
    whole = not (options.only or options.family) and options.sample == SAMPLE and options.tier == "pull-request"
    chosen = sample(
        [one for one in faults(ROOT) if one.family in (options.family or FAMILIES)], options.sample, options.seed
    )
    chosen = [one for one in chosen if options.only in one.name]
    kept = (
        {name: one for name, one in on_record().items() if one["red_by"] or one["equivalent"]} if options.again else {}
    )
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        notes = Notes(UNFINISHED if whole else Path(folder) / "verdicts", made)
        kept |= notes.read()
        ahead = [one for one in chosen if one.name not in kept]
        print(f"{len(chosen)} faults, {len(ahead)} to be judged", flush=True)
        judge_all(ahead, Path(folder), settings, witnesses, notes, options)
        kept |= notes.read()
    left = [one for one in chosen if one.name not in kept]
    if left:
        print(f"stopped: {len(left)} are left; run it again")
        return
    results = [kept[one.name] for one in chosen]
    print(json.dumps(figures(results), indent=1))
    if whole:
        write(results, made)
        notes.path.unlink()


def judge_all(
    ahead: list[Fault],
    folder: Path,
    settings: Settings,
    witnesses: Witnesses,
    notes: Notes,
    options: argparse.Namespace,
) -> None:
    """Let processes with a copy of the tree each judge the faults, until the time is over."""
    import torch
    import torch.testing._internal.common_methods_invocations  # noqa: F401  before the forks

    torch.set_num_threads(1)
    gc.freeze()
    until = time.monotonic() + options.minutes * 60
    children = []
    for number in range(options.processes):
        pid = os.fork()
        if pid == 0:
            try:
                judge = Judge(folder / str(number), settings, witnesses, options.tier)
                for fault in ahead[number :: options.processes]:
                    if time.monotonic() > until:
                        break
                    notes.note(judge.verdict(fault))
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(0)
        children.append(pid)
    for pid in children:
        os.waitpid(pid, 0)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--again", action="store_true", help="only what nothing noticed in the run on record")
    parser.add_argument("-j", "--processes", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=1e6, help="stop after so many; the next run goes on")
    parser.add_argument("--family", choices=FAMILIES, nargs="*", default=(), help="only these; writes nothing")
    parser.add_argument("--only", default="", help="only faults whose name has this; writes nothing")
    parser.add_argument(
        "--sample", type=int, default=SAMPLE, help="so many of each family; another number writes nothing"
    )
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the sample, {SEED} if not given")
    parser.add_argument("--tier", default="pull-request", help="of the tests; another one writes nothing")
    return parser.parse_args()


def sources() -> dict[str, list[str]]:
    """What decides whether a fault is noticed."""
    tests = sorted(
        path.relative_to(ROOT).as_posix()
        for folder in ("tests", "harness/tests")
        for path in tests_below(ROOT / folder)
    )
    judge = with_imports(ROOT, "bench/harness/faults.py")
    judge = [name for name in judge if name.startswith("bench/")] + [
        "bench/harness/equivalent_faults.toml",
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
    return (path for path in folder.rglob("*.py") if "node_modules" not in path.parts)


def examples(settings: Settings) -> list[Snippet]:
    """Those that run on the engine."""
    found = [settings.load(path) for path in files(settings.snippets_dir)]
    return [one for one in found if "reference_impl" in one.manifest.engines]


def on_record() -> dict[str, dict[str, Any]]:
    """What the last run found; it ends this one if anything but the judges is another now: what was red may be so no more."""
    values = json.loads(RESULTS.read_text())
    changed = set(table_changes(ROOT, values["provenance"])) - {"judge", "tests"}
    if changed:
        raise SystemExit(f"not what the run on record judged: {', '.join(sorted(changed))}\n    run without --again")
    return {one["name"]: one for one in values["results"]}


class Notes:
    """The verdicts so far, in a file: for the next run that judges just the same, should this one not come to its end."""

    def __init__(self, path: Path, made: dict[str, Any]):
        self.path, self.head = path, json.dumps(made["made_with"]) + "\n"
        if not path.exists() or not path.read_text().startswith(self.head):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.head)

    def read(self) -> dict[str, dict[str, Any]]:
        """By name."""
        return {one["name"]: one for one in map(json.loads, self.path.read_text().splitlines()[1:])}

    def note(self, verdict: dict[str, Any]) -> None:
        """Add one; several processes may."""
        with self.path.open("a") as file:
            file.write(json.dumps(verdict) + "\n")
        red = verdict["red_by"] or verdict["equivalent"] or f"NOT NOTICED, {verdict['asked']}"
        print(
            f"{verdict['seconds']:5.1f} s | {red} | {verdict['family']} | {verdict['line']} {verdict['name']}"[:400],
            flush=True,
        )


def put(path: Path, text: str) -> None:
    """Write a source file. Its bytecode is removed: that of a file of the same second and size would be taken for it."""
    path.write_text(text)
    with contextlib.suppress(FileNotFoundError):
        Path(importlib.util.cache_from_source(str(path))).unlink()


class Judge:
    """Has a copy of the tree, and asks examples and tests about the faults that are put into it."""

    def __init__(self, copy: Path, settings: Settings, witnesses: Witnesses, tier: str):
        self.copy, self.witnesses, self.tier = copy, witnesses, tier
        self.engine = replace(settings.engines["reference_impl"], path=(str(copy),))
        self.snippets = {one.name: one for one in examples(settings)}
        self.equivalent = equivalents()
        self.green: set[str] = set()  # without a fault
        self.red: set[str] = set()
        copy_into(copy)
        self.check_import()

    def check_import(self) -> None:
        """Stop if what a fork imports is not the copy."""
        found = in_fork(lambda: self.imported(), 60)
        assert found and all(str(one).startswith(str(self.copy)) for one in found), found

    def imported(self) -> list[str | None]:
        self.enter()
        return [importlib.import_module(name).__file__ for name in ("reference_impl", "snippetcheck", "gradnotes")]

    def verdict(self, fault: Fault) -> dict[str, Any]:
        """Whether an example or a test turns red with this fault."""
        began = time.monotonic()
        path = self.copy / fault.file
        original = path.read_text(encoding="utf-8")
        wrong = fault.put_into(original)
        red_by, asked = self.ask(fault, path, original, wrong)
        made = {"name": fault.name, "family": fault.family, "kind": fault.kind, "red_by": red_by, "asked": asked}
        made["equivalent"] = None if red_by else self.equivalent.get(fault.known_as)
        return {**made, "line": fault.lines[0], "seconds": round(time.monotonic() - began, 1)}

    def ask(self, fault: Fault, path: Path, original: str, wrong: str) -> tuple[str | None, str]:
        """Who is red, and how many were asked."""

        def is_true(names: list[str], kind: str) -> bool:
            """Whether these are green without the fault; one that is not is not asked again."""
            if self.green.issuperset(names):
                return True
            put(path, original)
            found = self.is_red(names, kind)
            put(path, wrong)
            if found is None:
                self.green.update(names)
            elif found in names:
                self.red.add(found)
            return found is None

        snippets = self.witnesses.snippets(fault)
        groups = [("example", snippets[:EXAMPLES])]
        groups += [("test", group) for group in self.groups(fault)]
        asked: Counter[str] = Counter()
        put(path, wrong)
        try:
            for kind, names in groups:
                ahead = [name for name in names if name not in self.red]
                while ahead:
                    found = self.is_red(ahead, kind)
                    if found is None:
                        break
                    if is_true([found] if found in ahead else ahead, kind):
                        return f"{kind} {found}", ""
                    left = [name for name in ahead if name not in self.red]
                    ahead = left if left != ahead else []  # as they are they take too long, without the fault too
                asked[kind] += len(ahead)
        finally:
            put(path, original)
        if not groups[1:] and not snippets:
            return None, "nothing executes it"
        return None, f"{asked['example']} of {len(snippets)} examples, {asked['test']} tests"

    def groups(self, fault: Fault) -> list[list[str]]:
        """The tests to be asked: those that execute the lines, then those that may without its being noted: by a server that they
        share, or since all of them import what is wrong."""
        seconds = self.witnesses.seconds
        tests = self.witnesses.tests(fault)
        room = next(tests for sources, tests in ROOMS.items() if fault.file.startswith(sources))
        unnoted = room != "tests/engine/" or self.witnesses.only_imported(fault)
        others = [name for name in seconds if unnoted and name.startswith(room) and seconds[name] < LONGEST]
        others = self.witnesses.quick_first(set(others) - set(tests))
        tests.sort(key=lambda name: not name.startswith(room))  # those of the room are about it
        of_core = [name for name in seconds if fault.file.startswith(CORE) and name.startswith(OF_CORE)]
        found: list[list[str]] = []
        for names, limits in ((tests, SECONDS), (others, SECONDS[2:])):
            left = list(names)
            for limit in limits:
                group: list[str] = []
                spent = 0.0
                while left and spent <= limit:
                    spent += seconds[left[0]] + 0.01
                    group.append(left.pop(0))
                found.append(group)
        found.append([name for name in of_core if not any(name in group for group in found)])
        return [group for group in found if group]

    def is_red(self, names: list[str], kind: str) -> str | None:
        """The first of these that is red."""
        return self.red_example(names) if kind == "example" else self.red_test(names)

    def red_example(self, names: Sequence[str]) -> str | None:
        limit = 120 + 10 * sum(self.witnesses.seconds[name] for name in names)
        return self.asked_in_fork(lambda: [self.first_red_example(names)], limit)

    def first_red_example(self, names: Sequence[str]) -> str | None:
        try:
            with EngineClient(self.engine) as server:
                return next(
                    (name for name in names if compare(self.snippets[name], server.run(self.snippets[name]))), None
                )
        except EngineError:
            return "the import of the engine"

    def red_test(self, names: Sequence[str]) -> str | None:
        limit = 20 + 4 * sum(self.witnesses.seconds[name] for name in names)
        return self.asked_in_fork(lambda: self.run_tests(names), limit)

    def asked_in_fork(self, ask: Callable[[], list[str | None]], limit: float) -> str | None:
        """Whom it finds red, in a process that with all it has started ends after `limit` seconds at the latest."""
        try:
            found = in_fork(ask, limit)
        except TimeoutError:
            return "that meets its time limit"
        return "that ends its process" if found is None else found[0]

    def run_tests(self, names: Sequence[str]) -> list[str | None]:
        """In a fork: the first test that is red, or what else ended pytest."""
        import pytest

        self.enter()
        first = FirstRed()
        # As in a shell: what a test starts is to import the copy, too.
        options = ["-x", "-q", "-p", "no:cacheprovider", f"--tier={self.tier}"]
        if all(name.startswith("tests/engine/") for name in names):
            options += ["-p", "no:snippetcheck"]  # which reads all examples, for nothing
        code = pytest.main([*names, *options], [first])
        return [first.name or (None if code in (0, 5) else "the collection of tests")]

    def enter(self) -> None:
        """Let this process, and what it starts, import the copy."""
        for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
            del sys.modules[name]
        paths = [str(self.copy), str(self.copy / "harness" / "src")]
        sys.path[:0] = paths
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)
        os.chdir(self.copy)


class FirstRed:
    """A plugin of pytest: the name of the first test that fails."""

    name: str | None = None

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and self.name is None:
            self.name = report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed and self.name is None:
            self.name = "the collection of tests"


def copy_into(copy: Path) -> None:
    """The project as it is on disk, without what git ignores; tools that are fetched are linked."""
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    for name in ("tests/site/node_modules", ".cache/runtime"):
        if (ROOT / name).exists():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).symlink_to(ROOT / name)


def figures(results: list[dict[str, Any]]) -> dict[str, Any]:
    """The rate, in all and by family, and what nothing noticed."""

    def counts(family: str, some: list[dict[str, Any]]) -> dict[str, Any]:
        by = Counter(one["red_by"].partition(" ")[0] for one in some if one["red_by"])
        equivalent = sum(bool(one["equivalent"]) for one in some)
        return {
            "family": family,
            "faults": len(some) - equivalent,
            "by_example": by["example"],
            "by_test": by["test"],
            "missed": len(some) - by.total() - equivalent,
            "equivalent": equivalent,
        }

    rows = [counts(family, [one for one in results if one["family"] == family]) for family in FAMILIES]
    rows = [row for row in rows if row["faults"] or row["equivalent"]]
    missed = [one for one in results if not one["red_by"] and not one["equivalent"]]
    return {"by_family": [*rows, counts("all", results)], "missed": missed}


def write(results: list[dict[str, Any]], made: dict[str, Any]) -> None:
    """The evidence file; `made` is its provenance."""
    found = figures(results)
    made["red"] = [one["name"] for one in found["missed"]]
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps({"provenance": made, "seed": SEED, **found, "results": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""Puts wrong gradients into the engine, one at a time, and sees whether some snippet or test turns red.

    .venv/bin/python bench/harness/wrong_gradients.py            # an hour on two cores
    .venv/bin/python bench/harness/wrong_gradients.py --again    # only what nothing noticed the last time

The changes (`gradient_changes.py`) are made in a copy of the tree. The snippets that call the changed
formula run on the changed engine, until one is red; where none is, the samples of torch's own `op_db` for
the operations that call it do, as tests/engine/test_op_db.py judges them; at last the tests of
tests/engine that record graphs of their own. The figures go to docs/evidence/wrong_gradients.json.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gradient_changes import Change, changes, formula_files, formulas
from snippetcheck.compare import compare
from snippetcheck.engine_process import EngineProcess
from snippetcheck.engines import Engine, EngineError
from snippetcheck.provenance import HARNESS, provenance, table_changes, with_imports
from snippetcheck.settings import load_settings
from snippetcheck.snippet import Snippet, load, parse

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "evidence" / "wrong_gradients.json"
UNFINISHED = ROOT / ".cache" / "wrong_gradients.jsonl"
KINDS = ("forward", "gradient", "second", "in-place")  # what the operations are judged by
TESTS = (
    "test_gradients_beyond_samples",
    "test_random_graphs",
    "test_views",
    "test_inplace_operations",
    "test_autograd_programs",
    "test_convolution",
    "test_special_functions",
)
CONFIGURATION = ("pyproject.toml", "conftest.py", "tests/conftest.py")
ANY = "any formula"  # under this name stand those that call one at all
ENOUGH = 40  # snippets that are asked about one change

# Changes after which the gradient is the same, by (formula, kind), and why.
EQUIVALENT = {
    ("zeros_for", "factor"): "it makes zeros",
    ("zeros_for", "sign"): "it makes zeros",
    ("normalization_backward", "swapped operands"): "the normalised input stands twice in a product: both signs turn",
    ("_as_convolution_of_g", "wrong mask"): "it chooses between two ways to the same gradient",
    ("_as_convolution_of_g", "sign"): "it chooses between two ways to the same gradient",
    ("_as_convolution_of_g", "factor"): "it chooses between two ways to the same gradient",
    ("_grouped_input_gradient", "dropped term"): "it is the size of the pieces in which the gradient is computed",
    (
        "broadcast into a view not undone",
        "un-broadcast",
    ): "no operation in place gives its first operand a larger gradient",
    ("SpecialZetaBackward2.grad_self", "sign"): "it raises: torch has no formula for this derivative",
    ("SpecialZetaBackward2.grad_self", "factor"): "it raises: torch has no formula for this derivative",
    ("_spread", "wrong mask"): "it chooses between two nodes with one formula",
    ("AdaptiveMaxPoolBackward.grad_self", "wrong mask"): "it chooses between two nodes with one formula",
    ("FractionalMaxPool2DBackward0.grad_self", "wrong mask"): "it chooses between two nodes with one formula",
    ("zeros_like", "factor"): "it makes zeros",
    ("zeros_like", "sign"): "it makes zeros",
    ("NllLossBackwardBackward0.grad_self", "factor"): "it makes zeros",
    ("NllLossBackwardBackward0.grad_self", "sign"): "it makes zeros",
}

NOTES = """
noted = set()


def note(name):
    if name not in noted:
        noted.add(name)
        with open({file!r}, "a") as stream:
            stream.write(name + chr(10))
"""


def main() -> None:
    """Make the changes, run, and write the rate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--limit", type=int, default=1_000_000, help="only so many changes, spread evenly; writes nothing"
    )
    parser.add_argument("--only", default="", help="only formulas whose name has this; writes nothing")
    parser.add_argument(
        "--again", action="store_true", help="only the changes that nothing noticed in the run on record"
    )
    parser.add_argument("--no-tests", action="store_true", help="ask the snippets alone; writes nothing")
    options = parser.parse_args()
    import torch

    if not options.no_tests:
        import torch.testing._internal.common_methods_invocations  # noqa: F401  before the forks
    torch.set_num_threads(1)
    settings = load_settings(ROOT)
    made = provenance(ROOT, "python bench/harness/wrong_gradients.py", sources(), ("torch", "numpy"))
    with tempfile.TemporaryDirectory(prefix="wrong-gradients-") as name:
        copy = Path(name)
        copy_into(copy)
        engine = replace(settings.engines["reference_impl"], path=(str(copy),))
        check_import(copy, engine)
        left_out = [] if options.no_tests else red_tests(copy)
        print("red without any change, so not asked:", left_out or "no test", flush=True)
        snippets = [
            load(path, settings.snippets_dir, settings.engine_names)
            for path in sorted(settings.snippets_dir.rglob("*.py"))
        ]
        mine = [one for one in snippets if engine.name in one.manifest.engines]
        chosen = [one for one in changes(copy) if re.search(options.only, one.formula)]
        whole = not (options.only or options.no_tests)
        kept = on_record() if options.again else unfinished(made) if whole else []
        kept = [one for one in kept if one["red_by"]]
        known = {(one["file"], one["formula"], one["kind"]) for one in kept}
        chosen = [one for one in chosen if (one.file, one.formula, one.kind) not in known]
        chosen = chosen[:: max(1, len(chosen) // options.limit)]
        judge = Judge(copy, engine, mine, not options.no_tests, left_out)
        results = kept
        for change in chosen:
            verdict = judge.verdict(change)
            results.append(verdict)
            if whole:
                note(verdict, made)
            red = verdict["red_by"] or verdict["equivalent"] or "NOT NOTICED"
            print(f"{red} | {change.kind} {change.formula} {change.file}:{change.line}", flush=True)
    print(json.dumps(figures(results), indent=1))
    if options.limit >= len(results) and whole:
        write(results, len(judge.green), made)
        UNFINISHED.unlink(missing_ok=True)


def unfinished(made: dict[str, Any]) -> list[dict[str, Any]]:
    """What a run has found that did not come to its end, if it judged just what this one does."""
    lines = UNFINISHED.read_text().splitlines() if UNFINISHED.exists() else []
    return [json.loads(line) for line in lines[1:]] if lines and json.loads(lines[0]) == made["made_with"] else []


def note(verdict: dict[str, Any], made: dict[str, Any]) -> None:
    """Keep one verdict for the next run, should this one be ended."""
    UNFINISHED.parent.mkdir(parents=True, exist_ok=True)
    known = UNFINISHED.exists() and UNFINISHED.read_text().partition("\n")[0] == json.dumps(made["made_with"])
    with UNFINISHED.open("a" if known else "w") as file:
        file.write("" if known else json.dumps(made["made_with"]) + "\n")
        file.write(json.dumps(verdict) + "\n")


def on_record() -> list[dict[str, Any]]:
    """What the last run found; it ends this one if anything but the judge is another now: what was red may be so no more."""
    values = json.loads(RESULTS.read_text())
    changed = set(table_changes(ROOT, values["provenance"])) - {"judge"}
    if changed:
        raise SystemExit(f"not what the run on record judged: {', '.join(sorted(changed))}\n    run without --again")
    return list(values["results"])


def sources() -> dict[str, list[str]]:
    """What decides whether a wrong gradient is noticed."""
    tests = [f"tests/engine/{name}.py" for name in ("op_table", *TESTS)]
    judge = with_imports(
        ROOT, "bench/harness/wrong_gradients.py", "tests/engine/conftest.py", *CONFIGURATION[1:], *tests
    )
    return {"engine": ["reference_impl"], "harness": [HARNESS], "judge": judge, "examples": ["snippets"]}


def copy_into(copy: Path) -> None:
    """Copy the engine and what its tests need."""
    for folder in ("reference_impl", "tests/engine"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in CONFIGURATION:
        shutil.copy(ROOT / file, copy / file)


def check_import(copy: Path, engine: Engine) -> None:
    """Stop if the engine that snippets and tests import is not the copy."""
    text = '"""Which engine."""\n\nimport torch\nprint(torch.__file__)\n'
    probe = parse(text, copy / "which.py", "which.py", (engine.name,))
    with EngineProcess(engine) as server:
        found = [server.run(probe).statements[-1].output.strip()]
    found.append(str(in_fork(lambda: importlib.import_module("reference_impl").__file__, copy, 60)))
    assert found == [str(copy / "reference_impl" / "__init__.py")] * 2, found


def put(path: Path, text: str) -> None:
    """Write a source file. Its bytecode is removed: that of a file of the same second and size would be taken for it."""
    path.write_text(text)
    with contextlib.suppress(FileNotFoundError):
        Path(importlib.util.cache_from_source(str(path))).unlink()


class Judge:
    """Knows who calls which formula, and asks them about a change."""

    def __init__(self, copy: Path, engine: Engine, snippets: list[Snippet], tests: bool, left_out: list[str]):
        self.copy, self.engine, self.tests, self.left_out = copy, engine, tests, left_out
        self.green: list[Snippet] = []
        self.callers: dict[str, list[Snippet]] = {ANY: []}
        self.operations: dict[str, list[str]] = {}
        originals = self.count_calls()
        self.ask_snippets(snippets)
        if tests:
            self.operations = operations_that_call(copy)
            print(f"operations of op_db call {len(self.operations)} formulas", flush=True)
        for path, text in originals.items():
            put(path, text)

    def count_calls(self) -> dict[Path, str]:
        """Let each formula note that it was called; the files as they were."""
        put(self.copy / "reference_impl" / "_noted.py", NOTES.format(file=str(self.copy / "noted")))
        originals = {}
        for path in formula_files(self.copy):
            originals[path] = text = path.read_text()
            tree = ast.parse(text)
            found = list(formulas("", text))
            names = {(one.node.lineno, one.node.col_offset): one.name for one in found}
            put(path, ast.unparse(ast.fix_missing_locations(_Noting(names).visit(tree))))
        return originals

    def ask_snippets(self, snippets: list[Snippet]) -> None:
        """Find the snippets that are green, and what each calls. The quick ones come first."""
        noted = self.copy / "noted"
        seconds = {}
        with EngineProcess(self.engine) as server:
            for snippet in snippets:
                noted.write_text("")
                run = server.run(snippet)
                if compare(snippet, run):
                    continue
                self.green.append(snippet)
                seconds[snippet.name] = run.seconds
                names = set(noted.read_text().split("\n")) - {""}
                for name in {*names, *([ANY] if names else [])}:
                    self.callers.setdefault(name, []).append(snippet)
        for found in self.callers.values():
            found.sort(key=lambda snippet: seconds[snippet.name])
        print(
            f"{len(self.green)} of {len(snippets)} snippets are green; they call {len(self.callers) - 1} formulas",
            flush=True,
        )

    def verdict(self, change: Change) -> dict[str, object]:
        """Whether a snippet or a test turns red on the changed engine."""
        everywhere = "/autograd/" in change.file
        asked = self.callers.get(ANY if everywhere else change.formula, [])[: 400 if everywhere else ENOUGH]
        names = ["add", "mul", "where", "expand"] if everywhere else self.operations.get(change.formula, [])
        path = self.copy / change.file
        original = path.read_text()
        put(path, change.text)
        try:
            red_by = self.red_snippet(asked)
            if red_by is None and self.tests:
                red_by = wrong_operation(names, self.copy) or next(iter(red_tests(self.copy, self.left_out)), None)
        except EngineError:
            red_by = "the import of the engine"
        finally:
            put(path, original)
        made: dict[str, object] = {"formula": change.formula, "kind": change.kind}
        made |= {"file": change.file, "line": change.line, "red_by": red_by}
        if red_by is None:
            made |= {"before": change.before, "after": change.after}
            made |= {"snippets": len(asked), "operations": len(names)}
            made["equivalent"] = EQUIVALENT.get((change.formula, change.kind))
        return made

    def red_snippet(self, asked: list[Snippet]) -> str | None:
        """The first of these that is red."""
        if not asked:
            return None
        with EngineProcess(self.engine) as server:
            for snippet in asked:
                if compare(snippet, server.run(snippet)):
                    return f"snippets/{snippet.name}"
        return None


class _Noting(ast.NodeTransformer):
    """Puts a note of the call into each formula, by its place."""

    def __init__(self, names: dict[tuple[int, int], str]):
        self.names = names

    def note(self, node: ast.FunctionDef | ast.Lambda) -> ast.expr:
        name = self.names[node.lineno, node.col_offset]
        return ast.parse(f"__import__('reference_impl._noted')._noted.note({name!r})", mode="eval").body

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if (node.lineno, node.col_offset) in self.names:
            documented = ast.get_docstring(node) is not None
            node.body.insert(int(documented), ast.Expr(self.note(node)))
        return self.generic_visit(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        if (node.lineno, node.col_offset) in self.names:
            pair = ast.Tuple([self.note(node), node.body], ast.Load())
            node.body = ast.Subscript(pair, ast.Constant(1), ast.Load())
        return self.generic_visit(node)


def in_fork(work: Callable[[], object], copy: Path, seconds: float) -> object:
    """What `work` returns in a process of its own, in which `copy` holds the engine; None if it does not end."""
    out, into = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(out)
            signal.alarm(int(seconds))
            sys.dont_write_bytecode = True
            sys.path.insert(0, str(copy))
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            os.write(into, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(into)
    with os.fdopen(out, "rb") as stream:
        answer = stream.read()
    os.waitpid(pid, 0)
    return json.loads(answer) if answer else None


def operations_that_call(copy: Path) -> dict[str, list[str]]:
    """For each formula the operations of op_db that call it and that are right as they are, the quick ones first."""

    def work() -> dict[str, list[str]]:
        noted = importlib.import_module("reference_impl._noted").noted
        found: dict[str, list[tuple[float, str]]] = {}
        for op, name in operations():
            noted.clear()
            began = time.perf_counter()
            if is_right(op):
                for formula in sorted(noted):
                    found.setdefault(formula, []).append((time.perf_counter() - began, name))
        return {formula: [name for _, name in sorted(named)] for formula, named in found.items()}

    found = in_fork(work, copy, 3600)
    assert isinstance(found, dict), "the operations could not be judged"
    return found


def wrong_operation(names: list[str], copy: Path) -> str | None:
    """The first of these operations that is wrong on the changed engine."""

    def work() -> str | None:
        chosen = {name: op for op, name in operations() if name in names}
        return next((name for name in names if not is_right(chosen[name])), None)

    found = in_fork(work, copy, 600) if names else None
    return f"op_db {found}" if found else None


def operations() -> list[tuple[Any, str]]:
    """The operations of op_db that the engine has, with their names."""
    from tests.engine.op_judge import full_name
    from tests.engine.op_table import operations

    return [(op, full_name(op)) for op in operations()[0]]


def is_right(op: Any) -> bool:
    """Whether an operation of the engine does in float64 what torch does."""
    import torch

    from tests.engine.op_judge import judge

    return judge(op, (torch.float64,), KINDS).right


def red_tests(copy: Path, left_out: Sequence[str] | None = None) -> list[str]:
    """The tests of tests/engine that are red; if some are left out, only the first of the others."""
    command = pytest_on(TESTS)
    if left_out is not None:
        command += ["-x", *(f"--deselect={name}" for name in left_out)]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
    found = re.findall(r"^(?:FAILED|ERROR) (tests/.*?)(?: - |$)", done.stdout, re.M)
    assert found or done.returncode == 0, done.stdout + done.stderr
    return found


def pytest_on(tests: Sequence[str]) -> list[str]:
    """The command that runs these tests in the copy, which has no snippets."""
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:snippetcheck"]
    return command + [f"tests/engine/{name}.py" for name in tests]


def figures(results: list[dict[str, Any]]) -> dict[str, Any]:
    """The rate, in all and by kind of change."""

    def counts(kind: str, some: list[dict[str, Any]]) -> dict[str, Any]:
        by = Counter(str(one["red_by"]).partition("/")[0].partition(" ")[0] for one in some if one["red_by"])
        equivalent = sum(bool(one.get("equivalent")) for one in some)
        return {
            "kind": kind,
            "changes": len(some) - equivalent,
            "red": sum(by.values()),
            "by_snippet": by["snippets"],
            "by_test": sum(by.values()) - by["snippets"],
            "unnoticed": len(some) - sum(by.values()) - equivalent,
            "equivalent": equivalent,
        }

    kinds = dict.fromkeys(str(one["kind"]) for one in results)
    rows = [counts(kind, [one for one in results if one["kind"] == kind]) for kind in sorted(kinds)]
    return {"by_kind": [*rows, counts("all", results)], "survivors": [one for one in results if not one["red_by"]]}


def write(results: list[dict[str, Any]], snippets: int, made: dict[str, Any]) -> None:
    """The evidence file; `made` is its provenance."""
    made["red"] = [
        f"{one['kind']} in {one['formula']}" for one in results if not (one["red_by"] or one.get("equivalent"))
    ]
    values = {"provenance": made, "green_snippets": snippets, **figures(results), "results": results}
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(values, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""Puts wrong gradients into the engine, one at a time, and sees whether some snippet or test turns red.

    .venv/bin/python bench/harness/wrong_gradients.py [--limit N]

Every `grad_*` method of `reference_impl/ops` is changed in a copy of the engine: its sign, a factor,
or a term of its formula; besides, the place where the engine sums a broadcast gradient down. The
snippets that call the changed method run on the changed engine; where none turns red, the samples of
torch's own `op_db` do, for the operations that call it (as tests/engine/test_op_db.py judges them). The figures go to docs/evidence/wrong_gradients.json.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from harness.compare import compare
from harness.engines import Engine
from harness.runner import EngineError, EngineServer
from harness.settings import load_settings
from harness.snippet import Snippet, load

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "evidence" / "wrong_gradients.json"
KINDS = ("forward", "gradient", "second")  # what the operations are judged by
_OTHER = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}


HITS = """
noted = set()


def note(name):
    if name not in noted:
        noted.add(name)
        with open({file!r}, "a") as stream:
            stream.write(name + chr(10))
"""


@dataclass(frozen=True)
class Change:
    """A wrong gradient: the method, what was done to it, and the file as it is then."""

    file: str  # below the repository
    line: int
    method: str
    kind: str  # sign, factor, term, un-broadcast
    text: str


def main() -> None:
    """Make the changes, run, and write the rate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--limit", type=int, default=1_000_000, help="only so many changes, spread evenly")
    parser.add_argument("--no-tests", action="store_true", help="ask the snippets alone")
    options = parser.parse_args()
    if not options.no_tests:
        import torch
        import torch.testing._internal.common_methods_invocations  # noqa: F401  before the forks

        torch.set_num_threads(1)
    settings = load_settings(ROOT)
    with tempfile.TemporaryDirectory(prefix="wrong-gradients-") as name:
        copy = Path(name)
        shutil.copytree(ROOT / "reference_impl", copy / "reference_impl", ignore=shutil.ignore_patterns("__pycache__"))
        engine = replace(settings.engines["reference_impl"], path=(str(copy),))
        snippets = [
            load(path, settings.snippets_dir, settings.engine_names)
            for path in sorted(settings.snippets_dir.rglob("*.py"))
        ]
        mine = [one for one in snippets if engine.name in one.manifest.engines]
        callers, operations, kept = who_calls(mine, copy, engine, not options.no_tests)
        everything = list(changes(copy))
        step = max(1, len(everything) // options.limit)
        results = []
        for change in everything[::step]:
            made = judge(change, copy, engine, callers, operations)
            results.append(made)
            print(made["red_by"] or "SURVIVES", change.kind, change.method, f"{change.file}:{change.line}", flush=True)
    write(results, len(kept))


# -- the changes ------------------------------------------------------------------------------------


def changes(copy: Path) -> Iterator[Change]:
    """One change per method, the kinds in turn, and the engine's own un-broadcasting."""
    kinds = ("sign", "factor", "term")
    number = 0
    for path in sorted((copy / "reference_impl" / "ops").rglob("*.py")):
        text = path.read_text()
        for node, method in grad_methods(ast.parse(text)):
            for kind in (*kinds[number % 3 :], *kinds[: number % 3]):
                changed = change_method(text, method, kind)
                if changed is not None:
                    yield Change(
                        path.relative_to(copy).as_posix(),
                        method.lineno,
                        f"{node.name}.{method.name}",
                        kind,
                        changed,
                    )
                    number += 1
                    break
    path = copy / "reference_impl" / "autograd" / "engine.py"
    text = path.read_text()
    target = "grad = grad.sum_to_size(shape)"
    if text.count(target) == 1:
        line = text[: text.index(target)].count("\n") + 1
        for wrong in ("pass", "grad = grad.mean().expand(shape)", "grad = grad.sum_to_size(shape) * 2"):
            changed = text.replace(target, wrong)
            yield Change(path.relative_to(copy).as_posix(), line, "sum_to_size", "un-broadcast", changed)


def grad_methods(tree: ast.Module) -> Iterator[tuple[ast.ClassDef, ast.FunctionDef]]:
    """The methods that compute a gradient."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name.startswith("grad_"):
                    yield node, method


def change_method(text: str, method: ast.FunctionDef, kind: str) -> str | None:
    """The file with this method made wrong, or None if it has no place for such a change."""
    returns = [
        node
        for node in ast.walk(method)
        if isinstance(node, ast.Return)
        and node.value is not None
        and not (isinstance(node.value, ast.Constant) and node.value.value is None)
    ]
    if not returns:
        return None
    lines = text.split("\n")
    if kind == "term":
        for node in ast.walk(method):
            if isinstance(node, ast.BinOp) and type(node.op) in _OTHER:
                other = ast.BinOp(node.left, _OTHER[type(node.op)](), node.right)
                return spliced(lines, node, f"({ast.unparse(other)})")
        return None
    # From the last return to the first, so that the places of the earlier ones stay.
    for node in sorted(returns, key=lambda node: -node.lineno):
        assert node.value is not None
        value = ast.unparse(node.value)
        wrong = f"-({value})" if kind == "sign" else f"({value}) * 2"
        lines = spliced(lines, node.value, wrong).split("\n")
    return "\n".join(lines)


def spliced(lines: list[str], node: ast.expr, new: str) -> str:
    """The text with the source of `node` replaced."""
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    encoded_first, encoded_last = lines[first].encode(), lines[last].encode()
    before = encoded_first[: node.col_offset].decode()
    after = encoded_last[node.end_col_offset :].decode()
    return "\n".join([*lines[:first], before + new + after, *lines[last + 1 :]])


# -- who is asked -----------------------------------------------------------------------------------


def who_calls(
    snippets: list[Snippet], copy: Path, engine: Engine, tests: bool
) -> tuple[dict[str, list[Snippet]], dict[str, list[str]], list[Snippet]]:
    """For each method the green snippets and the right operations that call it; all green snippets."""
    hits = copy / "hits"
    originals = count_calls(copy, hits)
    callers: dict[str, list[Snippet]] = {"sum_to_size": []}
    kept = []
    with EngineServer(engine) as server:
        for snippet in snippets:
            hits.write_text("")
            if compare(snippet, server.run(snippet)):
                continue
            kept.append(snippet)
            for method in set(hits.read_text().split()):
                callers.setdefault(method, []).append(snippet)
            if hits.read_text():
                callers["sum_to_size"].append(snippet)
    print(f"{len(kept)} of {len(snippets)} snippets are green; they call {len(callers) - 1} methods", flush=True)
    operations = operations_that_call(copy) if tests else {}
    print(f"operations of op_db call {len(operations)} methods", flush=True)
    for path, text in originals.items():
        path.write_text(text)
    return callers, operations, kept


def count_calls(copy: Path, hits: Path) -> dict[Path, str]:
    """Let each method note in `hits` that it was called; the files as they were."""
    (copy / "reference_impl" / "_hits.py").write_text(HITS.format(file=str(hits)))
    originals = {}
    for path in sorted((copy / "reference_impl" / "ops").rglob("*.py")):
        originals[path] = text = path.read_text()
        lines = text.split("\n")
        for node, method in reversed(list(grad_methods(ast.parse(text)))):
            body = next(one for one in method.body if not is_docstring(one))
            indent = " " * body.col_offset
            call = f"{indent}__import__('reference_impl._hits')._hits.note({f'{node.name}.{method.name}'!r})"
            lines.insert(body.lineno - 1, call)
        path.write_text("\n".join(lines))
    return originals


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def judge(
    change: Change,
    copy: Path,
    engine: Engine,
    callers: dict[str, list[Snippet]],
    operations: dict[str, list[str]],
) -> dict[str, object]:
    """Whether a snippet or a test turns red on the changed engine."""
    path = copy / change.file
    original = path.read_text()
    path.write_text(change.text)
    red_by = None
    asked = callers.get(change.method, [])
    names: list[str] = []
    try:
        with EngineServer(engine) as server:
            for snippet in asked:
                if compare(snippet, server.run(snippet)):
                    red_by = f"snippets/{snippet.name}"
                    break
        names = operations.get(change.method, [])
        if change.kind == "un-broadcast":
            names = ["add", "mul", "where"]
        if red_by is None and names:
            red_by = wrong_operation(names, copy)
    except EngineError:
        red_by = "the import of the engine"
    finally:
        path.write_text(original)
    values = asdict(change)
    del values["text"]
    return {**values, "snippets": len(asked), "operations": len(names), "red_by": red_by}


def in_fork(work: Callable[[], object], copy: Path, seconds: float) -> object:
    """What `work` returns in a process of its own, in which `copy` holds the engine; None if it does not end."""
    out, into = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(out)
            signal.alarm(int(seconds))
            sys.dont_write_bytecode = True
            sys.path[:0] = [str(copy), str(ROOT)]
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            os.write(into, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(into)
    with os.fdopen(out, "rb") as stream:
        answer = stream.read()
    os.waitpid(pid, 0)
    return json.loads(answer) if answer else None


def dtypes() -> tuple[Any, ...]:
    """The dtypes on which the operations are judged."""
    import torch

    return (torch.float64,)


def operations_that_call(copy: Path) -> dict[str, list[str]]:
    """For each method the operations of op_db that call it and that are right as they are."""

    def work() -> dict[str, list[str]]:
        from tests.engine.op_judge import full_name
        from tests.engine.op_judge import judge as judge_op
        from tests.engine.op_table import operations

        noted = importlib.import_module("reference_impl._hits").noted
        found: dict[str, list[str]] = {}
        for op in operations()[0]:
            noted.clear()
            if judge_op(op, dtypes(), KINDS).right:
                for method in sorted(noted):
                    found.setdefault(method, []).append(full_name(op))
        return found

    found = in_fork(work, copy, 3600)
    assert isinstance(found, dict), "the operations could not be judged"
    return found


def wrong_operation(names: list[str], copy: Path) -> str | None:
    """The first of these operations that is wrong on the changed engine."""

    def work() -> str | None:
        from tests.engine.op_judge import full_name
        from tests.engine.op_judge import judge as judge_op
        from tests.engine.op_table import operations

        chosen = [op for op in operations()[0] if full_name(op) in names]
        return next((full_name(op) for op in chosen if not judge_op(op, dtypes(), KINDS).right), None)

    found = in_fork(work, copy, 600)
    return f"op_db {found}" if found else None


def write(results: list[dict[str, object]], snippets: int) -> None:
    """The evidence file."""
    by = Counter(
        "snippet" if str(one["red_by"]).startswith("snippets/") else "test" for one in results if one["red_by"]
    )
    kinds = sorted({str(one["kind"]) for one in results})
    values = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "changes": len(results),
        "red": sum(bool(one["red_by"]) for one in results),
        "red_by_a_snippet": by["snippet"],
        "red_by_a_test": by["test"],
        "green_snippets": snippets,
        "by_kind": [
            {
                "kind": kind,
                "changes": sum(one["kind"] == kind for one in results),
                "red": sum(one["kind"] == kind and bool(one["red_by"]) for one in results),
            }
            for kind in kinds
        ],
        "survivors": [one for one in results if not one["red_by"]],
    }
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(values, indent=1) + "\n")
    print({key: value for key, value in values.items() if key != "survivors"})


if __name__ == "__main__":
    main()

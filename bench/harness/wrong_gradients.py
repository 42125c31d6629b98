"""Puts wrong gradients into the engine, one at a time, and sees whether some snippet or test turns red.

    .venv/bin/python bench/harness/wrong_gradients.py [--limit N]

Every `grad_*` method of `reference_impl/ops` is changed in a copy of the engine: its sign, a factor,
or a term of its formula; besides, the place where the engine sums a broadcast gradient down. The
snippets that call the changed method run on the changed engine; where none turns red, the tests of
the operations do. The figures go to docs/evidence/wrong_gradients.json.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from harness.compare import compare
from harness.engines import Engine
from harness.runner import EngineError, EngineServer
from harness.settings import load_settings
from harness.snippet import Snippet, load

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "evidence" / "wrong_gradients.json"
_OTHER = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}


@dataclass(frozen=True)
class Change:
    """A wrong gradient: the method, what was done to it, and the file as it is then."""

    file: str  # below the repository
    line: int
    method: str
    kind: str  # sign, factor, term, un-broadcast
    operation: str
    text: str


def main() -> None:
    """Make the changes, run, and write the rate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--limit", type=int, default=1_000_000, help="only so many changes, spread evenly")
    parser.add_argument("--no-tests", action="store_true", help="ask the snippets alone")
    options = parser.parse_args()
    settings = load_settings(ROOT)
    with tempfile.TemporaryDirectory(prefix="wrong-gradients-") as name:
        copy = Path(name)
        shutil.copytree(ROOT / "reference_impl", copy / "reference_impl", ignore=shutil.ignore_patterns("__pycache__"))
        engine = replace(settings.engines["reference_impl"], path=(str(copy),))
        snippets = [
            load(path, settings.snippets_dir, settings.engine_names)
            for path in sorted(settings.snippets_dir.rglob("*.py"))
        ]
        callers, kept = who_calls([one for one in snippets if engine.name in one.manifest.engines], copy, engine)
        everything = list(changes(copy))
        step = max(1, len(everything) // options.limit)
        results = []
        for change in everything[::step]:
            made = judge(change, copy, engine, callers, tests=not options.no_tests)
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
                    operation = operation_of(text, node.name)
                    yield Change(
                        path.relative_to(copy).as_posix(),
                        method.lineno,
                        f"{node.name}.{method.name}",
                        kind,
                        operation,
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
            yield Change(path.relative_to(copy).as_posix(), line, "sum_to_size", "un-broadcast", "add", changed)


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


def operation_of(text: str, node_name: str) -> str:
    """The operation that records this node: the function of the module that names it."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            if any(isinstance(name, ast.Name) and name.id == node_name for name in ast.walk(node)):
                return node.name
    return node_name.removesuffix("Backward0").lower()


# -- who is asked -----------------------------------------------------------------------------------


def who_calls(snippets: list[Snippet], copy: Path, engine: Engine) -> tuple[dict[str, list[Snippet]], list[Snippet]]:
    """For each method the green snippets that call it, and all green snippets."""
    hits = copy / "hits"
    originals = {}
    for path in sorted((copy / "reference_impl" / "ops").rglob("*.py")):
        originals[path] = text = path.read_text()
        lines = text.split("\n")
        for node, method in reversed(list(grad_methods(ast.parse(text)))):
            body = next(one for one in method.body if not is_docstring(one))
            indent = " " * body.col_offset
            call = f"{indent}open({str(hits)!r}, 'a').write({node.name + '.' + method.name + chr(10)!r})"
            lines.insert(body.lineno - 1, call)
        path.write_text("\n".join(lines))
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
    for path, text in originals.items():
        path.write_text(text)
    print(f"{len(kept)} of {len(snippets)} snippets are green; they call {len(callers) - 1} methods", flush=True)
    return callers, kept


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def judge(
    change: Change, copy: Path, engine: Engine, callers: dict[str, list[Snippet]], tests: bool
) -> dict[str, object]:
    """Whether a snippet or a test turns red on the changed engine."""
    path = copy / change.file
    original = path.read_text()
    path.write_text(change.text)
    red_by = None
    asked = callers.get(change.method, [])
    try:
        with EngineServer(engine) as server:
            for snippet in asked:
                if compare(snippet, server.run(snippet)):
                    red_by = f"snippets/{snippet.name}"
                    break
        if red_by is None and tests:
            red_by = red_test(change, copy)
    except EngineError:
        red_by = "the import of the engine"
    finally:
        path.write_text(original)
    values = asdict(change)
    del values["text"]
    return {**values, "snippets": len(asked), "red_by": red_by}


def red_test(change: Change, copy: Path) -> str | None:
    """A test of the operation that turns red on the changed engine."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "--tb=no",
            "-p",
            "no:cacheprovider",
            "tests/engine",
            "-k",
            change.operation,
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    failed = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("FAILED")]
    return failed[0] if failed else None


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

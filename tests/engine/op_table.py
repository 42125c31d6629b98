"""Makes docs/evidence/op_table.json: every operation of torch's op_db that the engine has, and how it compares.

python -m tests.engine.op_table                   # all, with two processes
python -m tests.engine.op_table --only 'sum|mean'  # some; prints their failures, writes nothing
"""

from __future__ import annotations

import argparse
import functools
import json
import multiprocessing
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gradnotes.evidence.provenance import describe_sources, with_imports

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "evidence" / "op_table.json"


def operations(pattern: str = "") -> tuple[list[Any], list[Any]]:
    """(the OpInfos that the engine has, those it does not have) whose names match."""
    from tests.engine.op_judge import engine_callable, full_name

    chosen = [op for op in _all_operations() if re.search(pattern, full_name(op))]
    present = [op for op in chosen if engine_callable(op) is not None]
    return present, [op for op in chosen if engine_callable(op) is None]


def _all_operations() -> list[Any]:
    from torch.testing._internal.common_methods_invocations import op_db

    return op_db


def _start() -> None:
    import torch

    torch.set_num_threads(1)


def _judge_by_name(name: str, dtypes: str = "") -> dict[str, Any]:
    import torch

    from tests.engine.op_judge import DTYPES, KINDS, full_name, judge

    op = next(op for op in _all_operations() if full_name(op) == name)
    started = time.perf_counter()
    verdict = judge(op, tuple(getattr(torch, d) for d in dtypes.split(",")) if dtypes else DTYPES)
    kinds = {k: f"{verdict.passed[k]}/{verdict.total[k]}" if verdict.total[k] else "" for k in KINDS}
    return {
        "op": name,
        "right": verdict.right,
        "dtypes": " ".join(verdict.dtypes),
        "samples": verdict.samples,
        **kinds,
        "settled_by_float64": sum(verdict.settled.values()) or "",
        "left_out": ", ".join(f"{n} {reason}" for reason, n in sorted(verdict.left_out.items())),
        "failures": verdict.failures,
        "seconds": round(time.perf_counter() - started, 2),
    }


def rows(names: list[str], processes: int, dtypes: str = "") -> Iterator[dict[str, Any]]:
    """One row per operation, in the order given."""
    judge_one = functools.partial(_judge_by_name, dtypes=dtypes)
    if processes == 1:
        _start()
        yield from map(judge_one, names)
        return
    with multiprocessing.get_context("spawn").Pool(processes, _start) as pool:
        yield from pool.imap(judge_one, names)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--only", default="", help="a regular expression that the name must match")
    arguments.add_argument("--dtypes", default="", help="judge these instead: int32,uint8,float16; writes nothing")
    arguments.add_argument("-j", "--processes", type=int, default=2)
    arguments.add_argument("--failures", type=Path, help="also write the failures as text here")
    given = arguments.parse_args()
    _start()
    from tests.engine.op_judge import full_name

    judge = with_imports(ROOT, "tests/engine/op_table.py")
    sources = {"engine": ["reference_impl"], "judge": judge}
    made = describe_sources(ROOT, "python -m tests.engine.op_table", sources, ("torch", "numpy"))
    started = time.perf_counter()
    present, absent = operations(given.only)
    names = list(dict.fromkeys(full_name(op) for op in present))
    done = []
    for row in rows(names, given.processes, given.dtypes):
        done.append(row)
        if given.failures:
            given.failures.write_text("\n".join(failures_of(row) for row in done if not row["right"]))
        if given.only or not row["right"]:
            print(failures_of(row) or f"{row['op']}: right ({row['samples']} samples, {row['seconds']} s)", flush=True)
    wrong = [row["op"] for row in done if not row["right"]]
    print(
        f"{len(done)} operations, {len(done) - len(wrong)} right, {len(absent)} absent, {time.perf_counter() - started:.0f} s"
    )
    if not given.only and not given.dtypes:
        write(done, sorted({full_name(op) for op in absent}), made)
    return bool(wrong)


def failures_of(row: dict[str, Any]) -> str:
    """The failures of an operation as lines of text; empty if it has none."""
    lines = [f"{row['op']}"] if row["failures"] else []
    for kind, found in row["failures"].items():
        lines += [f"    {kind} {row[kind]}", *(f"        {text}" for text in found)]
    return "\n".join(lines) + "\n" if lines else ""


def write(done: list[dict[str, Any]], absent: list[str], made: dict[str, Any]) -> None:
    """The table as the site reads it; `made` is its provenance."""
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    table = {
        "provenance": {**made, "red": [row["op"] for row in done if not row["right"]]},
        "present": len(done),
        "right": sum(row["right"] for row in done),
        "samples": sum(row["samples"] for row in done),
        "rows": [{k: v for k, v in row.items() if k != "seconds"} for row in done],
        "absent": absent,
    }
    TABLE.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())

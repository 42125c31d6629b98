"""Write docs/evidence/op_table.json: compare every operation of torch's op_db that the engine has.

python -m tests.engine.make_tables.op                   # all operations, with two processes
python -m tests.engine.make_tables.op --only 'sum|mean'  # matching operations; prints their failures, writes no table
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

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "docs" / "evidence" / "op_table.json"


def operations(pattern: str = "") -> tuple[list[Any], list[Any]]:
    """Return two lists of the OpInfos whose names match `pattern`: those in the engine, and the others."""
    from tests.engine.op_compare import engine_callable, full_name

    chosen = [op for op in _op_db() if re.search(pattern, full_name(op))]
    present = [op for op in chosen if engine_callable(op) is not None]
    return present, [op for op in chosen if engine_callable(op) is None]


def _op_db() -> list[Any]:
    from torch.testing._internal.common_methods_invocations import op_db

    return op_db


def _judge_by_name(name: str, dtypes: str = "") -> dict[str, Any]:
    import torch

    from tests.engine.op_compare import DTYPES, KINDS, full_name, judge

    op = next(op for op in _op_db() if full_name(op) == name)
    started = time.perf_counter()
    verdict = judge(op, tuple(getattr(torch, d) for d in dtypes.split(",")) if dtypes else DTYPES)
    kinds = {k: f"{verdict.passed[k]}/{verdict.total[k]}" if verdict.total[k] else "" for k in KINDS}
    return {
        "op": name,
        "right": verdict.right,
        "dtypes": " ".join(verdict.dtypes),
        "samples": verdict.samples,
        **kinds,
        "settled_by_float64": sum(verdict.passed_by_float64.values()) or "",
        "left_out": ", ".join(f"{n} {reason}" for reason, n in sorted(verdict.left_out.items())),
        "failures": verdict.failures,
        "seconds": round(time.perf_counter() - started, 2),
    }


def rows(names: list[str], processes: int, dtypes: str = "") -> Iterator[dict[str, Any]]:
    """Yield the row of the table for each operation, in the order of `names`."""
    judge_by_name = functools.partial(_judge_by_name, dtypes=dtypes)
    import torch

    if processes == 1:
        torch.set_num_threads(1)
        yield from map(judge_by_name, names)
        return
    with multiprocessing.get_context("spawn").Pool(processes, torch.set_num_threads, (1,)) as pool:
        yield from pool.imap(judge_by_name, names)


def main() -> int:
    """Compare the operations, print failures, and write the table unless a selection is given. Return 1 if any operation differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="regular expression that names of operations must match")
    parser.add_argument(
        "--dtypes", default="", help="compare these dtypes, as in int32,uint8,float16, and write no table"
    )
    parser.add_argument("-j", "--processes", type=int, default=2, help="number of processes")
    parser.add_argument("--failures", type=Path, help="file to which the failures are also written as text")
    options = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    from tests.engine.op_compare import full_name

    judge = with_imports(ROOT, "tests/engine/make_tables/op.py")
    sources = {"engine": ["reference_impl"], "judge": judge}
    provenance = describe_sources(ROOT, "python -m tests.engine.make_tables.op", sources, ("torch", "numpy"))
    started = time.perf_counter()
    present, absent = operations(options.only)
    names = list(dict.fromkeys(full_name(op) for op in present))
    if options.only and not present:
        absent_names = ", ".join(sorted({full_name(op) for op in absent}))
        reason = f"the engine lacks {absent_names}: declare it, and see the table in reference_impl/__init__.py"
        parser.error(reason if absent else f"no operation of torch's op_db matches {options.only!r}")
    results = []
    for row in rows(names, options.processes, options.dtypes):
        results.append(row)
        if options.failures:
            options.failures.write_text("\n".join(failures_of(row) for row in results if not row["right"]))
        if options.only or not row["right"]:
            print(failures_of(row) or f"{row['op']}: right ({row['samples']} samples, {row['seconds']} s)", flush=True)
    failed = [row["op"] for row in results if not row["right"]]
    print(
        f"{len(results)} operations, {len(results) - len(failed)} right, {len(absent)} absent, {time.perf_counter() - started:.0f} s"
    )
    if not options.only and not options.dtypes:
        write(results, sorted({full_name(op) for op in absent}), provenance)
    return bool(failed)


def failures_of(row: dict[str, Any]) -> str:
    """Format the failures of an operation as lines of text. Return an empty string if there are none."""
    lines = [f"{row['op']}"] if row["failures"] else []
    for kind, texts in row["failures"].items():
        lines += [f"    {kind} {row[kind]}", *(f"        {text}" for text in texts)]
    return "\n".join(lines) + "\n" if lines else ""


def write(results: list[dict[str, Any]], absent: list[str], provenance: dict[str, Any]) -> None:
    """Write the results to the evidence file that the site shows."""
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    table = {
        "provenance": {**provenance, "red": [row["op"] for row in results if not row["right"]]},
        "present": len(results),
        "right": sum(row["right"] for row in results),
        "samples": sum(row["samples"] for row in results),
        "rows": [{k: v for k, v in row.items() if k != "seconds"} for row in results],
        "absent": absent,
    }
    TABLE.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())

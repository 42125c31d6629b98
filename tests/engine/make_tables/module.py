"""Write docs/evidence/module_table.json: compare every module of torch's module_db that the engine has.

python -m tests.engine.make_tables.module                  # all modules, with two processes
python -m tests.engine.make_tables.module --only 'RNN|Conv'  # matching modules; prints their failures, writes no table
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import sys
import time
from pathlib import Path
from typing import Any

from gradnotes.evidence.provenance import describe_sources, with_imports

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "docs" / "evidence" / "module_table.json"


def modules(pattern: str = "") -> tuple[list[Any], list[str]]:
    """Return two lists for the modules whose names match `pattern`: ModuleInfos of those in the engine, and names of the others."""
    from torch.testing._internal.common_modules import module_db

    from tests.engine.module_compare import lookup
    from tests.engine.more_modules import MORE_MODULES

    chosen = [info for info in [*module_db, *MORE_MODULES] if re.search(pattern, info.name)]
    absent = sorted(info.name for info in chosen if lookup(info.name) is None)
    return [info for info in chosen if lookup(info.name) is not None], absent


def absent_classes() -> list[str]:
    """Return the names of the classes of torch.nn that the engine lacks."""
    import torch

    from reference_impl import nn

    names = [name for name in dir(torch.nn) if isinstance(getattr(torch.nn, name), type)]
    return [name for name in names if not hasattr(nn, name)]


def _judge_by_name(name: str) -> dict[str, Any]:
    from tests.engine.module_compare import KINDS, judge

    info = next(info for info in modules()[0] if info.name == name)
    verdict = judge(info)
    return {
        "module": name,
        "right": verdict.right,
        "samples": verdict.samples,
        **{k: f"{verdict.passed[k]}/{verdict.total[k]}" if verdict.total[k] else "" for k in KINDS},
        "settled_by_float64": sum(verdict.passed_by_float64.values()) or "",
        "left_out": ", ".join(f"{n} {reason}" for reason, n in sorted(verdict.left_out.items())),
        "failures": verdict.failures,
    }


def failures_of(row: dict[str, Any]) -> str:
    """Format the failures of a module as lines of text. Return an empty string if there are none."""
    lines = [f"{row['module']}"] if row["failures"] else []
    for kind, texts in row["failures"].items():
        lines += [f"    {kind} {row[kind]}", *(f"        {text}" for text in texts)]
    return "\n".join(lines)


def main() -> int:
    """Compare the modules, print failures, and write the table unless `--only` is given. Return 1 if any module differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="regular expression that names of modules must match")
    parser.add_argument("-j", "--processes", type=int, default=2, help="number of processes")
    options = parser.parse_args()
    import torch

    judge = with_imports(ROOT, "tests/engine/make_tables/module.py")
    sources = {"engine": ["reference_impl"], "judge": judge}
    provenance = describe_sources(ROOT, "python -m tests.engine.make_tables.module", sources, ("torch", "numpy"))
    started = time.perf_counter()
    present, absent = modules(options.only)
    if options.only and not present:
        reason = f"the engine lacks {', '.join(absent)}: define it, and see the list in reference_impl/nn/__init__.py"
        no_match = f"no module of torch's module_db or of tests/engine/more_modules.py matches {options.only!r}"
        parser.error(reason if absent else no_match)
    results = []
    with multiprocessing.get_context("spawn").Pool(options.processes, torch.set_num_threads, (1,)) as pool:
        for row in pool.imap(_judge_by_name, [info.name for info in present]):
            results.append(row)
            if options.only or not row["right"]:
                print(failures_of(row) or f"{row['module']}: right ({row['samples']} samples)", flush=True)
    failed = [row["module"] for row in results if not row["right"]]
    seconds = time.perf_counter() - started
    print(f"{len(results)} modules, {len(results) - len(failed)} right, {len(absent)} absent, {seconds:.0f} s")
    if not options.only:
        write(results, absent, provenance)
    return bool(failed)


def write(results: list[dict[str, Any]], absent: list[str], provenance: dict[str, Any]) -> None:
    """Write the results to the evidence file that the site shows."""
    table = {
        "provenance": {**provenance, "red": [row["module"] for row in results if not row["right"]]},
        "present": len(results),
        "right": sum(row["right"] for row in results),
        "samples": sum(row["samples"] for row in results),
        "rows": results,
        "absent": absent,
        "left_out": [{"module": name} for name in absent_classes()],
    }
    TABLE.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())

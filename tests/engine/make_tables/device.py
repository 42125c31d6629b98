"""Write docs/evidence/device_table.json: check whether CuPy accepts the calls that the engine makes on a device (`cupy_checks`).

    python -m tests.engine.make_tables.device

Runs all samples of op_db and module_db in one process, which takes about ten minutes.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from gradnotes.evidence.provenance import describe_sources, with_imports
from reference_impl import _backend
from tests.engine import cupy_checks, device_arrays
from tests.engine.device_compare import judge_module, judge_op
from tests.engine.make_tables.module import modules
from tests.engine.make_tables.op import operations
from tests.engine.op_compare import full_name

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "docs" / "evidence" / "device_table.json"
ALL = 10**6  # more than any operation has samples


def main() -> int:
    """Compare all samples and write the table. Return 1 if anything differs or CuPy cannot be used for the check."""
    if cupy_checks.cupy is None:
        print(cupy_checks.SKIP_REASON, file=sys.stderr)
        return 1
    sources = {"engine": ["reference_impl"], "judge": with_imports(ROOT, "tests/engine/make_tables/device.py")}
    provenance = describe_sources(
        ROOT, "python -m tests.engine.make_tables.device", sources, ("torch", "numpy", "cupy-cuda12x")
    )
    _backend.register_array_module("cuda", device_arrays.module)
    judgements = [("Operations", full_name(op), judge_op(op, ALL)) for op in operations()[0]]
    judgements += [("Modules", info.name, judge_module(info, ALL)) for info in modules()[0]]
    differences_by_name: dict[str, list[str]] = {}
    for _, name, differences in judgements:
        if different := sorted(set(differences)):
            differences_by_name[name] = different
            print(name, *different, sep="\n    ", flush=True)
    values = {
        "provenance": {**provenance, "red": sorted(differences_by_name)},
        **table([row[:2] for row in judgements], differences_by_name),
    }
    TABLE.write_text(json.dumps(values, indent=1) + "\n")
    return bool(differences_by_name)


def table(subjects: list[tuple[str, str]], differences_by_name: dict[str, list[str]]) -> dict[str, Any]:
    """Build the evidence file from the judged (kind, name) pairs and the differences."""
    names: dict[str, set[str]] = {}
    calls: Counter[str] = Counter()
    for (kind, name), count in cupy_checks.call_counts.items():
        names.setdefault(kind, set()).add(name)
        calls[kind] += count
    return {
        "about": [
            {"name": "CuPy", "value": cupy_checks.cupy.__version__},
            {"name": "NumPy", "value": np.__version__},
        ],
        "judged": [
            {
                "what": kind_name,
                "judged": len(names_of_kind := {name for kind, name in subjects if kind == kind_name}),
                "as_on_the_cpu": len(names_of_kind - set(differences_by_name)),
            }
            for kind_name in ("Operations", "Modules")
        ],
        "asked": [{"kind": kind, "different": len(names[kind]), "calls": f"{calls[kind]:,}"} for kind in sorted(names)],
        "differences": differences_by_name,
    }


if __name__ == "__main__":
    sys.exit(main())

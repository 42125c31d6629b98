"""Write docs/evidence/gpu_table.json: compare the engine on a GPU with the engine on the CPU.

    python -m tests.engine.make_tables.gpu -j 12            # on a machine with a CUDA GPU and CuPy

Compares the programs of `test_device` and the samples of op_db and module_db: values, dtypes, shapes, strides and devices of
results, gradients and second gradients. `make_tables.device` compares the same samples without a GPU, on an imitated device.
"""

from __future__ import annotations

import argparse
import functools
import json
import multiprocessing
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "docs" / "evidence" / "gpu_table.json"
KINDS = ("Programs", "Operations", "Modules")
REASONS = {
    "Operations: nn.functional.normalize": "second gradients that cancel to 1e-4 differ by as much: float32 is added up in another order",
    "Operations: nn.functional.scaled_dot_product_attention": "gradients of up to 25 that nearly cancel differ by 1.3e-5; in float64 they agree",
    **dict.fromkeys(
        [f"Modules: nn.{name}" for name in ("RNNCell", "GRUCell", "LSTMCell", "RNN", "LSTM")],
        "second gradients add up terms of up to 150 in another order and differ by 5e-5; in float64 they agree",
    ),
}
"""Map the programs, operations and modules that may differ on a GPU to the reason."""


@functools.cache
def subjects_by_name(kind: str) -> dict[str, Any]:
    """Return a dictionary from names to the subjects of `kind`, which is one of KINDS: programs, OpInfos or ModuleInfos."""
    from tests.engine import test_device
    from tests.engine.make_tables.module import modules
    from tests.engine.make_tables.op import operations
    from tests.engine.op_compare import full_name

    if kind == "Programs":
        return dict(sorted(test_device.PROGRAMS.items()))
    if kind == "Operations":
        return {full_name(op): op for op in operations()[0]}
    return {info.name: info for info in modules()[0]}


def judge(task: tuple[str, str], limit: int) -> tuple[str, str, list[str], float]:
    """Compare the subject `task`, a pair (kind, name). Return (kind, name, differences, seconds).

    If the comparison raises an exception, its text is the only difference.
    """
    kind, name = task
    started = time.perf_counter()
    try:
        differences = sorted(set(_differences(kind, name, limit)))
    except Exception as error:  # noqa: BLE001 - the others must still run
        differences = [f"{type(error).__name__}: {error}"]
    return kind, name, differences, time.perf_counter() - started


def _differences(kind: str, name: str, limit: int) -> Iterator[str]:
    from tests.engine import device_compare, test_device

    subject = subjects_by_name(kind)[name]
    if kind == "Programs":
        try:
            test_device.check_same_on_device(name, rtol=1e-4)
        except AssertionError as error:
            yield str(error)
    elif kind == "Operations":
        yield from device_compare.judge_op(subject, limit)
    else:
        yield from device_compare.judge_module(subject, limit)


def main() -> int:
    """Compare everything and write the table. Return 1 without a GPU, or if anything but strides differs without a known reason."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-j", "--processes", type=int, default=4, help="number of processes")
    parser.add_argument(
        "--samples",
        type=int,
        default=6,
        help="number of samples per operation and dtype, spread evenly over all samples",
    )
    parser.add_argument("--only", default="", help="compare only names that contain this text, and write no table")
    parser.add_argument("--out", type=Path, default=TABLE, help="file to which the table is written")
    options = parser.parse_args()

    import numpy as np
    import torch

    import reference_impl as engine
    from gradnotes.evidence.provenance import describe_sources, with_imports
    from tests.engine import device_compare

    if not engine.cuda.is_available():
        print("no GPU found: install CuPy, and run this on a machine with a CUDA GPU", file=sys.stderr)
        return 1
    import cupy

    sources = {"engine": ["reference_impl"], "judge": with_imports(ROOT, "tests/engine/make_tables/gpu.py")}
    provenance = {**describe_sources(ROOT, "python -m tests.engine.make_tables.gpu", sources), "needs": "a GPU"}
    torch.set_num_threads(1)
    tasks = [(kind, name) for kind in KINDS for name in subjects_by_name(kind) if options.only in name]
    differences_by_name: dict[str, list[str]] = {}
    counts, same, order = (dict.fromkeys(KINDS, 0) for _ in range(3))
    with multiprocessing.get_context("spawn").Pool(options.processes, torch.set_num_threads, (1,)) as pool:
        for kind, name, differences, _ in pool.imap_unordered(functools.partial(judge, limit=options.samples), tasks):
            counts[kind] += 1
            same[kind] += not differences
            if differences:
                only_order = all(device_compare.ORDER in d for d in differences)
                order[kind] += only_order
                print(f"{kind}: {name}", *(d[:400] for d in differences), sep="\n    ", flush=True)
                if not only_order:
                    differences_by_name[f"{kind}: {name}"] = differences
    about = {
        "GPU": engine.cuda.get_device_name(0),
        "CuPy": cupy.__version__,
        "CUDA": str(cupy.cuda.runtime.runtimeGetVersion()),
        "NumPy": np.__version__,
    }
    red = sorted(differences_by_name.keys() - REASONS.keys())
    table = {
        "provenance": {**provenance, "red": red},
        "about": [{"name": name, "value": value} for name, value in about.items()],
        "judged": [
            {
                "what": k,
                "judged": counts[k],
                "as_on_the_cpu": same[k],
                "other_order": order[k],
                "other_values": counts[k] - same[k] - order[k],
            }
            for k in KINDS
        ],
        "differences": [
            {"what": name, "reason": REASONS.get(name, "; ".join(differences_by_name[name]))}
            for name in sorted(differences_by_name)
        ],
    }
    print(table["about"], table["judged"])
    if not options.only:
        options.out.write_text(json.dumps(table, indent=1) + "\n")
    return bool(red)


if __name__ == "__main__":
    sys.exit(main())

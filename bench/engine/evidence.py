"""Turns a run of the stopwatch into docs/evidence/engine_bench.json: per workload, multiples of torch's time.

    python bench/engine/evidence.py bench/engine/results/run.jsonl docs/evidence/engine_bench.json

A ratio is formed inside each round (runs a few seconds apart) from the CPU time of the process, and the median of the rounds is
kept. For W8 it is the difference to `import numpy` in milliseconds, for W9 the growth of memory in MiB.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
from collections import defaultdict
from datetime import date
from pathlib import Path

OURS = "reference_impl"
GOALS = {
    "W1": ("scalar graph, 40,000 nodes", 1.2),
    "W1depth": ("chain 100,000 deep", 1.2),
    "W2": ("500 elementwise ops on 1,000 elements", 1.0),
    "W3": ("MLP step, batch 64", 1.0),
    "W4": ("LeNet step, batch 64", 1.0),
    "W5": ("conv2d forward and backward", 1.9),
    "W6max": ("max pooling 2x2", 0.55),
    "W6avg": ("average pooling 2x2", 0.5),
    "W7": ("gradient of a gradient", 1.0),
}


def ratios(rows: list[dict], workload: str) -> dict[str, float]:
    """Per engine, the median over rounds of its time in multiples of torch's."""
    rounds: dict[int, dict[str, float]] = defaultdict(dict)
    for row in rows:
        time = row.get("median_cpu_s") or row.get("median_s")
        if row["workload"] == workload and time and (row["result_check"] or {}).get("ok"):
            rounds[row["round"]][row["engine"]] = time
    found: dict[str, list[float]] = defaultdict(list)
    for times in rounds.values():
        for engine, time in times.items():
            if "torch" in times:
                found[engine].append(time / times["torch"])
    return {engine: round(statistics.median(values), 2) for engine, values in found.items()}


def main(results: Path, target: Path) -> None:
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    kinds = {row["engine"]: row.get("kind", "") for row in rows}
    table = []
    for workload, (what, goal) in GOALS.items():
        found = ratios(rows, workload)
        peers = {e: r for e, r in found.items() if kinds[e] == "numpy"}
        best = min(peers, key=lambda e: peers[e]) if peers else None
        table.append(
            {
                "workload": f"{workload}: {what}",
                "reference_impl": found.get(OURS),
                "best_numpy_peer": f"{peers[best]} {best}" if best else "not measured in this run",
                "by_hand": found.get("numpy-manual"),
                "goal": goal,
            }
        )
    blas = "Haswell kernels" if os.environ.get("OPENBLAS_CORETYPE") == "Haswell" else "the processor's own kernels"
    target.write_text(
        json.dumps({"date": date.today().isoformat(), "blas": blas, "rows": table}, indent=1) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

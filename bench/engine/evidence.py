"""Turn the results of run_all.py into docs/evidence/engine_bench.json: a table with a row per workload and a column per engine.

    python bench/engine/evidence.py begin bench/engine/results/run.jsonl    # before the run: write its provenance
    python bench/engine/evidence.py bench/engine/results/run.jsonl docs/evidence/engine_bench.json

A cell is the median over the rounds of the measurement below. Runs whose results differ from torch's are left out.
    W1 to W7        CPU time of the engine as a multiple of torch's CPU time in the same round (its runs are a few seconds apart)
    W8              time of importing the engine minus that of `import numpy`, in ms
    W9, W9 after    growth of memory during the first three LeNet steps, and during later steps, in MiB
"""

from __future__ import annotations

import json
import platform
import statistics
import sys
from collections import defaultdict
from datetime import date
from pathlib import Path
from typing import Any

from snippetcheck.cache import processor

from gradnotes.evidence.provenance import describe_sources

ROOT = Path(__file__).resolve().parents[2]

# The columns of the table. numpy-manual is not an engine: its forward and backward passes are written by hand.
ENGINES = ("reference_impl", "autograd", "mygrad", "chainer", "dezero", "pydynet", "numpy-manual")
GOALS = {
    "W1": ("scalar graph, 40,000 nodes", "1.2"),
    "W1depth": ("chain 100,000 deep", "1.2"),
    "W2": ("500 elementwise ops on 1,000 elements", "1.0"),
    "W3": ("MLP step, batch 64", "1.0"),
    "W4": ("LeNet step, batch 64", "1.0"),
    "W5": ("conv2d forward and backward", "1.9"),
    "W6max": ("max pooling 2x2", "0.55"),
    "W6avg": ("average pooling 2x2", "0.5"),
    "W7": ("gradient of a gradient", "1.0"),
    "W8": ("import, ms beyond NumPy", "20 ms"),
    "W9": ("memory of the first 3 LeNet steps, MiB", "12 MiB"),
    "W9 after": ("memory of each later step, MiB", "0 MiB"),
}


def measurement(row: dict[str, Any], workload: str) -> float | None:
    """Return the measurement of a run: CPU seconds for W1 to W7 (without CPU times wall-clock seconds), ms for W8, MiB for W9.

    Return None if the run failed, its result is wrong, or a time or size that it needs is missing.

    Args:
        row: a line of the results of run_all.py.
        workload: a key of GOALS; it distinguishes "W9" and "W9 after", which use the same run.
    """
    if row.get("error") or not (row.get("result_check") or {}).get("ok"):
        return None
    if row["workload"] == "W8":
        seconds = row["median_s"] - row["numpy_import_s"] if row.get("numpy_import_s") else None
        return seconds and seconds * 1e3
    if row["workload"] == "W9":
        return row.get("growth_steady_MiB" if workload == "W9 after" else "growth_first3_MiB")
    return row.get("median_cpu_s") or row.get("median_s")


def median_measurements(rows: list[dict[str, Any]], workload: str) -> dict[str, float]:
    """Map the name of each engine to its median measurement over the rounds. For W1 to W7, it is a multiple of torch's time.

    For W1 to W7, rounds in which torch has no measurement are left out. An engine without measurements is left out.
    """
    rounds: dict[int, dict[str, float]] = defaultdict(dict)
    for row in rows:
        if row["workload"] == workload.split()[0] and (value := measurement(row, workload)) is not None:
            rounds[row["round"]][row["engine"]] = value
    values_by_engine: dict[str, list[float]] = defaultdict(list)
    for values_of_round in rounds.values():
        unit = 1.0 if workload.startswith(("W8", "W9")) else values_of_round.get("torch")
        for engine, value in values_of_round.items() if unit else ():
            values_by_engine[engine].append(value / unit)
    digits = 1 if workload.startswith(("W8", "W9")) else 2
    return {engine: round(statistics.median(values), digits) for engine, values in values_by_engine.items()}


def about(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Describe the run: today's date, this processor, OPENBLAS_CORETYPE (None if not set), threads, number of rounds, versions by engine.

    The key "not installed" lists the engines without results; without such engines, it is absent.
    """
    versions = {row["engine"]: row["version"] for row in rows if row.get("version")}
    blas = sorted({str(row.get("blas")) for row in rows if row.get("blas")})
    missing = [name for name in ENGINES if name not in {row["engine"] for row in rows}]
    return {
        "date": date.today().isoformat(),
        "processor": processor(),
        "OPENBLAS_CORETYPE": ", ".join(blas).replace("native", "not set") or None,
        "threads": 1,
        "rounds": len({row["round"] for row in rows}),
        "versions": versions | {"python": platform.python_version()},
        **({"not installed": missing} if missing else {}),
    }


def evidence(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the table: "about" describes the run, as `about` does; "rows" has a row per workload.

    A row has the name of the workload, a measurement or None for each engine, and the goal of reference_impl.
    """
    table = []
    for workload, (description, goal) in GOALS.items():
        medians = median_measurements(rows, workload)
        ratios = {engine: medians.get(engine) for engine in ENGINES}
        table.append({"workload": f"{workload}: {description}", **ratios, "goal": goal})
    return {"about": about(rows), "rows": table}


def begin(results: Path) -> None:
    """Write the checksums of the sources to a file beside `results`, with the suffix `.made.json`. Call it before a run."""
    judge = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "bench" / "engine").glob("*.py"))
    sources = {"engine": ["reference_impl"], "judge": judge}
    results.parent.mkdir(parents=True, exist_ok=True)
    results.with_suffix(".made.json").write_text(
        json.dumps(describe_sources(ROOT, "make bench", sources, ("torch", "numpy")))
    )


def by_processor(table: dict[str, Any], previous: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a row of ratios of reference_impl for each processor: the row of `table`, then the rows in `previous` for other processors."""
    newest = {"processor": table["about"]["processor"], "date": table["about"]["date"]}
    newest |= {row["workload"].partition(":")[0]: row["reference_impl"] for row in table["rows"]}
    return [newest, *(row for row in previous if row["processor"] != newest["processor"])]


def main(results: Path, target: Path) -> None:
    """Write the evidence of the run in `results` to `target`, with the checksums that `begin` wrote."""
    provenance = json.loads(results.with_suffix(".made.json").read_text(encoding="utf-8"))
    rows = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    table = evidence(rows)
    previous = json.loads(target.read_text(encoding="utf-8")).get("by_processor", []) if target.exists() else []
    document = {"provenance": provenance, **table, "by_processor": by_processor(table, previous)}
    target.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1] == "begin":
        begin(Path(sys.argv[2]))
    else:
        main(Path(sys.argv[1]), Path(sys.argv[2]))

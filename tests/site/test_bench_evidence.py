"""Test the table that compares the speed of engines: its ratios, failed runs, processors, versions and provenance."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from gradnotes.evidence.provenance import table_changes

PATH = Path(__file__).resolve().parents[2] / "bench/engine/evidence.py"
spec = importlib.util.spec_from_file_location("bench_evidence", PATH)
assert spec and spec.loader
bench = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bench)


def row(engine: str, workload: str, round_: int, seconds: float, **values: Any) -> dict[str, Any]:
    """Return a line of the benchmark's results: one engine on one workload in one round."""
    ok = {"result_check": {"ok": True}, "version": "1.0", "blas": "Haswell", "error": None}
    return {"engine": engine, "workload": workload, "round": round_, "median_cpu_s": seconds, **ok, **values}


def test_the_ratio_to_torch_is_computed_within_each_round() -> None:
    """Measure on a machine that is three times slower in the second round. This must not change the ratio."""
    rows = [row("torch", "W4", 0, 1.0), row("reference_impl", "W4", 0, 1.5)]
    rows += [row("torch", "W4", 1, 3.0), row("reference_impl", "W4", 1, 4.5)]
    assert bench.median_measurements(rows, "W4") == {"torch": 1.0, "reference_impl": 1.5}


@pytest.mark.parametrize("bad", [{"result_check": {"ok": False}}, {"error": "RecursionError"}])
def test_a_failed_run_has_no_number(bad: dict[str, Any]) -> None:
    rows = [row("torch", "W4", 0, 1.0), row("mygrad", "W4", 0, 2.0, **bad)]
    assert bench.median_measurements(rows, "W4") == {"torch": 1.0}


def test_import_time_and_memory_are_not_ratios() -> None:
    rows = [row("reference_impl", "W8", 0, 0.1, median_s=0.1, numpy_import_s=0.08)]
    rows.append(row("reference_impl", "W9", 0, 0, growth_first3_MiB=3.26, growth_steady_MiB=0.04))
    assert bench.median_measurements(rows, "W8") == {"reference_impl": 20.0}
    assert bench.median_measurements(rows, "W9") == {"reference_impl": 3.3}
    assert bench.median_measurements(rows, "W9 after") == {"reference_impl": 0.0}


def test_the_table_records_its_sources_and_command(tmp_path: Path) -> None:
    results, target = tmp_path / "results/run.jsonl", tmp_path / "table.json"
    bench.begin(results)
    results.write_text(json.dumps(row("torch", "W4", 0, 1.0)) + "\n")
    bench.main(results, target)
    provenance = json.loads(target.read_text())["provenance"]
    assert provenance["command"] == "make bench" and set(provenance["sources"]) == {"engine", "judge"}
    assert table_changes(bench.ROOT, provenance) == []


def test_results_of_another_processor_are_kept() -> None:
    evidence = bench.evidence([row("torch", "W4", 0, 1.0), row("reference_impl", "W4", 0, 1.5)])
    elsewhere = {"processor": "another one", "date": "2026-01-31", "W4": 9.0}
    first = bench.by_processor(evidence, [elsewhere])
    assert first[0]["W4"] == 1.5 and first[1] == elsewhere
    assert bench.by_processor(evidence, first) == first  # a new result replaces the last one of the same processor


def test_the_file_names_versions_and_missing_engines() -> None:
    evidence = bench.evidence([row("torch", "W4", 0, 1.0), row("reference_impl", "W4", 0, 1.5)])
    assert evidence["about"]["OPENBLAS_CORETYPE"] == "Haswell"
    assert evidence["about"]["versions"]["reference_impl"] == "1.0"
    assert (
        "chainer" in evidence["about"]["not installed"] and "reference_impl" not in evidence["about"]["not installed"]
    )
    w4 = next(line for line in evidence["rows"] if line["workload"].startswith("W4"))
    assert (w4["reference_impl"], w4["chainer"], w4["goal"]) == (1.5, None, "1.0")
    assert all(set(bench.ENGINES) < set(line) for line in evidence["rows"])

"""Run hostile snippets, which harm their process, and peaceful ones in random orders on two workers. Count unexpected verdicts."""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from peers import ROOT, THIS_HARNESS, run_in

LEFT_OUT = ("memory of one process", "memory of many processes")  # they fill gigabytes; harness/tests runs them


def runs(totals: dict[str, Any], count: int) -> Iterator[dict[str, Any]]:
    """Add `count` runs to `totals`, each with a new seed. Yield the totals after each run.

    The keys are runs, workers and snippets (numbers), slowest_seconds, repeated (how many runs another benchmark disturbed), and flakes, a
    list of texts about runs with unexpected verdicts. If `totals` are for another number of snippets, new totals begin at 0.
    """
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        expected_verdicts = write_hostile(folder)
        if totals.get("snippets") != len(expected_verdicts):
            totals = {
                "runs": 0,
                "workers": 2,
                "snippets": len(expected_verdicts),
                "slowest_seconds": 0.0,
                "repeated": 0,
            }
            totals["flakes"] = []
        for _ in range(count):
            run_shuffled(folder, expected_verdicts, totals)
            yield totals


def write_hostile(folder: Path) -> dict[str, str]:
    """Write each hostile snippet, and a peaceful snippet after it, to `folder`. Return the expected verdicts by name."""
    sys.path.insert(0, str(ROOT / "harness" / "tests"))
    from hostile import HOSTILE

    (folder / "snippets").mkdir()
    (folder / "pyproject.toml").write_text("[tool.snippetcheck.engines.python]\n")
    expected_verdicts = {}
    for number, hostile in enumerate(hostile for name, hostile in HOSTILE.items() if name not in LEFT_OUT):
        text = f'"""Hostile."""\n# timeout: {hostile.timeout}\n\n{hostile.body}\n'
        (folder / "snippets" / f"p{2 * number:04}.py").write_text(text)
        expected_verdicts[f"p{2 * number:04}"] = "failed"
        (folder / "snippets" / f"p{2 * number + 1:04}.py").write_text('"""Peaceful."""\n\nprint(1)\n#> 1\n')
        expected_verdicts[f"p{2 * number + 1:04}"] = "passed"
    return expected_verdicts


def run_shuffled(folder: Path, expected_verdicts: dict[str, str], totals: dict[str, Any]) -> None:
    """Run the snippets once in random order, and add the result to `totals`.

    Repeat the run if its verdicts are unexpected and another benchmark stopped this process during the run.
    """
    seed = totals["runs"]
    while True:
        with Heartbeat() as heartbeat:
            outcome = run_in(THIS_HARNESS, folder, limit=600, arguments=("-n", "2", "--snippet-shuffle", str(seed)))
        mismatches = {
            key: outcome.verdicts.get(key)
            for key in expected_verdicts
            if outcome.verdicts.get(key) != expected_verdicts[key]
        }
        is_good = outcome.code == 1 and outcome.verdicts == expected_verdicts
        if is_good or heartbeat.longest < 2:
            break
        totals["repeated"] += 1
    totals["runs"] += 1
    totals["slowest_seconds"] = max(totals["slowest_seconds"], round(outcome.seconds, 1))
    if not is_good:
        totals["flakes"].append(f"seed {seed}: exit code {outcome.code}, {mismatches or outcome.verdicts.get('left')}")
        print(totals["flakes"][-1], flush=True)


class Heartbeat(threading.Thread):
    """A thread that measures `longest`, the longest time in seconds for which this process did not run.

    If another benchmark stops this process, the times that this process measures are invalid.
    """

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.longest = 0.0
        self.end_event = threading.Event()  # set at the end of the `with` block

    def run(self) -> None:
        """Measure until the `with` block ends."""
        last = time.monotonic()
        while not self.end_event.wait(0.1):
            self.longest = max(self.longest, time.monotonic() - last)
            last = time.monotonic()

    def __enter__(self) -> Heartbeat:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.end_event.set()

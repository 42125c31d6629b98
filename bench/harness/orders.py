"""Hostile snippets among peaceful ones, in random orders on two workers: every verdict must be the same each time."""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from peers import OURS, ROOT, run_in

LEFT_OUT = ("memory", "memory of many")  # they fill gigabytes; harness/tests runs them once


def runs(made: dict[str, Any], count: int) -> Iterator[dict[str, Any]]:
    """`count` more runs than in `made`, each with a seed of its own; the figures after each."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        expected = write_hostile(folder)
        if made.get("snippets") != len(expected):
            made = {"runs": 0, "workers": 2, "snippets": len(expected), "slowest_seconds": 0.0, "repeated": 0}
            made["flakes"] = []
        for _ in range(count):
            run_shuffled(folder, expected, made)
            yield made


def write_hostile(folder: Path) -> dict[str, str]:
    """Write each hostile snippet and a peaceful one beside it; their verdicts."""
    sys.path.insert(0, str(ROOT / "harness" / "tests"))
    from hostile import HOSTILE

    (folder / "snippets").mkdir()
    (folder / "pyproject.toml").write_text("[tool.snippets.engines.python]\n")
    expected = {}
    for number, hostile in enumerate(one for name, one in HOSTILE.items() if name not in LEFT_OUT):
        text = f'"""Hostile."""\n# timeout: {hostile.timeout}\n\n{hostile.body}\n'
        (folder / "snippets" / f"p{2 * number:04}.py").write_text(text)
        expected[f"p{2 * number:04}"] = "failed"
        (folder / "snippets" / f"p{2 * number + 1:04}.py").write_text('"""Peaceful."""\n\nprint(1)\n#> 1\n')
        expected[f"p{2 * number + 1:04}"] = "passed"
    return expected


def run_shuffled(folder: Path, expected: dict[str, str], made: dict[str, Any]) -> None:
    """One more run, noted in `made`. A run during which the machine stood still is not counted but repeated."""
    seed = made["runs"]
    while True:
        with Heartbeat() as heartbeat:
            outcome = run_in(OURS, folder, limit=600, arguments=("-n", "2", "--snippet-shuffle", str(seed)))
        wrong = {key: outcome.verdicts.get(key) for key in expected if outcome.verdicts.get(key) != expected[key]}
        is_good = outcome.code == 1 and outcome.verdicts == expected
        if is_good or heartbeat.longest < 2:
            break
        made["repeated"] += 1
    made["runs"] += 1
    made["slowest_seconds"] = max(made["slowest_seconds"], round(outcome.seconds, 1))
    if not is_good:
        made["flakes"].append(f"seed {seed}: code {outcome.code}, {wrong or outcome.verdicts.get('left')}")
        print(made["flakes"][-1], flush=True)


class Heartbeat(threading.Thread):
    """Notes the longest time for which this process did not run: somebody else's timing had stopped it."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.longest = 0.0
        self.over = threading.Event()

    def run(self) -> None:
        last = time.monotonic()
        while not self.over.wait(0.1):
            self.longest = max(self.longest, time.monotonic() - last)
            last = time.monotonic()

    def __enter__(self) -> Heartbeat:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.over.set()

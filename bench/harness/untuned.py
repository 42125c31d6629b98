"""What settings save: doctest, this harness with an engine that is set up, and without, in turns.

    .venv/bin/python bench/harness/untuned.py [snippets] [turns]

Seconds by the clock and of all processes together, the best of the turns, and their ratios to doctest.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import corpus
from peers import OURS, TOOLS, run_in

_UNTUNED = replace(OURS, extra=(("pyproject.toml", "[tool.snippets]\n"),))
_RUNS = {
    "doctest": next(tool for tool in TOOLS if tool.name == "doctest"),
    "set up": OURS,
    "untuned": _UNTUNED,
}


def main(count: int, turns: int) -> None:
    """Print a line for each."""
    programs = corpus.programs(count)
    best = dict.fromkeys(_RUNS, (float("inf"), float("inf")))
    with tempfile.TemporaryDirectory(prefix="bench-") as base:
        for name, tool in _RUNS.items():
            tool.write(programs, Path(base, name))
        for _ in range(turns):
            for name, tool in _RUNS.items():
                run = run_in(tool, Path(base, name))
                assert run.code == 0 and len(run.verdicts) == count, (name, run)
                best[name] = min(best[name][0], run.seconds), min(best[name][1], run.cpu)
    seconds, cpu = best["doctest"]
    for name, (wall, busy) in best.items():
        print(f"{name:15} {wall:6.2f} s {wall / seconds:5.2f} x   CPU {busy:6.2f} s {busy / cpu:5.2f} x")


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]]
    main(*(given + [200, 3][len(given) :]))

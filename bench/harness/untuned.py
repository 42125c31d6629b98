"""Time doctest, this harness with engine settings ("set up"), and this harness without settings ("untuned").

    .venv/bin/python bench/harness/untuned.py [snippets] [turns]

By default, there are 200 snippets and 3 turns. The three take turns. A line for each has the minimum of its wall-clock seconds and of
its CPU seconds over the turns, and the ratios of both to doctest's.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import corpus
from peers import THIS_HARNESS, TOOLS, run_in

_UNTUNED = replace(THIS_HARNESS, extra=(("pyproject.toml", "[tool.snippetcheck]\n"),))
_RUNS = {
    "doctest": next(tool for tool in TOOLS if tool.name == "doctest"),
    "set up": THIS_HARNESS,
    "untuned": _UNTUNED,
}


def main(count: int, turns: int) -> None:
    """Run `count` snippets `turns` times with each configuration in _RUNS, and print a line per configuration."""
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
    arguments = [int(argument) for argument in sys.argv[1:]]
    main(*(arguments + [200, 3][len(arguments) :]))

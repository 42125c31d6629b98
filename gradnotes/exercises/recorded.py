"""The key of a `point` exercise and what is drawn of it, from a run on reference_impl in a process of its own.

python -m gradnotes.exercises.recorded path/to/exercise.py    prints it as JSON
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from snippetcheck.snippet import SnippetError

from gradnotes.exercises import pointing
from gradnotes.exercises.format import load
from gradnotes.steps.recordings import SECONDS, last_line, with_engine


class RecordError(Exception):
    """An exercise whose key could not be recorded."""


def recorded(exercise: Path, root: Path) -> dict[str, Any]:
    """`choices` and `key`, and `trace`, what gradnotes.steps.drawing draws, where nodes are pointed at. Raises RecordError."""
    try:
        done = with_engine(root, ["gradnotes.exercises.recorded", str(exercise)], timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise RecordError(f"did not end within {SECONDS} s") from None
    if done.returncode:
        raise RecordError(last_line(done))
    return json.loads(done.stdout)


def main(path: str) -> int:
    """Print the record of the exercise at `path`."""
    from gradnotes.steps import drawing
    from gradnotes.steps.program import run

    file = Path(path)
    try:
        exercise = load(file, file.parent)
        outcome = run(pointing.observed(exercise))
        asked = pointing.asked(exercise, outcome.run)
    except (pointing.PointError, SnippetError) as error:
        print(str(error).split("\n")[0], file=sys.stderr)
        return 1
    made: dict[str, Any] = {"choices": asked.choices, "key": asked.key}
    if exercise.at == "order":
        trace = outcome.passes[-1]
        made["trace"] = trace
        made["names"] = {node["id"]: drawing.title(node) for node in trace["nodes"]}
    elif exercise.at == "tensors":
        edges = pointing.makes(exercise, asked.choices)
        nodes = [{"id": name, "name": name} for name in asked.choices]
        made["trace"] = {
            "nodes": nodes,
            "edges": [{"source": one, "target": other, "output_nr": 0} for one, other in edges],
            "dependencies": {},
            "steps": [],
        }
        made["names"] = {name: name for name in asked.choices}
    json.dump(made, sys.stdout, ensure_ascii=False)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))

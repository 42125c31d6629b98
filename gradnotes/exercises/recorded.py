"""The key of a `point` exercise and what is drawn of it, from a run on reference_impl in a process of its own.

python -m gradnotes.exercises.recorded path/to/exercise.py ...    prints them as a list in JSON
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from snippetcheck.snippet import SnippetError

from gradnotes.exercises import pointing
from gradnotes.exercises.format import load
from gradnotes.steps.recordings import each, last_line, with_engine


def recorded(exercises: Sequence[Path], root: Path) -> list[dict[str, Any]]:
    """Per exercise `choices` and `key`, and `trace`, what gradnotes.steps.drawing draws, where nodes are pointed at; or an `error`."""
    done = with_engine(root, ["gradnotes.exercises.recorded", *map(str, exercises)])
    if done.returncode:
        return [{"error": last_line(done)} for _ in exercises]
    return json.loads(done.stdout)


def answer(path: str) -> dict[str, Any]:
    """Run the exercise at `path` in this process."""
    from gradnotes.steps import drawing
    from gradnotes.steps.program import run

    file = Path(path)
    try:
        exercise = load(file, file.parent)
        outcome = run(pointing.observed(exercise))
        asked = pointing.asked(exercise, outcome.run)
    except (pointing.PointError, SnippetError) as error:
        return {"error": str(error).split("\n")[0]}
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
    return made


if __name__ == "__main__":
    json.dump(each(answer, [(path,) for path in sys.argv[1:]]), sys.stdout, ensure_ascii=False)

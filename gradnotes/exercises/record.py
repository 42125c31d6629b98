"""Record the answer keys and graphs of `point` exercises on reference_impl, in another process.

`python -m gradnotes.exercises.record` reads [path, name, text] of each exercise from stdin, and prints the recordings,
both as a JSON list.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from snippetcheck.snippet import SnippetError

from gradnotes.exercises import point
from gradnotes.exercises.parser import Exercise, parse
from gradnotes.recorder.process import last_line, map_in_forks, with_engine


def record_exercises(exercises: Sequence[Exercise], root: Path) -> list[dict[str, Any]]:
    """Record `point` exercises in one process. Return a recording per exercise.

    A recording has `choices` and `key` as in AnswerKey. If the choices are tensors or nodes, it also has the `trace`
    that gradnotes.viewer.graph_svg draws, and `names`, which maps the id of each node in the trace to its choice. If the
    exercise cannot be recorded, the recording has only an `error`, a message.
    """
    files = [(str(exercise.path), exercise.name, exercise.text) for exercise in exercises]
    process = with_engine(root, ["gradnotes.exercises.record"], input=json.dumps(files))
    if process.returncode:
        return [{"error": last_line(process)} for _ in exercises]
    return json.loads(process.stdout)


def record_exercise(path: str, name: str, text: str) -> dict[str, Any]:
    """Record the exercise `text` of the file at `path` in this process. Return a recording, see `record_exercises`."""
    from gradnotes.recorder.program import run
    from gradnotes.viewer import graph_svg

    try:
        exercise = parse(text, Path(path), name)
        result = run(point.instrumented_program(exercise))
        answer_key = point.read_answer_key(exercise, result.run)
    except (point.PointError, SnippetError) as error:
        return {"error": str(error).split("\n")[0]}
    recording: dict[str, Any] = {"choices": answer_key.choices, "key": answer_key.key}
    if exercise.at == "order":
        trace = result.passes[-1]
        recording["trace"] = trace
        recording["names"] = {node["id"]: graph_svg.title(node) for node in trace["nodes"]}
    elif exercise.at == "tensors":
        edges = point.dataflow_edges(exercise, answer_key.choices)
        nodes = [{"id": name, "name": name} for name in answer_key.choices]
        recording["trace"] = {
            "nodes": nodes,
            "edges": [{"source": source, "target": target, "output_nr": 0} for source, target in edges],
            "dependencies": {},
            "steps": [],
        }
        recording["names"] = {name: name for name in answer_key.choices}
    return recording


if __name__ == "__main__":
    print(map_in_forks(record_exercise, json.load(sys.stdin)))

"""Every step viewer, and every figure of a graph, shows the gradients that torch's own hooks see in the same program, in torch's order."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from gradnotes.fences.project import Project
from gradnotes.steps.passes import TEXT
from gradnotes.steps.program import run

# Where torch's hooks see a pass otherwise, and why; there the same nodes have to run.
OTHERWISE = {
    "hooks/tensors/upstream.py": "a hook of a node sees what the hook of its tensor has left; the figure shows what arrived",
    "inside-the-engine/hooks/engine.py": "torch walks the graph of a first derivative in another order",
}


def viewers(root: Path) -> list[tuple[str, Path, int]]:
    """(page, snippet, number of the pass) of each, and of each figure that draws one."""
    book = Project(root)
    every = [(page, one) for page in book.pages() for one in book.fences(page)]
    fences = [(page, one) for page, one in every if one.kind == "steps" or one.keys.get("kind") == "graph"]
    return [(page, book.snippets / one.keys["file"], int(one.keys.get("call", 1))) for page, one in fences]


def shown(trace: dict[str, Any]) -> list[list[Any]]:
    """What the viewer of a pass shows, as torch_passes.py prints a pass; torch shows no hook the root of several losses."""
    names = {node["id"]: node["name"] for node in trace["nodes"]}
    steps = [[names[step["node"]], step["received"], step["accumulated"]] for step in trace["steps"]]
    return [step for step in steps if step[0] != "GraphRoot"]


def same(drawn: list[list[Any]], expected: list[list[Any]], path: Path) -> bool:
    """A pass of `grad` ends at its inputs, which are drawn with what they are given; torch runs no hook of theirs."""
    if any(path.as_posix().endswith(name) for name in OTHERWISE):
        return sorted(step[0] for step in drawn) == sorted(step[0] for step in expected)
    ends = drawn[len(expected) :]
    return drawn[: len(expected)] == expected and all(step[2] is None for step in ends)


def test_every_viewer_shows_what_torch_computes(root: Path) -> None:
    found = viewers(root)
    assert found
    paths = sorted({str(path) for _, path, _ in found})
    program = [sys.executable, str(Path(__file__).with_name("torch_passes.py")), *paths]
    done = subprocess.run(program, capture_output=True, text=True, timeout=600, check=True)
    by_torch = json.loads(done.stdout)
    wrong = {}
    for page, path, number in found:
        drawn, expected = run(path.read_text(encoding="utf-8")).passes, by_torch[str(path)]
        for one in (one for one in drawn if "left_out" not in one):
            assert all(len(text) < TEXT for _, received, _ in shown(one) for text in received), "a text cut short"
        if len(drawn) < number or not same(shown(drawn[number - 1]), expected[number - 1], path):
            wrong[f"{page}: {path.relative_to(root)}, pass {number}"] = {
                "drawn": [one.get("left_out") or shown(one) for one in drawn],
                "torch": expected,
            }
    assert wrong == {}

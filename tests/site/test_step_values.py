"""Step viewers and figures of graphs show the gradients that torch's hooks receive, in torch's order."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from gradnotes.project import Project
from gradnotes.recorder.backward_passes import TEXT
from gradnotes.recorder.program import run

# Snippets whose passes differ between torch's hooks and the viewer, with the reason. Of these, only the names of nodes are compared.
DIFFERENT_PASSES = {
    "hooks/tensors/upstream.py": "a hook of a node receives what the tensor's hook returned; the figure shows the gradient before it",
    "inside-the-engine/hooks/engine.py": "torch walks the graph of a first derivative in another order",
}


def viewers(root: Path) -> list[tuple[str, Path, int]]:
    """Return (page, path of the snippet, number of the pass) of each step viewer and each figure that draws a pass."""
    book = Project(root)
    page_fences = [(page, fence) for page in book.pages() for fence in book.fences(page)]
    fences = [
        (page, fence) for page, fence in page_fences if fence.kind == "steps" or fence.keys.get("kind") == "graph"
    ]
    return [(page, book.snippets / fence.keys["file"], int(fence.keys.get("call", 1))) for page, fence in fences]


def drawn_steps(trace: dict[str, Any]) -> list[list[Any]]:
    """Return the steps that a viewer draws, each as [node, [received gradient, ...], .grad of a leaf or None].

    Omit the common root of several losses, for which torch runs no hook.
    """
    names = {node["id"]: node["name"] for node in trace["nodes"]}
    steps = [[names[step["node"]], step["received"], step["accumulated"]] for step in trace["steps"]]
    return [step for step in steps if step[0] != "GraphRoot"]


def is_same_pass(steps: list[list[Any]], torch_steps: list[list[Any]], path: Path) -> bool:
    """Return whether the drawn steps of a pass equal the steps that torch's hooks recorded.

    For a path in DIFFERENT_PASSES, compare only the names of nodes. A pass of `torch.autograd.grad` ends at its inputs: the viewer draws
    steps for these, but torch runs no hooks there.
    """
    if any(path.as_posix().endswith(name) for name in DIFFERENT_PASSES):
        return sorted(step[0] for step in steps) == sorted(step[0] for step in torch_steps)
    ends = steps[len(torch_steps) :]
    return steps[: len(torch_steps)] == torch_steps and all(step[2] is None for step in ends)


def test_every_viewer_shows_the_gradients_of_torch(root: Path) -> None:
    viewer_passes = viewers(root)
    assert viewer_passes
    paths = sorted({str(path) for _, path, _ in viewer_passes})
    program = [sys.executable, str(Path(__file__).with_name("torch_passes.py")), *paths]
    completed = subprocess.run(program, capture_output=True, text=True, timeout=600, check=True)
    torch_steps = json.loads(completed.stdout)
    differences = {}
    for page, path, number in viewer_passes:
        passes, torch_passes = run(path.read_text(encoding="utf-8")).passes, torch_steps[str(path)]
        for trace in (trace for trace in passes if "left_out" not in trace):
            assert all(len(text) < TEXT for _, received, _ in drawn_steps(trace) for text in received), (
                f"{page}: a gradient is recorded only in part: use smaller tensors in {path}"
            )
        if len(passes) < number or not is_same_pass(drawn_steps(passes[number - 1]), torch_passes[number - 1], path):
            differences[f"{page}: {path.relative_to(root)}, pass {number}"] = {
                "drawn": [trace.get("left_out") or drawn_steps(trace) for trace in passes],
                "torch": torch_passes,
            }
    assert differences == {}

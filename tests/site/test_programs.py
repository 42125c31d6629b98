"""Typical programs of newcomers, run by the code of the page, print the same as on torch and show their plots."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gradnotes.browser.run import run_program

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))
PLOTS = {  # number of pictures by program
    "autoencoder": 10, "bigram": 1, "character_mlp": 3, "confusion": 2, "custom_function": 1, "data_loader": 0, "digits_cnn": 1,
    "gradient_descent_2d": 1, "hooks": 1, "kernels": 8, "linear_module": 1, "optimizers": 1, "regression_by_hand": 1,
    "saliency": 2, "save_and_load": 0, "scalars": 2, "schedule": 1, "sine_lstm": 2, "train_and_eval": 0, "two_classes": 2,
    "weight_histogram": 1,
}  # fmt: skip
ON_TORCH = """
import contextlib, io, json, os, sys, tempfile, warnings
import matplotlib
matplotlib.use("Agg")
warnings.simplefilter("ignore")
outputs = {}
for path in sys.argv[1:]:
    printed = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), contextlib.redirect_stdout(printed):
        exec(compile(open(path).read(), path, "exec"), {"__name__": "__main__"})
        matplotlib.pyplot.close("all") if "matplotlib.pyplot" in sys.modules else None
    outputs[path] = printed.getvalue()
print(json.dumps(outputs))
"""


@pytest.fixture(scope="module")
def torch_outputs() -> dict[str, str]:
    """Map the path of each program to its output with torch and matplotlib."""
    command = [sys.executable, "-c", ON_TORCH, *map(str, PROGRAMS)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}  # threads of torch wait for each other on a busy machine
    process = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment)
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout.splitlines()[-1])


def printed_text(statements: list[dict[str, str]]) -> str:
    """Return the output of statements as plain text."""
    blocks = re.findall(
        r'<span class="x x-prints"[^>]*>(.*?)</span>', "".join(s["html"] for s in statements), re.DOTALL
    )
    lines = [line.removeprefix("<i>#&gt;</i>").removeprefix(" ") for block in blocks for line in block.split("\n")]
    return html.unescape("".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_prints_what_torch_prints_and_shows_its_plots(path: Path, torch_outputs: dict[str, str]) -> None:
    result = json.loads(run_program(path.read_text(encoding="utf-8"), "run-x", ""))
    assert (result["error"], result["state"]) == (None, "edited")
    trimmed = [line.rstrip() for line in torch_outputs[str(path)].splitlines()]
    assert printed_text(result["shown"]).splitlines() == trimmed
    assert sum(statement["html"].count("<svg") for statement in result["shown"]) == PLOTS[path.stem]


def test_there_are_at_least_twenty_programs() -> None:
    assert len(PROGRAMS) >= 20 and {path.stem for path in PROGRAMS} == PLOTS.keys()

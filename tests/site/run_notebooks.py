"""Run the code cells of notebooks in order, and print a JSON line per cell: [id, output, class of the error or null].

    python run_notebooks.py NOTEBOOK ...

Each notebook runs in a separate process, forked from this one, which has only imported torch.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import warnings

import torch
import torch._dynamo  # torch imports it at the first print of a tensor, in each notebook anew
import torch._subclasses.schema_check_mode  # noqa: F401  imported with it

SEPARATE_PROGRAM = (
    "%%script {_python}\n"  # as in gradnotes.notebooks.export; IPython runs such a cell as a separate program
)
SECONDS = 120  # SIGALRM ends the process of a notebook after this time


def run(path: str) -> None:
    """Run the code cells of a notebook in an empty folder, and print a line for each."""
    with open(path, encoding="utf-8") as file:
        book = json.load(file)
    names = {"__name__": "__main__"}
    os.chdir(tempfile.mkdtemp())
    for cell in book["cells"]:
        if cell["cell_type"] != "code":
            continue
        out, error_class = io.StringIO(), None
        with contextlib.redirect_stdout(out), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                source = "".join(cell["source"])
                if source.startswith(SEPARATE_PROGRAM):
                    out.write(
                        subprocess.check_output(
                            [sys.executable, "-"], input=source.removeprefix(SEPARATE_PROGRAM), text=True
                        )
                    )
                else:
                    exec(source, names)
            except Exception as error:
                error_class = type(error).__name__
        print(json.dumps([cell["id"], out.getvalue(), error_class]), flush=True)


def main(paths: list[str]) -> int:
    """Run each notebook in a fork of this process; return the exit code."""
    torch.set_num_threads(1)  # with more threads, a fork would hang
    # A cell that starts processes would otherwise take three times as long, because their threads wait actively.
    os.environ["OMP_NUM_THREADS"] = "1"
    # `begin_afresh`, which notebooks call before each example, collects garbage, which takes 0.15 s with the objects of torch.
    gc.freeze()
    for path in paths:
        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS)  # a cell that hangs and the cells after it print no line
            os.setpgid(0, 0)
            run(path)
            os._exit(0)
        os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # kill processes that a cell left running
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

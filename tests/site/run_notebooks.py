"""Run the code cells of notebooks in order, and print [id, output, type of the error] of each.

    python run_notebooks.py NOTEBOOK ...

Each notebook has its own process, forked from one that has only imported torch.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import warnings

import torch

ALONE = "%%script {sys.executable}\n"  # IPython runs such a cell as a separate program
SECONDS = 120


def run(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        book = json.load(file)
    names = {"__name__": "__main__"}
    os.chdir(tempfile.mkdtemp())
    for cell in book["cells"]:
        if cell["cell_type"] != "code":
            continue
        out, raised = io.StringIO(), None
        with contextlib.redirect_stdout(out), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                source = "".join(cell["source"])
                if source.startswith(ALONE):
                    out.write(
                        subprocess.check_output([sys.executable, "-"], input=source.removeprefix(ALONE), text=True)
                    )
                else:
                    exec(source, names)
            except Exception as error:
                raised = type(error).__name__
        print(json.dumps([cell["id"], out.getvalue(), raised]), flush=True)


def main(paths: list[str]) -> int:
    torch.set_num_threads(1)  # else a fork of it hangs
    os.environ["OMP_NUM_THREADS"] = "1"  # several processes of one cell, each with threads that spin: thrice as slow
    for path in paths:
        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS)  # a cell that hangs shows as cells that were not run
            os.setpgid(0, 0)
            run(path)
            os._exit(0)
        os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # processes that a cell started and left
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

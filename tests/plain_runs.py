"""Run examples as `python file.py` does, on torch, each in a process that is forked after the import of torch.

    python -m tests.plain_runs FILE ...    prints a JSON object: for each file its exit status, stdout and stderr

This module uses no code of the harness, because tests compare the harness with it.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import shutil
import signal
import sys
import tempfile
import traceback

import torch
import torch._dynamo  # torch imports this module and the next three at the first print, step or gradient, which would take long
import torch._subclasses.schema_check_mode
import torch.fx.experimental.symbolic_shapes
import torch.profiler._cupti_monitor  # noqa: F401

SECONDS = 60  # SIGALRM ends a program after this time


def run_plain(path: str) -> tuple[int, str, str]:
    """Run a program in a forked process, in an empty folder. Return its exit status, stdout and stderr.

    If a signal ends the program, as SIGALRM does after SECONDS, the exit status is minus the number of the signal.
    """
    folder = tempfile.mkdtemp()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            os.chdir(folder)
            os._exit(_status_of(path))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        shutil.rmtree(folder, ignore_errors=True)
        out.seek(0), err.seek(0)
        return status, out.read().decode(), err.read().decode()


def _status_of(path: str) -> int:
    signal.alarm(SECONDS)
    sys.argv = [path]
    sys.path[0] = os.path.dirname(path)
    try:
        runpy.run_path(path, run_name="__main__")
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return status


if __name__ == "__main__":
    torch.set_num_threads(1)  # with more threads, a fork after a matrix product hangs
    gc.freeze()  # a collection in a fork would copy every page of torch's objects
    json.dump({path: run_plain(path) for path in sys.argv[1:]}, sys.stdout)

"""Run `python -m MODULE ...` again and again in forked copies of a process that has imported pytest and the harness.

A new process spends three quarters of a short run on imports. A copy has the working directory, environment, arguments, output
files and exit of a new one. It differs in what is imported, and in what Python reads only at its start: `sample_projects.py`
uses new processes where that matters.

Each request is one line of JSON on a socket, with the descriptors of stdout and stderr. The answer is the exit code.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import runpy
import socket
import sys
import tempfile
import time

REQUEST = 1 << 20  # bytes


def import_modules() -> None:
    """Import pytest with its plugins, as a run of pytest does, and the command line of the harness."""
    import pytest

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)
        pytest.main(["-p", "no:hypothesispytest", "-p", "no:cacheprovider", "--help"])
        os.chdir("/")
    import snippetcheck.commands  # noqa: F401


def serve(connection: socket.socket) -> list[str]:
    """Fork a child for each request and answer with its exit code. Return in the child, with the arguments of `python -m`."""
    while True:
        message, descriptors, _, _ = socket.recv_fds(connection, REQUEST, 2)
        if not message:
            os._exit(0)
        request = json.loads(message)
        child = os.fork()
        if child == 0:
            connection.close()
            prepare(request, descriptors)
            arguments: list[str] = request["arguments"]
            return arguments
        for descriptor in descriptors:
            os.close(descriptor)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        connection.send(json.dumps(code).encode())


def prepare(request: dict[str, object], descriptors: list[int]) -> None:
    """Give this process the folder, environment and output files of a request."""
    for target, descriptor in zip((1, 2), descriptors, strict=True):
        os.dup2(descriptor, target)
        os.close(descriptor)
    os.chdir(str(request["folder"]))
    os.environ.clear()
    os.environ.update(request["environment"])  # type: ignore[call-overload]
    time.tzset()
    tempfile.tempdir = None  # read TMPDIR again


if __name__ == "__main__":
    del sys.path[0]  # the folder of this file
    import_modules()
    gc.collect()
    gc.freeze()  # collections in the children are then short
    module, *rest = serve(socket.socket(fileno=int(sys.argv[1])))
    sys.path.insert(0, os.getcwd())
    sys.argv[1:] = rest
    runpy.run_module(module, run_name="__main__", alter_sys=True)

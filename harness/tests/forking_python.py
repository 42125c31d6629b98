"""Run `python -m MODULE ...` in forked copies of a process that has imported pytest and the harness.

A new process spends three quarters of a short run on imports. Each copy has its own working directory, environment,
arguments, output files and exit code, as a new process has. But it begins with imported modules, and it ignores the
variables that Python reads only at startup. Tests of imports or of such variables start new processes.

Each request is one JSON message on a socket, sent with the descriptors of stdout and stderr. The answer is the exit
code, also as JSON.
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

REQUEST_SIZE = 1 << 20  # bytes of the longest request


def import_modules() -> None:
    """Import pytest with its plugins, as a run of pytest does, and the command line of the harness."""
    import pytest

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)
        pytest.main(["-p", "no:hypothesispytest", "-p", "no:cacheprovider", "--help"])
        os.chdir("/")
    import snippetcheck.commands  # noqa: F401


def serve(connection: socket.socket) -> list[str]:
    """Fork a child for each request, and answer with the exit code of the child. Exit when the client disconnects.

    Only a child returns from this function. It gets the arguments of its request.
    """
    while True:
        message, descriptors, _, _ = socket.recv_fds(connection, REQUEST_SIZE, 2)
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
    """Switch this process to the working directory, environment, import path, stdout and stderr of a request."""
    for target, descriptor in zip((1, 2), descriptors, strict=True):
        os.dup2(descriptor, target)
        os.close(descriptor)
    os.chdir(str(request["folder"]))
    os.environ.clear()
    os.environ.update(request["environment"])  # type: ignore[call-overload]
    sys.path[:0] = request["path"]  # type: ignore[call-overload]
    time.tzset()
    tempfile.tempdir = None  # makes tempfile read TMPDIR of the new environment


if __name__ == "__main__":
    del sys.path[0]  # the folder of this file, which `python -m` would not search
    import_modules()
    gc.collect()
    gc.freeze()  # a garbage collection in a child then skips the objects of this process
    module, *rest = serve(socket.socket(fileno=int(sys.argv[1])))
    sys.path.insert(0, os.getcwd())
    sys.argv[1:] = rest
    runpy.run_module(module, run_name="__main__", alter_sys=True)

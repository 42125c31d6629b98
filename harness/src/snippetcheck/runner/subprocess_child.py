"""Import an engine and run one snippet: the program of a process that SubprocessClient starts."""

from __future__ import annotations

import faulthandler
import json
import os
import sys
import traceback
from typing import Any

from snippetcheck.engines import Engine, EngineError, import_engine
from snippetcheck.runner.containment import DUMP_SIGNAL
from snippetcheck.runner.plain_python import hide_calls
from snippetcheck.runner.recorder import FAILED, Recorder, hide_descriptor

NO_ENGINE = 72  # the exit code if the engine cannot be imported; the reason is on stderr
_exit = os._exit  # a program may replace `os._exit`


def main(folder: str, engine: str) -> None:
    """Import the engine, run the job and end the process.

    stdin has the job, a line of JSON, and then the token that ends the journal.

    Args:
        folder: holds the journal and the files of the program.
        engine: the engine as JSON.
    """
    job, token = _job_and_token()
    try:
        _, origins = import_engine(Engine.from_json(engine))
    except EngineError as error:
        print(error, file=sys.stderr, flush=True)
        os._exit(NO_ENGINE)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
    journal = os.open(os.path.join(folder, "journal"), flags)
    os.write(journal, json.dumps(origins).encode() + b"\n")
    output, errors, journal, token = (hide_descriptor(fd, index) for index, fd in enumerate((1, 2, journal, token)))
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors=stream.errors, line_buffering=True, newline="\n")  # type: ignore[union-attr]
    hide_calls()
    recorder = Recorder(job, output, errors, journal)
    for fd in (output, errors):
        os.write(fd, job["mark"].encode())  # separates what the import has printed from the output of the program
    if DUMP_SIGNAL:
        faulthandler.register(DUMP_SIGNAL, all_threads=True)
    else:  # not elsewhere: its thread makes `os.fork` warn
        faulthandler.dump_traceback_later(job["timeout"])
    try:
        recorder.run(token, folder)
    except BaseException:
        os.write(errors, traceback.format_exc().encode())
        _exit(FAILED)


def _job_and_token() -> tuple[dict[str, Any], int]:
    """Read the job from stdin. Return the job, and a descriptor from which to read the token. stdin then is an empty file."""
    line = b""
    while not line.endswith(b"\n"):
        line += os.read(0, 1)
    token = os.dup(0)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    return json.loads(line), token

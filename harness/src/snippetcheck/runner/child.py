"""Run one snippet in a process that the zygote has forked."""

from __future__ import annotations

import json
import os
import signal
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from snippetcheck.runner import containment, recorder


class Descriptors(NamedTuple):
    """The descriptors of the open files that a child inherits from the zygote."""

    job: int  # a pipe with the job, one line of JSON
    output: int  # the pipe of stdout
    errors: int  # the pipe of stderr
    journal: int  # a file in memory
    token: int  # a pipe with the token that ends the journal


def wait_and_run(descriptors: Descriptors, folder: str, reseed: Sequence[Callable[[], object]]) -> None:
    """Detach this child process from the zygote, wait for a job, run it and end the process.

    The signals that the zygote blocks stay blocked until the job comes.

    Args:
        folder: holds the files of the program, which are written below `work` and `tmp`.
        reseed: functions that are called before the program, and seed random number generators.
    """
    # At the fork, coverage.py may have replaced os._exit by a function that saves the measurements of this copy (`patch`).
    recorder._exit = os._exit
    os.setsid()
    containment.die_with_parent()
    containment.become_subreaper()
    private_fds = Descriptors._make(recorder.hide_descriptor(fd, index) for index, fd in enumerate(descriptors))
    os.dup2(private_fds.output, 1)
    os.dup2(private_fds.errors, 2)
    work, temporary = f"{folder}/work", f"{folder}/tmp"
    os.mkdir(work)
    os.mkdir(temporary)
    os.chdir(work)
    os.environ["HOME"], os.environ["TMPDIR"] = work, temporary
    tempfile.tempdir = None
    for function in reseed:
        function()
    with os.fdopen(private_fds.job, "rb") as lines:
        job = json.loads(lines.readline())
    child = recorder.Recorder(job, private_fds.output, private_fds.errors, private_fds.journal)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    os.environ.update(job["environment"])
    time.tzset()
    child.run(private_fds.token, folder)

"""Run one snippet in a forked process."""

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
    """The open files that a child is forked with."""

    job: int  # a pipe with the job, one line of JSON
    output: int
    errors: int
    journal: int
    token: int  # a pipe with the token that ends the journal


def wait_and_run(descriptors: Descriptors, folder: str, reseed: Sequence[Callable[[], object]], frozen: int) -> None:
    """Detach from the zygote, wait for a job and run it. Does not return.

    The signals that the zygote blocks stay blocked until the job comes. `frozen` is the number of objects in the frozen heap.
    """
    # With `patch = fork`, coverage.py has replaced it with a function that saves the measurements of this process.
    recorder._exit = os._exit
    os.setsid()
    containment.die_with_parent()
    containment.become_subreaper()
    hidden = Descriptors._make(recorder.hide(fd, index) for index, fd in enumerate(descriptors))
    os.dup2(hidden.output, 1)
    os.dup2(hidden.errors, 2)
    work, temporary = f"{folder}/work", f"{folder}/tmp"
    os.mkdir(work)
    os.mkdir(temporary)
    os.chdir(work)
    os.environ["HOME"], os.environ["TMPDIR"] = work, temporary
    tempfile.tempdir = None
    for function in reseed:
        function()
    with os.fdopen(hidden.job, "rb") as lines:
        job = json.loads(lines.readline())
    child = recorder.Recorder(job, hidden.output, hidden.errors, hidden.journal)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    os.environ.update(job["environment"])
    time.tzset()
    child.run(hidden.token, folder, frozen)

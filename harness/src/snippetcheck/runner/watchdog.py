"""Watch one child from the start of its job to the end of its last process."""

from __future__ import annotations

import os
import select
import signal
import time
from pathlib import Path
from typing import Any, Protocol

from snippetcheck import outcome
from snippetcheck.engines import MEBIBYTE, Limits
from snippetcheck.runner import containment, journal
from snippetcheck.runner.child_handle import ChildHandle

_PATIENCE = 1.0  # seconds that a snippet's own processes get to end after it
_DUMP_TIME = 0.1  # seconds to write where a snippet hangs
_SHORTEST_LOOK, _LONGEST_LOOK = 0.05, 0.25  # seconds between two checks of the limits


class ClientGone(Exception):
    """The process that asked for the run has ended."""


class Jobs(Protocol):
    """The source of jobs."""

    def fileno(self) -> int:
        """Return the descriptor to poll."""

    def fill(self) -> bool:
        """Read the data that has arrived."""


class Server(Protocol):
    """The methods of the server that a watchdog uses."""

    @property
    def jobs(self) -> Jobs:
        """Return the source of jobs."""

    def prefetch_job(self) -> bool:
        """Return whether the next job has come and is being prepared."""

    def infrastructure_pids(self) -> set[int]:
        """Return the ids of the processes that belong to no snippet."""


class Watchdog:
    """Watches the child while it runs `job`, and ends what it leaves."""

    def __init__(self, child: ChildHandle, job: dict[str, Any], server: Server):
        self.child = child
        self.job = job
        self.server = server
        self.limits = Limits(**job["limits"])
        self.stopped: tuple[str, str] | None = None
        self.status = 0

    def watch(self) -> None:
        """Wait for the end of the job, and set `stopped` and `status`."""
        self.stopped = self.wait()
        if self.stopped:
            self.kill()
            return
        _, self.status = os.waitpid(self.child.pid, 0)
        self.stopped = self.leftovers()

    def wait(self) -> tuple[str, str] | None:
        """Wait for the child. Return the outcome and the reason if it exceeds a limit, else None."""
        deadline = time.monotonic() + self.job["timeout"]
        poll = select.poll()
        poll.register(self.child.handle, select.POLLIN)
        jobs = self.server.jobs.fileno()
        poll.register(jobs, select.POLLRDHUP | (0 if self.server.prefetch_job() else select.POLLIN))
        look = _SHORTEST_LOOK
        while True:
            left = deadline - time.monotonic()
            ready = dict(poll.poll(max(0, min(look, left)) * 1000))
            if ready.get(jobs, 0) & ~select.POLLIN:
                self.kill()
                raise ClientGone
            if jobs in ready:
                self.server.jobs.fill()
                if self.server.prefetch_job():
                    poll.modify(jobs, select.POLLRDHUP)
                continue
            if self.child.handle in ready:
                return None
            if exceeded := self.exceeded_limit():
                return exceeded
            if left <= 0:
                self.dump_traceback()
                return outcome.TIMED_OUT, f"ran longer than {self.job['timeout']:g} s"
            look = min(look * 1.2, _LONGEST_LOOK)

    def exceeded_limit(self) -> tuple[str, str] | None:
        """Return the outcome and the reason if the snippet takes more than it may, else None."""
        if self.child.output_size() > self.limits.output * MEBIBYTE:
            return outcome.FLOODED, journal.flood(self.job)
        pids = containment.descendants(os.getpid(), self.server.infrastructure_pids())
        if len(pids) > self.limits.processes:
            limit = f"{self.limits.processes} is the limit"
            return outcome.TOO_MANY_PROCESSES, f"had {len(pids)} processes at a time; {limit}"
        memory, threads = containment.memory_and_threads(pids)
        if threads > self.limits.threads:
            return (
                outcome.TOO_MANY_PROCESSES,
                f"had {threads} threads at a time; {self.limits.threads} is the limit",
            )
        if self.job["limit_memory"] and memory > self.limits.memory * MEBIBYTE:
            return outcome.TOO_MUCH_MEMORY, f"held more than {self.limits.memory} MiB of memory"
        size, files = containment.folder_size(self.child.folder)
        if size > containment.DISK_LIMIT or files > containment.FILES_LIMIT:
            return outcome.TOO_MUCH_DISK, containment.disk_problem(size)
        return None

    def dump_traceback(self) -> None:
        """Have the child write its traceback to stderr."""
        try:
            os.kill(self.child.pid, signal.SIGUSR1)
        except ProcessLookupError:
            return
        before = self.child.output_size()
        deadline = time.monotonic() + _DUMP_TIME
        while time.monotonic() < deadline and self.child.output_size() == before:
            time.sleep(0.005)
        time.sleep(0.01)

    def leftovers(self) -> tuple[str, str] | None:
        """End what outlived the child; the run fails if something did not end by itself."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            containment.reap()
            self.child.output_size()  # it may wait for room in a pipe
            # A process that has ended may have left another one that this look has missed.
            children = containment.children()
            if children and children <= self.server.infrastructure_pids():
                return None  # the usual case: an orphan would be a child of the server
            pids = containment.descendants(os.getpid(), self.server.infrastructure_pids(), zombies=True)
            if not pids:
                return None
            if time.monotonic() > deadline:
                names = sorted({_name(pid) for pid in pids})
                self.kill()
                return outcome.LEFT_RUNNING, f"left running: {', '.join(names)}"
            time.sleep(0.005)

    def kill(self) -> None:
        """End every process of the snippet."""
        containment.kill_all(os.getpid(), self.server.infrastructure_pids(), group=self.child.pid)


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return "?"

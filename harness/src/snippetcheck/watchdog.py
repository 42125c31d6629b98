"""Watches over one child from its job to the end of the last of its processes."""

from __future__ import annotations

import os
import select
import signal
import time
from pathlib import Path
from typing import Any, Protocol

from snippetcheck import containment, journal, outcome
from snippetcheck.forked import Forked
from snippetcheck.limits import MEBIBYTE, Limits

_PATIENCE = 1.0  # seconds that a snippet's own processes get to end after it
_DUMP_TIME = 0.1  # seconds to write where a snippet hangs
_SHORTEST_LOOK, _LONGEST_LOOK = 0.05, 0.25  # seconds between two looks at what it takes


class ClientGone(Exception):
    """The process that asked for the run has ended."""


class Jobs(Protocol):
    """Where jobs come from."""

    def fileno(self) -> int:
        """To be polled."""

    def fill(self) -> bool:
        """Read what has come."""


class Server(Protocol):
    """What a watchdog asks of the process that it works in."""

    @property
    def jobs(self) -> Jobs:
        """Where they come from."""

    def take_ahead(self) -> bool:
        """Whether the next job has come, and is being prepared."""

    def others(self) -> set[int]:
        """The processes that are no snippet's."""


class Watchdog:
    """The child `forked` at work on `job`."""

    def __init__(self, forked: Forked, job: dict[str, Any], server: Server, limits: Limits):
        self.forked = forked
        self.job = job
        self.server = server
        self.limits = limits
        self.stopped: tuple[str, str] | None = None
        self.status = 0
        self.is_dying = False  # the child is over and its process about to end

    def watch(self) -> None:
        """Wait until all is over. Sets `stopped`, `status` and `is_dying`."""
        self.stopped = self.wait()
        if self.is_dying:
            return
        if self.stopped:
            self.kill()
            return
        _, self.status = os.waitpid(self.forked.pid, 0)
        self.stopped = self.leftovers()

    def wait(self) -> tuple[str, str] | None:
        """Wait for the child; the outcome and the reason if it must not run on."""
        deadline = time.monotonic() + self.job["timeout"]
        poll = select.poll()
        poll.register(self.forked.handle, select.POLLIN)
        poll.register(self.forked.done, select.POLLIN)
        jobs = self.server.jobs.fileno()
        poll.register(jobs, select.POLLRDHUP | (0 if self.server.take_ahead() else select.POLLIN))
        look = _SHORTEST_LOOK
        while True:
            left = deadline - time.monotonic()
            ready = dict(poll.poll(max(0, min(look, left)) * 1000))
            if ready.get(jobs, 0) & ~select.POLLIN:
                self.kill()
                raise ClientGone
            if jobs in ready:
                self.server.jobs.fill()
                if self.server.take_ahead():
                    poll.modify(jobs, select.POLLRDHUP)
                continue
            if self.forked.handle in ready:
                return None
            if self.forked.done in ready:
                poll.unregister(self.forked.done)
                self.is_dying = self.is_all_over()
                if self.is_dying:
                    return None
                continue
            excess = self.excess()
            if excess:
                return excess
            if left <= 0:
                self.ask_where()
                return outcome.TIMED_OUT, f"ran longer than {self.job['timeout']:g} s"
            look = min(look * 1.2, _LONGEST_LOOK)

    def is_all_over(self) -> bool:
        """Whether the child has said so, truly, and nothing that it has started can outlive it.

        What the child has let go of, though it is to keep it, is a child of the server by now.
        """
        if os.read(self.forked.done, 1) != b"." or not journal.is_done(self.forked):
            return False
        return containment.children() <= {self.forked.pid, *self.server.others()}

    def excess(self) -> tuple[str, str] | None:
        """What the snippet has too much of, if anything."""
        if self.forked.output_size() > containment.OUTPUT_LIMIT:
            return outcome.FLOODED, journal.flood()
        pids = containment.descendants(os.getpid(), self.server.others())
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
        size, files = containment.folder_size(self.forked.folder)
        if size > containment.DISK_LIMIT:
            return outcome.TOO_MUCH_DISK, f"wrote more than {containment.DISK_LIMIT // MEBIBYTE} MiB to its folder"
        if files > containment.FILES_LIMIT:
            return outcome.TOO_MUCH_DISK, f"made more than {containment.FILES_LIMIT} files in its folder"
        return None

    def ask_where(self) -> None:
        """Let the child write to stderr where it hangs."""
        try:
            os.kill(self.forked.pid, signal.SIGUSR1)
        except ProcessLookupError:
            return
        before = self.forked.output_size()
        deadline = time.monotonic() + _DUMP_TIME
        while time.monotonic() < deadline and self.forked.output_size() == before:
            time.sleep(0.005)
        time.sleep(0.01)

    def leftovers(self) -> tuple[str, str] | None:
        """End what outlived the child; the run fails if something did not end by itself."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            containment.reap()
            self.forked.output_size()  # it may wait for room in a pipe
            # A process that has ended may have left another one that this look has missed.
            pids = containment.descendants(os.getpid(), self.server.others(), zombies=True)
            if not pids:
                return None
            if time.monotonic() > deadline:
                names = sorted({_name(pid) for pid in pids})
                self.kill()
                return outcome.LEFT_RUNNING, f"left running: {', '.join(names)}"
            time.sleep(0.005)

    def kill(self) -> None:
        """End every process of the snippet."""
        containment.kill_all(os.getpid(), self.server.others(), group=self.forked.pid)


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return "?"

"""Watch one child from the start of its job to the end of its last process."""

from __future__ import annotations

import os
import select
import signal
import socket
import time
from pathlib import Path
from typing import Any

from snippetcheck import outcome
from snippetcheck.runner import containment
from snippetcheck.runner.child_handle import ChildHandle
from snippetcheck.runner.limits import exceeded_limit

_PATIENCE = 1.0  # seconds that a snippet's own processes get to end after it
_DUMP_TIME = 0.1  # seconds to write where a snippet hangs
_SHORTEST_INTERVAL, _LONGEST_INTERVAL = 0.05, 0.25  # seconds between two checks of the limits


class Watchdog:
    """Watches the child while it runs `job`, and ends processes that outlive it.

    Args:
        connection: to the client; the child is ended when the client closes it.
        spared: the ids of the processes that belong to no snippet.
    """

    def __init__(self, child: ChildHandle, job: dict[str, Any], connection: socket.socket, spared: set[int]):
        self.child, self.job, self.connection, self.spared = child, job, connection, spared
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
        """Wait for the child. Return the outcome and the reason if it exceeds a limit, else None.

        Raises ConnectionError if the client ends.
        """
        deadline = time.monotonic() + self.job["timeout"]
        poll = select.poll()
        poll.register(self.child.handle, select.POLLIN)
        poll.register(self.connection, select.POLLRDHUP)
        interval = _SHORTEST_INTERVAL
        while True:
            left = deadline - time.monotonic()
            ready = {fd for fd, _ in poll.poll(max(0, min(interval, left)) * 1000)}
            if self.connection.fileno() in ready:
                self.kill()
                raise ConnectionError("the client has ended")
            if self.child.handle in ready:
                return None
            if exceeded := self.exceeded_limit():
                return exceeded
            if left <= 0:
                self.dump_traceback()
                return outcome.TIMED_OUT, f"ran longer than {self.job['timeout']:g} s"
            interval = min(interval * 1.2, _LONGEST_INTERVAL)

    def exceeded_limit(self) -> tuple[str, str] | None:
        """Return the outcome and the reason if the snippet exceeds a limit, else None."""
        pids = [self.child.pid]
        if containment.children(os.getpid()) != {*pids, *self.spared} or containment.children(pids[0]) != set():
            pids = containment.descendants(os.getpid(), self.spared)  # slow: it reads all of /proc
        memory, threads = containment.memory_and_threads(pids)
        return exceeded_limit(self.job, self.child.folder, self.child.output_size(), len(pids), threads, memory)

    def dump_traceback(self) -> None:
        """Make the child write its traceback to stderr, and wait for it."""
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
        """Wait for processes that outlive the child. If some do not end, kill all; return the outcome and the reason."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            containment.reap()
            self.child.output_size()  # it may wait for room in a pipe
            # An ended process may have started another one, which this check has missed.
            if (children := containment.children(os.getpid())) and children <= self.spared:
                return None  # the usual case: an orphan would be a child of the server
            pids = containment.descendants(os.getpid(), self.spared, zombies=True)
            if not pids:
                return None
            if time.monotonic() > deadline:
                names = sorted({_name(pid) for pid in pids})
                self.kill()
                return outcome.LEFT_RUNNING, f"left running: {', '.join(names)}"
            time.sleep(0.005)

    def kill(self) -> None:
        """End every process of the snippet."""
        containment.kill_all(os.getpid(), self.spared, group=self.child.pid)


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return "?"

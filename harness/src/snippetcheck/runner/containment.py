"""Limit the processes of a snippet and end all of them.

The server of an engine is the subreaper of all processes that a snippet starts: a process that forks twice or starts a
session remains a descendant of the server. Where there is no /proc, only `limit_resources`, `folder_size`, `remove_folder`
and `flush_c_stream` have an effect.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import shutil
import signal
import stat
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from snippetcheck.engines import MEBIBYTE

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

FILE_LIMIT = 64 * MEBIBYTE  # bytes of one file that a program writes
DISK_LIMIT = 256 * MEBIBYTE  # bytes in the folder of a program
FILES_LIMIT = 20_000  # files and folders in the folder of a program
_KILL_TIME = 10.0  # seconds to try to kill all processes of a program

SHARED_MEMORY = Path("/dev/shm")
# Makes a process write its traceback. Programs hardly use it, unlike SIGUSR1. macOS lacks the first, and Windows both.
DUMP_SIGNAL = getattr(signal, "SIGRTMAX", getattr(signal, "SIGINFO", 0))

_CLONE_NEWNS, _CLONE_NEWIPC = 0x0002_0000, 0x0800_0000
_MS_NOSUID, _MS_NODEV, _MS_REC, _MS_PRIVATE = 2, 4, 0x4000, 1 << 18
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_STATUS = re.compile(rb"^(RssAnon|RssShmem|Threads):\s*(\d+)", re.MULTILINE)
_libc = ctypes.CDLL(None if os.name == "posix" else "ucrtbase", use_errno=True)
flush_c_stream = _libc.fflush  # looked up before a program runs; None stands for all streams


def become_subreaper() -> None:
    """Make this process the parent of descendants whose parent ends. Raises OSError if the kernel refuses."""
    if _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "cannot become the parent of orphaned processes: prctl failed")


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent ends."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def use_private_shared_memory(size: int) -> bool:
    """Give this process and its descendants a private /dev/shm of `size` bytes. Return whether this was permitted."""
    if _libc.unshare(_CLONE_NEWNS | _CLONE_NEWIPC) != 0:
        return False  # root only
    if _libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None) != 0:
        return False
    options = f"size={size}".encode()
    return bool(_libc.mount(b"tmpfs", bytes(SHARED_MEMORY), b"tmpfs", _MS_NOSUID | _MS_NODEV, options) == 0)


def limit_resources(job: Mapping[str, Any]) -> None:
    """Limit address space, open files, file size and core dumps of this process and of its later children.

    The first two limits are those of the job; 0 is no limit. The limit of address space is in addition to what this process
    has reserved; a snippet that needs cuda has none. A limit that the system refuses or does not know is left out: on
    Windows, all are.
    """
    if resource is None:
        return
    statm = Path("/proc/self/statm")
    bytes_in_use = int(statm.read_text().split()[0]) * resource.getpagesize() if statm.exists() else 0
    additional_bytes = job["limits"]["address_space"] * MEBIBYTE
    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: FILE_LIMIT}
    if additional_bytes and bytes_in_use and job["limit_memory"]:
        limits[resource.RLIMIT_AS] = bytes_in_use + additional_bytes
    if job["limits"]["open_files"]:
        limits[resource.RLIMIT_NOFILE] = job["limits"]["open_files"]
    for resource_kind, limit in limits.items():
        _, hard_limit = resource.getrlimit(resource_kind)
        limit = limit if hard_limit == resource.RLIM_INFINITY else min(limit, hard_limit)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource_kind, (limit, limit))


def descendants(
    root: int, zygote: int | None = None, child: int | None = None, with_zombies: bool = False
) -> list[int]:
    """Return the ids of the descendants of the process `root`.

    Args:
        zygote: a process that is left out with its descendants, except the process `child` and those below it.
        with_zombies: whether to include processes that have ended and whose parent has not yet read their exit status.
    """
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            fields = Path(f"/proc/{entry}/stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        pid, parent = int(entry), int(fields[1])
        if (pid, parent) == (child, zygote):
            parent = root
        children.setdefault(parent, []).append(pid if fields[0] != b"Z" else -pid)
    pids: list[int] = []
    pending_pids = [root]
    while pending_pids:
        for pid in children.get(pending_pids.pop(), []):
            if abs(pid) == zygote:
                continue
            pending_pids.append(abs(pid))
            if pid > 0 or with_zombies:
                pids.append(abs(pid))
    return pids


def memory_and_threads(pids: list[int]) -> tuple[int, int]:
    """Return the memory of these processes in bytes, without mapped files, and the number of their threads."""
    kibibytes = threads = 0
    for pid in pids:
        try:
            status = Path(f"/proc/{pid}/status").read_bytes()
        except OSError:
            continue
        values = dict(_STATUS.findall(status))
        kibibytes += int(values.get(b"RssAnon", 0)) + int(values.get(b"RssShmem", 0))
        threads += int(values.get(b"Threads", 0))
    return kibibytes * 1024, threads


def children(pid: int) -> set[int] | None:
    """Return the ids of the children of a process, including ended ones; None if they cannot be read."""
    try:
        lists = [(thread / "children").read_bytes() for thread in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:  # the kernel does not list children, or a thread has ended meanwhile
        return None
    return set(map(int, b" ".join(lists).split()))


def kill_all(root: int, zygote: int | None = None, child: int | None = None) -> None:
    """Kill the `descendants` of the process `root` and the process group of `child`, and reap those that are children of this process.

    All are stopped before they are killed; otherwise a fork bomb could fork faster than it is killed. After _KILL_TIME, this
    function gives up.
    """
    if child is not None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)
    deadline = time.monotonic() + _KILL_TIME
    stopped_pids: set[int] = set()
    while time.monotonic() < deadline:
        new_pids = [pid for pid in descendants(root, zygote, child) if pid not in stopped_pids]
        if not new_pids:
            break
        for pid in new_pids:
            _signal(pid, signal.SIGSTOP)
        stopped_pids.update(new_pids)
    while time.monotonic() < deadline:
        reap()
        pids_left = descendants(root, zygote, child)
        if not pids_left:
            break
        for pid in pids_left:
            _signal(pid, signal.SIGKILL)
        time.sleep(0.002)
    reap()


def wait(pid: int) -> int:
    """Wait for the child process `pid`, and return its exit code, negative for a signal; -SIGKILL if another has reaped it."""
    try:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    except ChildProcessError:
        return -signal.SIGKILL


def reap() -> None:
    """Reap the ended children of this process."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass


def kill_marked(marker: str, folder: Path) -> None:
    """Kill the processes that `marked_processes` returns, until it returns none, at most for about a second."""
    for _ in range(100):
        pids = marked_processes(marker, folder)
        if not pids:
            return
        for pid in pids:
            _signal(pid, signal.SIGKILL)
        time.sleep(0.01)


def marked_processes(marker: str, folder: Path) -> list[int]:
    """Return the ids of other processes with `marker` in their environment or a working directory at or below `folder`.

    Processes that have ended are left out. Without /proc, the list is empty.
    """
    names = os.listdir("/proc") if os.path.isdir("/proc") else []
    return [int(name) for name in names if name.isdigit() and _is_marked(name, marker, folder)]


def _is_marked(pid: str, marker: str, folder: Path) -> bool:
    if int(pid) == os.getpid():
        return False
    try:
        is_zombie = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] == b"Z"
        has_marker = marker.encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        return not is_zombie and (has_marker or f"{os.readlink(f'/proc/{pid}/cwd')}/".startswith(f"{folder}/"))
    except OSError:
        return False


def folder_size(folder: Path) -> tuple[int, int]:
    """Return the disk space in bytes of the files below `folder`, and the number of entries. Stop beyond DISK_LIMIT or FILES_LIMIT."""
    size = count = 0
    pending_folders = [str(folder)]
    while pending_folders:
        with contextlib.suppress(OSError), os.scandir(pending_folders.pop()) as entries:
            for entry in entries:
                count += 1
                if entry.is_dir(follow_symlinks=False):
                    pending_folders.append(entry.path)
                else:
                    size += entry.stat(follow_symlinks=False).st_blocks * 512
                if size > DISK_LIMIT or count > FILES_LIMIT:
                    return size, count
    return size, count


def remove_folder(folder: Path) -> None:
    """Remove a folder, even if a snippet changed its permissions, or replaced it by a file or a link."""
    with contextlib.suppress(OSError):
        os.rmdir(folder)  # the usual case: nothing was written
        return
    if not os.path.isdir(folder) or os.path.islink(folder):  # the target of a link is not removed
        with contextlib.suppress(FileNotFoundError):
            os.unlink(folder)
        return
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        os.chmod(folder, stat.S_IRWXU)
        subprocess.run(["chmod", "-R", "u+rwX", "--", str(folder)], check=False, capture_output=True)
        subprocess.run(["rm", "-rf", "--", str(folder)], check=False, capture_output=True)


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)

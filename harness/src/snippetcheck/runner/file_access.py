"""Record the files that a program reads, so that a cached run is not used after they change."""

from __future__ import annotations

import os
import sys
from importlib.util import source_from_cache
from typing import Any

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_OPEN_EVENTS = frozenset(["open", "os.listdir", "os.scandir"])
_INSTALLED_PREFIXES = (f"{sys.prefix}/", f"{sys.base_prefix}/")
_START_EVENTS = frozenset(["subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"])
_LIBRARY = os.path.dirname(os.__file__)
# Saved, since a program may replace these functions.
_fsdecode, _getcwd, _normpath, _stat = os.fsdecode, os.getcwd, os.path.normpath, os.stat
_getframe, _getrusage = sys._getframe, resource and resource.getrusage
_SYSTEM_PREFIXES = ("/proc/", "/dev/", "/sys/")


class Reads:
    """Records the paths of the files and folders that this process reads.

    Args:
        program: the path of the program's own file.
        private_folders: `paths_read` leaves out the files in these.

    Attributes:
        read_own_source: whether the program opened its own file, or passed the name of this file to a program other than
            Python. Reads by a package, such as torch.compile, do not count.
        used_unobserved_source: whether the program used the network, or SQLite, which opens files without audit events.
    """

    def __init__(self, program: str, *private_folders: str):
        self.program, self.read_own_source = program, False
        self.identity = _identity(program)
        self.private_folders = tuple(f"{folder}/" for folder in private_folders)
        self.paths: set[str] = set()
        self.used_unobserved_source = False
        sys.addaudithook(self.note)

    def note(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Handle an audit event of Python: note an opened file, a listed folder, a started program, or a connection."""
        if event in _OPEN_EVENTS:
            path = arguments[0]
            if path is None:
                path = "."
            if not isinstance(path, int):
                name = _absolute(_fsdecode(path))
                self.paths.add(name)
                is_installed = name.startswith(_INSTALLED_PREFIXES)
                if name == self.program or (not is_installed and self.identity and _identity(name) == self.identity):
                    self.read_own_source |= _opener() == self.program
        elif event in _START_EVENTS:
            command = str(arguments)
            self.read_own_source |= self.program.rpartition("/")[2] in command and sys.executable not in command
        elif event == "socket.connect" or (event == "sqlite3.connect" and arguments[0] != ":memory:"):
            self.used_unobserved_source = True

    def paths_read(self) -> list[str] | None:
        """Return the sorted paths that were read, for a cached `.pyc` file its source; None if there may be unobserved reads.

        Files in private folders, installed files, and files in /proc, /dev and /sys are left out. Reads by child
        processes, by SQLite or from the network are not observed.
        """
        if self.used_unobserved_source or not _getrusage or _getrusage(resource.RUSAGE_CHILDREN).ru_minflt:
            return None
        prefixes = (*self.private_folders, *_SYSTEM_PREFIXES, *_INSTALLED_PREFIXES)
        return sorted(_source(path) for path in list(self.paths) if not path.startswith(prefixes))


def _absolute(path: str) -> str:
    """Return the absolute path like `os.path.abspath`, but without functions that a program may have replaced."""
    return _normpath(path if path.startswith("/") else f"{_getcwd()}/{path}")


def _identity(path: str) -> tuple[int, int] | None:
    """Return the device and the inode of a file; None if they cannot be read."""
    try:
        status = _stat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def _opener() -> str:
    """Return the path of the file whose code called the function of the standard library that opens a file."""
    frame = _getframe(2)
    while (
        frame.f_back
        and frame.f_code.co_filename.startswith((_LIBRARY, "<frozen"))
        and "site-packages" not in frame.f_code.co_filename
    ):
        frame = frame.f_back
    return frame.f_code.co_filename


def _source(path: str) -> str:
    """Return the path of the source for a `.pyc` file in __pycache__; any other path unchanged."""
    try:
        return source_from_cache(path) if path.endswith(".pyc") else path
    except ValueError:
        return path

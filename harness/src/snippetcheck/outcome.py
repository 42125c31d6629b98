"""The record of a run: its statements and its outcome."""

from __future__ import annotations

import builtins
import hashlib
import os
from dataclasses import asdict, dataclass
from typing import Any

# Outcomes of a run. Only FINISHED means that the last statement ran as expected, and that the process ended by itself.
FINISHED = "finished"
RAISED = "raised"  # a statement raised an error that is not expected
EXITED = "exited"  # the program ended its process before the end of the last statement
CRASHED = "crashed"  # a signal ended the process
TIMED_OUT = "timed out"
FLOODED = "flooded"  # printed more than its limit
TOO_MANY_PROCESSES = "too many processes"
TOO_MUCH_MEMORY = "too much memory"
TOO_MUCH_DISK = "too much disk"
LEFT_RUNNING = "left running"  # a process that the snippet started outlived it
FORKED = "forked"  # the snippet forked and let the copy go on with the program
TAMPERED = "tampered"  # the snippet wrote into the journal of its run
SERVER_LOST = "server lost"  # the snippet ended or stopped the server of the engine
HARNESS_FAILED = "harness failed"


@dataclass(frozen=True)
class RaisedError:
    """An exception that ended a statement. `text` is its traceback, or empty if the exception was expected.

    The message of an exception group ends with its members, each indented by three spaces.
    """

    type: str  # the bare name of its class
    qualified: str  # module and qualified name of its class
    message: str
    line: int | None  # in the program, None if it is unknown
    text: str = ""
    is_group: bool = False
    is_success: bool = False  # a SystemExit with status 0, after which Python prints nothing

    @property
    def name(self) -> str:
        """Return the name of the class as a traceback prints it, such as `json.decoder.JSONDecodeError`."""
        return traceback_name(self.qualified) or self.type

    @property
    def summary(self) -> str:
        """Return the class and the message, as in the last line of a traceback."""
        return f"{self.name}: {self.message}" if self.message else self.name

    @property
    def short_summary(self) -> str:
        """Return the summary without the module of the class."""
        return f"{self.type}: {self.message}" if self.message else self.type


@dataclass(frozen=True)
class StatementRun:
    """The output, error and warnings of one top-level statement."""

    output: str
    stderr: str
    error: RaisedError | None
    warnings: tuple[tuple[str, str], ...]  # (name of the class with its module, message) of each warning
    has_ended: bool = True  # False: the process ended while the statement ran
    thread_warnings: tuple[tuple[str, str], ...] = ()  # the same, of warnings in other threads while the statement ran

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> StatementRun:
        """Create the run of a statement from its fields as plain values."""
        error = RaisedError(**values["error"]) if values["error"] else None
        warnings = {key: tuple(map(tuple, values[key])) for key in ("warnings", "thread_warnings")}
        return cls(**{**values, "error": error, **warnings})


@dataclass(frozen=True)
class Run:
    """A run of a snippet on an engine. `statements` has no entry for statements that were not reached."""

    engine: str
    outcome: str
    detail: str
    statements: tuple[StatementRun, ...]
    tail_output: str = ""  # printed after the last statement: by threads, or at exit
    tail_stderr: str = ""
    seconds: float = 0.0
    # Checksums by path of the files that the program read, without installed packages; None if the paths are incomplete.
    reads: dict[str, str] | None = None
    reads_itself: bool = False  # whether the program opened its own file
    date: str = ""  # when the Runner received the run, in ISO 8601

    def to_json(self) -> dict[str, Any]:
        """Return the run as values for JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Run:
        """Create a run from the result of `to_json`, also after a conversion to JSON and back."""
        return cls(**{**values, "statements": tuple(map(StatementRun.from_json, values["statements"]))})


def is_builtin(name: str) -> bool:
    """Return whether `name` is a built-in exception or warning."""
    return isinstance(getattr(builtins, name, None), type) and issubclass(getattr(builtins, name), BaseException)


def traceback_name(qualified: str) -> str:
    """Return a class name with module as a traceback prints it, but `__main__.X` for a class that hides the built-in X."""
    name = qualified.removeprefix("builtins.")
    bare_name = name.removeprefix("__main__.")
    return name if bare_name != name and is_builtin(bare_name) else bare_name


def warning_name(qualified: str) -> str:
    """Return the name of a warning class as Python prints it: without its module, unless a built-in class has this name."""
    bare_name = qualified.rpartition(".")[2]
    return traceback_name(qualified) if is_builtin(bare_name) else bare_name


def checksum(path: str) -> str:
    """Return a checksum of the content of a file or of the names in a folder; "missing" or a reason if there is nothing to read."""
    try:
        if os.path.isdir(path):
            return hashlib.sha256("\0".join(sorted(os.listdir(path))).encode("utf-8", "surrogateescape")).hexdigest()
        if not os.path.isfile(path):
            return "missing"
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return f"cannot be read: {error.errno}"

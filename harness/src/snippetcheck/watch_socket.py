"""The socket on which the watch mode makes runs for others: its engines are imported already.

A request and its answer are one line of JSON each:

    {"engine": "torch", "key": "...", "path": "...", "name": "...", "text": "..."}  ->  {"run": {...}} or {"refused": "..."}

The key is that of `cache.engine_key`. The watch mode makes a run only with an engine that was imported under that very key, so that
what is kept under it is as fresh as a run of one's own.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from snippetcheck.outcome import Run
from snippetcheck.snippet import Snippet

_PATIENCE = 5.0  # seconds for a request to come in once somebody has connected
_ROOM = 130.0  # seconds beyond a snippet's timeout: the engine may have to be imported first

Answer = Callable[[dict[str, Any]], dict[str, Any]]


class WatchSocket:
    """The side of the watch mode. Of two watch modes in one project the first serves."""

    def __init__(self, folder: Path, answer: Answer):
        self.answer = answer
        self.folder = folder
        self.selector = selectors.DefaultSelector()
        self.listening: socket.socket | None = None

    def __enter__(self) -> WatchSocket:
        with contextlib.suppress(OSError):
            self.folder.mkdir(exist_ok=True)
            with _address(self.folder) as address:
                if _connected(address) is None:
                    with contextlib.suppress(FileNotFoundError):
                        os.unlink(address)
                    self.listening = socket.socket(socket.AF_UNIX)
                    self.listening.bind(address)
                    os.chmod(address, 0o600)
                    self.listening.listen()
                    self.selector.register(self.listening, selectors.EVENT_READ)
        return self

    def __exit__(self, *exception: object) -> None:
        self.selector.close()
        if self.listening:
            self.listening.close()
            with _address(self.folder) as address, contextlib.suppress(OSError):
                os.unlink(address)

    def serve(self, seconds: float) -> None:
        """Wait so long for a request, and answer what has come."""
        for _ in self.selector.select(seconds):
            assert self.listening
            connection, _ = self.listening.accept()
            with connection, contextlib.suppress(OSError):
                connection.settimeout(_PATIENCE)
                with connection.makefile("rb") as lines:
                    connection.sendall(json.dumps(self.answered(lines.readline())).encode() + b"\n")

    def answered(self, line: bytes) -> dict[str, Any]:
        try:
            request = json.loads(line)
            if all(isinstance(request[key], str) for key in ("engine", "key", "path", "name", "text")):
                return self.answer(request)
        except (ValueError, KeyError, TypeError):
            pass
        return {"refused": "it was asked for something that is no run"}


def ask(folder: Path, snippet: Snippet, engine: str, key: str) -> Run | str:
    """The run of a snippet by the watch mode whose socket is in `folder`, or why there is none; empty if none is watching."""
    with _address(folder) as address:
        connection = _connected(address)
    if connection is None:
        return ""
    request = {
        "engine": engine,
        "key": key,
        "path": str(snippet.path.resolve()),
        "name": snippet.name,
        "text": snippet.text,
    }
    try:
        with connection, connection.makefile("rb") as lines:
            connection.settimeout(snippet.manifest.timeout + _ROOM)
            connection.sendall(json.dumps(request).encode() + b"\n")
            answer = json.loads(lines.readline())
            return Run.from_json(answer["run"]) if "run" in answer else str(answer["refused"])
    except (OSError, ValueError, KeyError, TypeError):
        return "it has ended, or gave no answer"


def _connected(address: str) -> socket.socket | None:
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.settimeout(_PATIENCE)
        connection.connect(address)
    except OSError:
        connection.close()
        return None
    return connection


@contextlib.contextmanager
def _address(folder: Path) -> Iterator[str]:
    """The address of the socket in a folder. One that names a long path would be cut: it has room for 107 bytes."""
    try:
        descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    except OSError:
        yield str(folder / "watch.sock")  # nobody can be there
        return
    try:
        yield f"/proc/self/fd/{descriptor}/watch.sock"
    finally:
        os.close(descriptor)

"""Starts the servers of the engines and hands them snippets."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from types import TracebackType

from harness import containment, record
from harness.engines import Engine
from harness.record import Run
from harness.snippet import Snippet

_START_TIME = 120.0  # seconds for an engine to be imported
_GRACE = 10.0  # seconds that a server may take longer than the snippet's own timeout

_KEPT_ENVIRONMENT = ("PATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_HOME")


class EngineError(Exception):
    """An engine that cannot be started."""


class EngineServer:
    """The process of one engine, started on first use. Runs come back in the order of `submit`."""

    def __init__(self, engine: Engine):
        self.engine = engine
        self.versions: dict[str, str] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting: deque[Snippet] = deque()
        self._failure = ""
        self.marker = f"SNIPPET_RUN={secrets.token_hex(8)}"  # in the environment of all it starts
        self.folder = Path()

    @property
    def pid(self) -> int | None:
        """The id of the server's process, if it runs."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Import the engine, if that is not done yet. Raises EngineError if it cannot be imported."""
        if self._process is not None:
            return
        if self._failure:
            raise EngineError(self._failure)
        ours, theirs = socket.socketpair()
        self.folder = Path(tempfile.mkdtemp(prefix="snippet-server-"))
        package = str(Path(__file__).resolve().parents[1])
        program = (
            f"import sys; sys.path[:1] = [{package!r}]; from harness.server import main;"
            f" main({theirs.fileno()}, sys.argv[1])"
        )
        settings = asdict(self.engine)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", program, json.dumps(settings)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=self._environment(),
                cwd=self.folder,
                start_new_session=True,
            )
        finally:
            theirs.close()
        self._socket = ours
        self._lines = ours.makefile("rb")
        ours.settimeout(_START_TIME)
        try:
            greeting = json.loads(self._lines.readline() or b"{}")
        except TimeoutError:
            greeting = {"failed": f"it took more than {_START_TIME:g} s"}
        if "ready" not in greeting:
            self.close()
            reason = greeting.get("failed", "it ended before it was ready")
            self._failure = f"engine {self.engine.name!r} cannot be imported:\n{reason}"
            raise EngineError(self._failure)
        self.versions = greeting["ready"]

    def submit(self, snippet: Snippet) -> None:
        """Let the server run `snippet`; its `Run` is fetched with `result`."""
        self.start()
        job = {
            "path": str(snippet.path.resolve()),
            "text": snippet.text,
            "statements": len(snippet.statements),
            "may_raise": [index for index, one in enumerate(snippet.statements) if one.error],
            "timeout": snippet.manifest.timeout,
            "limit_memory": "cuda" not in snippet.manifest.needs,
        }
        self._waiting.append(snippet)
        # A server that is lost shows when the result is read.
        with contextlib.suppress(OSError):
            self._socket.sendall(json.dumps(job).encode() + b"\n")

    def result(self) -> Run:
        """The run of the snippet that was submitted first and not fetched yet."""
        snippet = self._waiting.popleft()
        self._socket.settimeout(snippet.manifest.timeout + _GRACE)
        try:
            line = self._lines.readline()
            if line.endswith(b"\n"):
                return Run.from_json(json.loads(line))
            detail = "took the process with it that watches over it"
        except TimeoutError:
            detail = "stopped the process that watches over it"
            if self._process:
                self._process.kill()
        except ConnectionError:
            detail = "took the process with it that watches over it"
        others = list(self._waiting)
        self.close()
        for other in others:
            self.submit(other)
        return Run(self.engine.name, record.SERVER_LOST, detail, ())

    def run(self, snippet: Snippet) -> Run:
        """Run one snippet and wait for it."""
        self.submit(snippet)
        return self.result()

    def close(self) -> None:
        """End the server and whatever it has running; the next `submit` starts it anew."""
        self._waiting.clear()
        self._failure = ""
        if self._process is None:
            return
        self._lines.close()
        self._socket.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.returncode != 0:
            containment.kill_marked(self.marker)
        self._process = None
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> EngineServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _environment(self) -> dict[str, str]:
        """What a reader's shell would have, without what belongs to this machine or this run."""
        kept = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
        marker, _, value = self.marker.partition("=")
        return kept | {
            "HOME": str(self.folder),
            "TMPDIR": str(self.folder),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "COLUMNS": "80",
            "LINES": "24",
            "MPLBACKEND": "Agg",
            "PYTHONHASHSEED": "0",
            "OMP_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            # Huge pages make the copy of the page table at each fork three times as fast.
            "PYTHONMALLOC": "malloc",
            "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
            marker: value,
        }


@contextlib.contextmanager
def servers(engines: list[Engine]) -> Iterator[dict[str, EngineServer]]:
    """One server per engine, by name; all are ended on leaving."""
    with contextlib.ExitStack() as stack:
        yield {engine.name: stack.enter_context(EngineServer(engine)) for engine in engines}


def with_text(snippet: Snippet, text: str) -> Snippet:
    """The snippet with another text and the same statements; for runs of what is not on disk."""
    return replace(snippet, text=text)

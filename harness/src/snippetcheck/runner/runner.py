"""Return the runs of snippets: from the cache if nothing has changed, else from the client of the engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from snippetcheck.cache import Cache
from snippetcheck.conditions import unmet_condition
from snippetcheck.engines import SUBPROCESS, Engine, find
from snippetcheck.outcome import Run
from snippetcheck.runner.subprocess_client import SubprocessClient
from snippetcheck.settings import CUDA, Settings
from snippetcheck.snippet import Snippet

if TYPE_CHECKING:
    from snippetcheck.runner.client import EngineClient


_Key = tuple[str, str, str]  # the name and the text of a snippet, and the name of an engine


class Runner:
    """Runs each snippet only once per engine, until its text changes or `forget` is called.

    All runs have the same hash seed and time zone.

    Args:
        cache: where runs are read and written; None for no cache.
        hash_seed, time_zone: see `snippetcheck.runner.jobs.Client`.
    """

    def __init__(self, settings: Settings, cache: Cache | None = None, hash_seed: int = 0, time_zone: str = "UTC"):
        self.settings = settings
        self.cache = cache
        self.clients = {name: _client(engine, hash_seed, time_zone) for name, engine in settings.engines.items()}
        self._jobs: dict[_Key, int] = {}  # the ids of the submitted jobs
        self._runs: dict[_Key, Run] = {}  # finished or cached
        self._uncached_keys: set[_Key] = set()  # runs for which the cache is not read

    def start_engines(self, names: Iterable[str]) -> None:
        """Start importing these engines, unless there is a cache: cached runs may be enough."""
        for name in names if not self.cache else ():
            self.clients[name].launch()

    def submit(self, snippet: Snippet, engine: str) -> None:
        """Start a run, unless it is finished, pending or cached. Raises EngineError if the engine cannot be imported."""
        key = _key(snippet, engine)
        if key in self._runs or (key in self._jobs and self.clients[engine].has_job(self._jobs[key])):
            return
        if self.cache and key not in self._uncached_keys:
            if cached_run := self.cache.get(snippet, self.settings.engines[engine]):
                self._runs[key] = cached_run
                return
        self._jobs[key] = self.clients[engine].submit(snippet)

    def forget(self, snippet: Snippet, engine: str) -> None:
        """Make the next `submit` run the snippet again, even if a run is finished or cached."""
        self._runs.pop(_key(snippet, engine), None)
        self._uncached_keys.add(_key(snippet, engine))

    def result(self, snippet: Snippet, engine: str) -> Run:
        """Return the run of a snippet on an engine, and wait for it if necessary. A new run gets its date and is cached.

        Raises EngineError if the engine cannot be started.
        """
        self.submit(snippet, engine)
        key = _key(snippet, engine)
        if key not in self._runs:
            date = datetime.now(UTC).isoformat(timespec="seconds")
            self._runs[key] = replace(self.clients[engine].result(self._jobs[key]), date=date)
            if self.cache:
                self.cache.put(snippet, self.settings.engines[engine], self._runs[key])
        return self._runs[key]

    def close(self) -> None:
        """End the processes of all clients, and remove old entries of the cache."""
        for client in self.clients.values():
            client.close()
        if self.cache:
            self.cache.prune()

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _client(engine: Engine, hash_seed: int, time_zone: str) -> EngineClient | SubprocessClient:
    """Return the client of an engine, which starts no process yet."""
    if engine.isolation == SUBPROCESS:
        return SubprocessClient(engine, hash_seed, time_zone)
    from snippetcheck.runner.client import EngineClient  # it needs modules that only Linux has

    return EngineClient(engine, hash_seed, time_zone)


def _key(snippet: Snippet, engine: str) -> _Key:
    return snippet.name, snippet.text, engine


def missing_requirement(snippet: Snippet) -> str | None:
    """Return why the snippet is not run: the reason in `# skip:`, or a requirement that this machine does not meet; else None."""
    if snippet.manifest.skip:
        return snippet.manifest.skip
    for need in snippet.manifest.needs:
        if need == CUDA and not Path("/dev/nvidiactl").exists():
            return "needs cuda, and this machine has no NVIDIA device"
        if need != CUDA and find(need, ()) is None:
            return f"needs {need}, which is not installed"
    return unmet_condition(snippet.manifest.when)

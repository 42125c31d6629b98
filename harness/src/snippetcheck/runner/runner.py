"""Run snippets: take a run from the cache where nothing has changed, else from the server of the engine."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from snippetcheck.cache import Cache
from snippetcheck.conditions import unmet_condition
from snippetcheck.engines import SUBPROCESS, Engine
from snippetcheck.outcome import Run
from snippetcheck.runner.subprocess_client import SubprocessClient
from snippetcheck.settings import CUDA, Settings
from snippetcheck.snippet import Snippet

if TYPE_CHECKING:
    from snippetcheck.runner.client import EngineClient


class Runner:
    """Runs each snippet at most once per engine, all with one hash seed and in one time zone."""

    def __init__(self, settings: Settings, cache: Cache | None = None, hash_seed: int = 0, time_zone: str = "UTC"):
        self.settings = settings
        self.cache = cache
        self.hash_seed, self.time_zone = hash_seed, time_zone
        self._jobs: dict[tuple[str, str], tuple[Snippet, int]] = {}  # the submitted snippet and the id of its job
        self._finished: dict[tuple[str, str], tuple[Snippet, Run, str]] = {}
        self._forgotten: set[tuple[str, str]] = set()  # no cached run is used for these

    @cached_property
    def servers(self) -> dict[str, EngineClient | SubprocessClient]:
        """Map each engine's name to its client."""
        return {name: self._client(engine) for name, engine in self.settings.engines.items()}

    def _client(self, engine: Engine) -> EngineClient | SubprocessClient:
        if engine.isolation == SUBPROCESS:
            return SubprocessClient(engine, self.hash_seed, self.time_zone)
        from snippetcheck.runner.client import EngineClient  # it needs modules that only Linux has

        return EngineClient(engine, self.hash_seed, self.time_zone)

    def start_engines(self, names: Iterable[str]) -> None:
        """Start importing these engines, unless cached runs may be enough."""
        for name in names if not self.cache else ():
            self.servers[name].launch()

    def submit(self, snippet: Snippet, engine: str) -> None:
        """Start a run, unless it is finished, pending or cached."""
        if self._is_finished(snippet, engine) or self._is_pending(snippet, engine):
            return
        cache = None if (snippet.name, engine) in self._forgotten else self.cache
        cached = cache.get(snippet, self.settings.engines[engine]) if cache else None
        if cached:
            self._finished[snippet.name, engine] = (snippet, *cached)
            return
        self._jobs[snippet.name, engine] = (snippet, self.servers[engine].submit(snippet))

    def forget(self, snippet: Snippet, engine: str) -> None:
        """Make the next `submit` run the snippet again, even if a run is finished or cached."""
        self._finished.pop((snippet.name, engine), None)
        self._forgotten.add((snippet.name, engine))

    def result(self, snippet: Snippet, engine: str) -> tuple[Run, str]:
        """Return the run of a snippet on an engine, and its date."""
        self.submit(snippet, engine)
        if not self._is_finished(snippet, engine):
            submitted, job_id = self._jobs[snippet.name, engine]
            self._store(submitted, engine, self.servers[engine].result(job_id))
        _, run, date = self._finished[snippet.name, engine]
        return run, date

    def _store(self, snippet: Snippet, engine: str, run: Run) -> None:
        date = datetime.now(UTC).isoformat(timespec="seconds")
        self._finished[snippet.name, engine] = (snippet, run, date)
        if self.cache:
            self.cache.put(snippet, self.settings.engines[engine], run, date)

    def close(self) -> None:
        """End the servers."""
        for server in self.servers.values() if "servers" in vars(self) else ():
            server.close()
        if self.cache:
            self.cache.prune()

    def _is_finished(self, snippet: Snippet, engine: str) -> bool:
        entry = self._finished.get((snippet.name, engine))
        return entry is not None and entry[0].text == snippet.text

    def _is_pending(self, snippet: Snippet, engine: str) -> bool:
        """Return whether a run of this text is submitted and neither finished nor abandoned."""
        submitted, job_id = self._jobs.get((snippet.name, engine), (None, 0))
        return submitted is not None and submitted.text == snippet.text and self.servers[engine].has_job(job_id)

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def missing_requirement(snippet: Snippet) -> str | None:
    """Return why the snippet cannot run: the reason of `# skip:`, or a missing requirement; else None."""
    if snippet.manifest.skip:
        return snippet.manifest.skip
    for need in snippet.manifest.needs:
        if need == CUDA:
            if not Path("/dev/nvidiactl").exists():
                return "needs cuda, and this machine has no NVIDIA device"
        elif importlib.util.find_spec(need) is None:
            return f"needs {need}, which is not installed"
    return unmet_condition(snippet)

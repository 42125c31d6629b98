"""Hold the state of one pytest session: settings, runs and evidence."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from snippetcheck import collection, evidence, github, mutate, places, provenance, report, shards
from snippetcheck.cache import Cache
from snippetcheck.engines import refusal
from snippetcheck.runner.runner import Runner
from snippetcheck.settings import Settings
from snippetcheck.snippet import Snippet, SnippetError, files
from snippetcheck.source import plural

_EVIDENCE_KEYS = ("name", "engine", "verdict", "sha256", "seconds", "ran", "made_with")


class PluginState:
    """The settings, runs and verdicts of one pytest session, registered as a plugin."""

    def __init__(self, config: pytest.Config, settings: Settings, shard: tuple[int, int] | None):
        self.config = config
        self.settings = settings
        self.shard = shard
        self.default_evidence = settings.cache_dir / "evidence.json"
        cache = Cache(settings.cache_dir / "runs") if config.getoption("snippet_cache") else None
        self.runs = Runner(settings, cache, config.getoption("snippet_hash_seed"))
        self.counts = collection.CollectionCounts(config, settings.snippets_dir)
        self.entries: dict[tuple[str, str], dict[str, Any]] = {}
        self.judged: set[tuple[str, str]] = set()  # the keys of the items that were run
        self.has_other_passes = False  # tests other than snippets
        self.write_error = ""  # why a file could not be written
        self.is_worker = hasattr(config, "workerinput")
        needs_provenance = config.getoption("snippet_mutate") and not self.is_worker
        self.mutation_provenance = self._describe_mutation_sources() if needs_provenance else None
        self._locations: dict[str, list[places.Location]] | None = None
        self._snippets: dict[Path, Snippet | SnippetError] = {}
        config.pluginmanager.register(self, "snippets-session")

    def launch_engines(self) -> None:
        """Start importing the engines while pytest collects, unless cached runs may be enough or nothing will run."""
        if not self.config.option.collectonly and not refusal():
            _ = self.made_with  # before the engines are imported, so that a later edit counts as a change
            self.runs.start_engines(self.config.getoption("snippet_engine") or self.settings.engine_names)

    @cached_property
    def made_with(self) -> dict[str, dict[str, str]]:
        """Return, for each engine, what its verdicts depend on."""
        return {name: provenance.fingerprint_engine(engine) for name, engine in self.settings.engines.items()}

    @property
    def locations(self) -> dict[str, list[places.Location]]:
        """Return the locations of each snippet. The pages are read at the first failure."""
        if self._locations is None:
            self.settings.register_fences()
            self._locations = places.snippet_locations(self.settings.pages_dir)
        return self._locations

    def contains(self, path: Path) -> bool:
        """Return whether a path lies below the snippets folder, links resolved."""
        return path.parent.resolve().is_relative_to(self.settings.snippets_dir)

    def snippet(self, path: Path) -> Snippet | SnippetError:
        """Return the snippet of a file, or the error in it."""
        if path not in self._snippets:
            try:
                self._snippets[path] = self.settings.load(path)
            except SnippetError as error:
                self._snippets[path] = error
        return self._snippets[path]

    def keys_of_shard(self, keys: list[tuple[str, str]]) -> set[tuple[str, str]] | None:
        """Return the keys in this shard, or None if the run is not split."""
        if self.shard is None:
            return None
        index, count = self.shard
        try:
            seconds = evidence.read(self.settings.evidence or self.default_evidence).seconds()
        except evidence.EvidenceError:
            seconds = {}
        return shards.split(list(dict.fromkeys(keys)), seconds, count)[index - 1]

    def repetitions(self) -> int:
        """Return the number of runs per snippet: `--count` of pytest-repeat, which itself repeats only functions."""
        names = ("repeat", "pytest_repeat")
        has_repeat = any(self.config.pluginmanager.hasplugin(name) for name in names)
        return int(self.config.getoption("count", 1)) if has_repeat else 1

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Collect the verdicts of this process and of pytest-xdist workers.

        If a snippet ran several times, a failure counts, unless pytest-rerunfailures ran it again.
        """
        entry = getattr(report, "snippet", None)
        self.has_other_passes |= report.passed and report.when == "call" and not hasattr(report, "snippet")
        if entry is None or self.is_worker or report.outcome == "rerun":
            return
        self.counts.items_judged += entry["verdict"] != evidence.SKIPPED
        before = self.entries.get((entry["name"], entry["engine"]))
        if before is None or before["verdict"] != evidence.FAILED:
            self.entries[entry["name"], entry["engine"]] = entry

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtestloop(self) -> Generator[None, object, object]:
        """End the servers after the last test, before the wrapper of pytest-cov reads their measurements."""
        try:
            return (yield)
        finally:
            self.runs.close()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add the counts of a pytest-xdist worker: only workers collect."""
        self.counts.add(*getattr(node, "workeroutput", {}).get("snippets", (0, 0)))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the evidence if the run was complete or an option names a file."""
        if self.is_worker:
            self.config.workeroutput["snippets"] = (self.counts.files_collected, self.counts.items_selected)  # type: ignore[attr-defined]
            return
        if session.config.option.collectonly:
            return
        is_elsewhere = bool(refusal()) and self.has_other_passes  # without fork, only the other tests can run
        if self.counts.judged_nothing() and session.exitstatus == pytest.ExitCode.OK and not is_elsewhere:
            session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED
        record = self.evidence()
        path = self.config.getoption("snippet_evidence")
        target = Path(path) if path else self.default_evidence if self.is_whole() and not self.shard else None
        if target is not None:
            self.write(target, record.write, session, is_requested=bool(path))
        if self.config.getoption("snippet_mutate"):
            path = self.config.getoption("snippet_mutation_evidence")
            target = Path(path) if path else self.settings.cache_dir / "mutation.json"
            self.write(target, self.write_mutation_evidence, session, is_requested=bool(path))

    def write(self, path: Path, writer: Callable[[Path], None], session: pytest.Session, is_requested: bool) -> None:
        """Write a file. On a read-only checkout this fails the run only if the file was requested by an option."""
        try:
            writer(path)
        except evidence.EvidenceError as error:
            self.write_error = str(error)
            if is_requested:
                session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def evidence(self) -> evidence.Evidence:
        """Return the evidence of this session."""
        record = evidence.Evidence(date=evidence.timestamp(), versions=self.runs.versions())
        for entry in self.entries.values():
            record.note(**{key: entry[key] for key in _EVIDENCE_KEYS})
        if self.shard:
            record.shard = f"{self.shard[0]}/{self.shard[1]}"
        record.complete = self.is_whole() and all(
            entry["verdict"] != evidence.SKIPPED for entry in self.entries.values()
        )
        return record

    def is_whole(self) -> bool:
        """Return whether every snippet, or every one in the shard, ran on each of its engines."""
        keys: list[tuple[str, str]] = []
        for path in files(self.settings.snippets_dir):
            snippet = self.snippet(path)
            if isinstance(snippet, SnippetError):
                return False
            keys += [(snippet.name, engine) for engine in snippet.manifest.engines]
        if not keys:
            return False
        shard_keys = self.keys_of_shard(keys)
        return self.entries.keys() >= set(keys if shard_keys is None else shard_keys)

    def _describe_mutation_sources(self) -> dict[str, Any]:
        root, engines = self.settings.root, self.settings.engines.values()
        snippets = os.path.relpath(self.settings.snippets_dir, root)
        path = self.config.getoption("snippet_mutation_evidence")
        command = f"python -m pytest {snippets} --snippet-mutate" + (
            f" --snippet-mutation-evidence {path}" if path else ""
        )
        sources = {
            "engine": sorted({path for engine in engines for path in provenance.engine_source_paths(engine, root)}),
            "harness": [provenance.HARNESS],
            "examples": [snippets],
        }
        distributions = {name for engine in engines for name in engine.distributions}
        return provenance.describe_sources(root, command, sources, distributions)

    def write_mutation_evidence(self, path: Path) -> None:
        """Write the mutation score of this session. Raises EvidenceError."""
        scores = [entry["mutation"] for entry in self.entries.values() if entry.get("mutation")]
        evidence.write_json(path, mutate.summary(scores, self.runs.versions(), provenance=self.mutation_provenance))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        """Print the mutation score, write errors, and a warning about missing snippets."""
        if self.counts.summary_line() and not self.config.option.collectonly:
            terminalreporter.write_line(
                self.counts.summary_line(), red=self.counts.judged_nothing(), yellow=not self.counts.judged_nothing()
            )
        if self.write_error:
            is_error = exitstatus == pytest.ExitCode.INTERNAL_ERROR
            terminalreporter.write_line(self.write_error, red=is_error, yellow=not is_error)
        scores = [entry["mutation"] for entry in self.entries.values() if entry.get("mutation")]
        if scores:
            total = sum(score["mutants"] for score in scores)
            alive = sum(len(score["survivors"]) for score in scores)
            terminalreporter.write_line(f"mutation: {total - alive} of {plural(total, 'changed value')} turned red")
        if github.is_active():
            for entry in self.entries.values():
                for line in entry["annotations"]:
                    terminalreporter.write_line(report.printable(line))


STATE_KEY = pytest.StashKey[PluginState]()

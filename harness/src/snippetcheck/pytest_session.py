"""What the snippets of one pytest session share: settings, runs, and the evidence that they make."""

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

_NOTED = ("name", "engine", "verdict", "sha256", "seconds", "ran", "made_with")  # of an entry, for the evidence


class SnippetSession:
    """What the snippets of one pytest session share. Registered as a plugin of its own."""

    def __init__(self, config: pytest.Config, settings: Settings, shard: tuple[int, int] | None):
        self.config = config
        self.settings = settings
        self.shard = shard
        self.default_evidence = settings.cache_dir / "evidence.json"
        cache = Cache(settings.cache_dir / "runs") if config.getoption("snippet_cache") else None
        self.runs = Runner(settings, cache, config.getoption("snippet_hash_seed"))
        self.census = collection.Census(config, settings.snippets_dir)
        self.entries: dict[tuple[str, str], dict[str, Any]] = {}
        self.judged: set[tuple[str, str]] = set()  # the keys of the items that were run
        self.others_passed = False  # tests that are no snippets
        self.trouble = ""  # what could not be written
        self.is_worker = hasattr(config, "workerinput")
        self.mutation_made = (
            self._mutation_made() if config.getoption("snippet_mutate") and not self.is_worker else None
        )
        self._places: dict[str, list[places.Place]] | None = None
        self._snippets: dict[Path, Snippet | SnippetError] = {}
        config.pluginmanager.register(self, "snippets-session")

    def launch_engines(self) -> None:
        """Let the engines be imported while pytest collects. Not if kept runs may do, or if nothing is to be run."""
        if not self.config.option.collectonly and not refusal():
            _ = self.made_with  # before the engines are imported: what is edited while they run is then seen as changed
            self.runs.start_engines(self.config.getoption("snippet_engine") or self.settings.engine_names)

    @cached_property
    def made_with(self) -> dict[str, dict[str, str]]:
        """For each engine what decides its verdicts."""
        return {name: provenance.of_engine(engine) for name, engine in self.settings.engines.items()}

    @property
    def places(self) -> dict[str, list[places.Place]]:
        """Where each snippet is shown; the pages are read when the first failure asks."""
        if self._places is None:
            self.settings.register_fences()
            self._places = places.places(self.settings.pages_dir)
        return self._places

    def holds(self, path: Path) -> bool:
        """Whether a path lies below the snippets folder; it may lead through links."""
        return path.parent.resolve().is_relative_to(self.settings.snippets_dir)

    def snippet(self, path: Path) -> Snippet | SnippetError:
        """The snippet of a file, or what is wrong with it."""
        if path not in self._snippets:
            try:
                self._snippets[path] = self.settings.load(path)
            except SnippetError as error:
                self._snippets[path] = error
        return self._snippets[path]

    def part(self, keys: list[tuple[str, str]]) -> set[tuple[str, str]] | None:
        """The keys of this shard, or None if the run is not split."""
        if self.shard is None:
            return None
        index, count = self.shard
        try:
            seconds = evidence.read(self.settings.evidence or self.default_evidence).seconds()
        except evidence.EvidenceError:
            seconds = {}
        return shards.split(list(dict.fromkeys(keys)), seconds, count)[index - 1]

    def repetitions(self) -> int:
        """Return how often each snippet is to run: `--count` of pytest-repeat, which itself repeats functions only."""
        names = ("repeat", "pytest_repeat")
        has_repeat = any(self.config.pluginmanager.hasplugin(name) for name in names)
        return int(self.config.getoption("count", 1)) if has_repeat else 1

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather the verdicts, those of other processes too.

        Of several runs of a snippet a failed one counts, unless pytest-rerunfailures has let it run again.
        """
        entry = getattr(report, "snippet", None)
        self.others_passed |= report.passed and report.when == "call" and not hasattr(report, "snippet")
        if entry is None or self.is_worker or report.outcome == "rerun":
            return
        self.census.judged += entry["verdict"] != evidence.SKIPPED
        before = self.entries.get((entry["name"], entry["engine"]))
        if before is None or before["verdict"] != evidence.FAILED:
            self.entries[entry["name"], entry["engine"]] = entry

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtestloop(self) -> Generator[None, object, object]:
        """End the servers with the last test, so that pytest-cov, whose own wrapper goes on then, finds what they measured."""
        try:
            return (yield)
        finally:
            self.runs.close()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker of pytest-xdist has ended: it has collected, and this process has not."""
        self.census.add(*getattr(node, "workeroutput", {}).get("snippets", (0, 0)))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the evidence, if the run was whole or if a file was asked for."""
        if self.is_worker:
            self.config.workeroutput["snippets"] = (self.census.found, self.census.kept)  # type: ignore[attr-defined]
            return
        if session.config.option.collectonly:
            return
        is_elsewhere = bool(refusal()) and self.others_passed  # a system without fork: the other tests are the run
        if self.census.is_void() and session.exitstatus == pytest.ExitCode.OK and not is_elsewhere:
            session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED
        record = self.evidence()
        given = self.config.getoption("snippet_evidence")
        target = Path(given) if given else self.default_evidence if self.is_whole() and not self.shard else None
        if target is not None:
            self.write(target, record.write, session, is_requested=bool(given))
        if self.config.getoption("snippet_mutate"):
            given = self.config.getoption("snippet_mutation_evidence")
            target = Path(given) if given else self.settings.cache_dir / "mutation.json"
            self.write(target, self.write_mutation_evidence, session, is_requested=bool(given))

    def write(self, path: Path, writer: Callable[[Path], None], session: pytest.Session, is_requested: bool) -> None:
        """Write a file. On a read-only checkout this fails the run only if the file was requested by an option."""
        try:
            writer(path)
        except evidence.EvidenceError as error:
            self.trouble = str(error)
            if is_requested:
                session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def evidence(self) -> evidence.Evidence:
        """What this session has shown."""
        made = evidence.Evidence(date=evidence.now(), versions=self.runs.versions())
        for entry in self.entries.values():
            made.note(**{key: entry[key] for key in _NOTED})
        if self.shard:
            made.shard = f"{self.shard[0]}/{self.shard[1]}"
        made.complete = self.is_whole() and all(entry["verdict"] != evidence.SKIPPED for entry in self.entries.values())
        return made

    def is_whole(self) -> bool:
        """Whether the run came to every snippet on each of its engines; of a shard: to each of its own."""
        wanted: list[tuple[str, str]] = []
        for path in files(self.settings.snippets_dir):
            snippet = self.snippet(path)
            if isinstance(snippet, SnippetError):
                return False
            wanted += [(snippet.name, engine) for engine in snippet.manifest.engines]
        if not wanted:
            return False
        part = self.part(wanted)
        return self.entries.keys() >= set(wanted if part is None else part)

    def _mutation_made(self) -> dict[str, Any]:
        root, engines = self.settings.root, self.settings.engines.values()
        snippets, given = (
            os.path.relpath(self.settings.snippets_dir, root),
            self.config.getoption("snippet_mutation_evidence"),
        )
        command = f"python -m pytest {snippets} --snippet-mutate" + (
            f" --snippet-mutation-evidence {given}" if given else ""
        )
        sources = {
            "engine": sorted({path for engine in engines for path in provenance.paths_of(engine, root)}),
            "harness": [provenance.HARNESS],
            "examples": [snippets],
        }
        return provenance.provenance(root, command, sources, {name for one in engines for name in one.distributions})

    def write_mutation_evidence(self, path: Path) -> None:
        """Write the mutation score of this session. Raises EvidenceError."""
        scores = [entry["mutation"] for entry in self.entries.values() if entry.get("mutation")]
        evidence.write_json(path, mutate.summary(scores, self.runs.versions(), provenance=self.mutation_made))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        """The mutation score, what could not be written, and that snippets are missing."""
        if self.census.word() and not self.config.option.collectonly:
            terminalreporter.write_line(self.census.word(), red=self.census.is_void(), yellow=not self.census.is_void())
        if self.trouble:
            is_error = exitstatus == pytest.ExitCode.INTERNAL_ERROR
            terminalreporter.write_line(self.trouble, red=is_error, yellow=not is_error)
        scores = [entry["mutation"] for entry in self.entries.values() if entry.get("mutation")]
        if scores:
            total, alive = sum(one["mutants"] for one in scores), sum(len(one["survivors"]) for one in scores)
            terminalreporter.write_line(f"mutation: {total - alive} of {plural(total, 'changed value')} turned red")
        if github.wanted():
            for entry in self.entries.values():
                for line in entry["annotations"]:
                    terminalreporter.write_line(report.printable(line))


SESSION = pytest.StashKey[SnippetSession]()

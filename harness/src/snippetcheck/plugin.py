"""The pytest plugin: every snippet on each of its engines is a test.

A project asks for it with `[tool.snippets]` in its pyproject.toml. The node ids are
`snippets/in-place/errors/modified.py::torch`.
"""

from __future__ import annotations

import contextlib
import os
import random
from collections.abc import Generator, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from _pytest._code.code import ExceptionInfo, TerminalRepr

from snippetcheck import collection, evidence, github, mutate, places, provenance, report, shards
from snippetcheck.cache import Cache
from snippetcheck.compare import Finding, compare
from snippetcheck.engines import EngineError, refusal
from snippetcheck.outcome import Run
from snippetcheck.session import Session, unmet_need
from snippetcheck.settings import Settings, SettingsError, checked_timeout
from snippetcheck.snippet import SUFFIXES, Snippet, SnippetError, files, name_of

_NOTED = ("name", "engine", "verdict", "sha256", "seconds", "ran", "made_with")  # of an entry, for the evidence
_SESSION = pytest.StashKey["_Session"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the harness."""
    group = parser.getgroup("snippets", "snippets of documentation pages")
    group.addoption(
        "--snippet-engine", action="append", metavar="NAME", help="run snippets on this engine only; repeatable"
    )
    group.addoption("--snippet-evidence", metavar="PATH", help="write the evidence file here, whatever is selected")
    group.addoption("--snippet-shard", metavar="I/N", help="run the i-th of n parts of about equal time")
    group.addoption(
        "--snippet-mutate", action="store_true", help="change each documented value in memory; each must turn red"
    )
    group.addoption("--snippet-mutation-evidence", metavar="PATH", help="write the mutation score here")
    group.addoption("--snippet-shuffle", metavar="SEED", type=int, help="run the snippets in a random order")
    group.addoption(
        "--snippet-hash-seed", metavar="SEED", type=int, default=0, help="order sets by this PYTHONHASHSEED"
    )
    group.addoption(
        "--snippet-timeout", metavar="SECONDS", type=float, help="end a snippet that gives none after these"
    )
    group.addoption("--snippet-cache", action="store_true", help="compare kept runs where nothing has changed")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """End the run before anything is imported from among the snippets."""
    with contextlib.suppress(SettingsError):  # `pytest_configure` tells
        settings = collection.project_of(early_config, early_config.known_args_namespace.file_or_dir)
        if settings:
            collection.refuse_what_pytest_imports(settings.snippets_dir)


def pytest_configure(config: pytest.Config) -> None:
    """Read the project's settings; a mistake in them ends the run at once."""
    try:
        settings = collection.project_of(config, config.args)
        if settings is None:
            return
        seconds = config.getoption("snippet_timeout")
        if seconds is not None:
            settings = replace(settings, timeout=checked_timeout("--snippet-timeout", seconds))
        for name in config.getoption("snippet_engine") or ():
            if name not in settings.engines:
                raise SettingsError(f"--snippet-engine {name}: use one of {', '.join(settings.engine_names)}")
        if config.getoption("snippet_hash_seed") and config.getoption("snippet_cache"):
            raise SettingsError("--snippet-hash-seed: kept runs were made with another\n    leave out --snippet-cache")
        shard = config.getoption("snippet_shard")
        config.stash[_SESSION] = _Session(config, settings, shards.parse_shard(shard) if shard else None)
    except (SettingsError, ValueError) as error:
        raise pytest.UsageError(str(error)) from None


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the servers, however the session ended."""
    session = config.stash.get(_SESSION, None)
    if session is not None:
        session.runs.close()


@pytest.hookimpl(tryfirst=True)
def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Go into every folder of snippets: pytest itself leaves out `build`, `dist`, `venv` and others by their names."""
    session = config.stash.get(_SESSION, None)
    if session is None or not collection_path.is_dir() or not session.holds(collection_path):
        return None
    if collection.leads_back(collection_path):
        return True
    if config.getoption("ignore") or config.getoption("ignore_glob") or collection_path.name == "__pycache__":
        return None
    return False


@pytest.hookimpl(tryfirst=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A folder of snippets is no package."""
    session = parent.config.stash.get(_SESSION, None)
    if session is None or not path.resolve().is_relative_to(session.settings.snippets_dir):
        return None
    return collection.SnippetFolder.from_parent(parent, path=path)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Claim the files below the snippets folder, so that no other plugin imports them as tests."""
    collectors = yield
    session = parent.config.stash.get(_SESSION, None)
    if session is None or file_path.suffix.lower() not in SUFFIXES or not session.holds(file_path):
        return collectors
    session.census.found += 1
    if file_path.name.isprintable():
        return [SnippetFile.from_parent(parent, path=file_path)]
    return [
        SnippetFile.from_parent(parent, path=file_path, nodeid=report.printable(f"{parent.nodeid}/{file_path.name}"))
    ]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the chosen engines and the chosen shard; shuffle, if that is asked for."""
    session = config.stash.get(_SESSION, None)
    if session is None:
        return
    chosen = config.getoption("snippet_engine")
    keep: list[pytest.Item] = []
    drop: list[pytest.Item] = []
    part = session.part([item.key for item in items if isinstance(item, SnippetItem)])
    for item in items:
        wanted = not isinstance(item, SnippetItem) or (
            (not chosen or item.engine in chosen) and (part is None or item.key in part)
        )
        (keep if wanted else drop).append(item)
    session.census.kept = sum(isinstance(item, SnippetItem) for item in keep)
    if drop:
        config.hook.pytest_deselected(items=drop)
        items[:] = keep
    seed = config.getoption("snippet_shuffle")
    if seed is not None:
        random.Random(seed).shuffle(items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """Let the next snippet run while this one is compared and reported."""
    if isinstance(item, SnippetItem):
        item.following = nextitem if isinstance(nextitem, SnippetItem) else None
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Send what became of a snippet along with the report, also from a worker of pytest-xdist."""
    made = yield
    if isinstance(item, SnippetItem):
        made.snippet = item.entry(made)  # type: ignore[attr-defined]
    return made


class _Session:
    """What the snippets of one pytest session share. Registered as a plugin of its own."""

    def __init__(self, config: pytest.Config, settings: Settings, shard: tuple[int, int] | None):
        self.config = config
        self.settings = settings
        self.shard = shard
        self.default_evidence = settings.cache_dir / "evidence.json"
        cache = Cache(settings.cache_dir / "runs") if config.getoption("snippet_cache") else None
        self.runs = Session(settings, cache, config.getoption("snippet_hash_seed"))
        self.census = collection.Census(config, settings.snippets_dir)
        self.entries: list[dict[str, Any]] = []
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
            self.runs.launch(self.config.getoption("snippet_engine") or self.settings.engine_names)

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
        return shards.split(keys, seconds, count)[index - 1]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Tell the engines what the programs that are to run import."""
        if session.config.option.collectonly or refusal():
            return
        programs: dict[str, list[Snippet]] = {}
        for item in session.items:
            if isinstance(item, SnippetItem) and isinstance(item.snippet, Snippet) and not unmet_need(item.snippet):
                programs.setdefault(item.engine, []).append(item.snippet)
        for engine, snippets in programs.items():
            self.runs.expect(snippets, engine)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather the verdicts, those of other processes too."""
        entry = getattr(report, "snippet", None)
        if entry is not None and not self.is_worker:
            self.entries.append(entry)
            self.census.judged += entry["verdict"] != evidence.SKIPPED

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
        if self.census.is_void() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED
        record = self.evidence()
        given = self.config.getoption("snippet_evidence")
        target = Path(given) if given else self.default_evidence if self.is_whole() and not self.shard else None
        try:
            if target is not None:
                record.write(target)
            if self.config.getoption("snippet_mutate"):
                self.write_mutation_evidence()
        except evidence.EvidenceError as error:
            self.trouble = str(error)
            session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def evidence(self) -> evidence.Evidence:
        """What this session has shown."""
        made = evidence.Evidence(date=evidence.now(), versions=self.runs.versions())
        for entry in self.entries:
            made.note(**{key: entry[key] for key in _NOTED})
        if self.shard:
            made.shard = f"{self.shard[0]}/{self.shard[1]}"
        made.complete = self.is_whole() and all(entry["verdict"] != evidence.SKIPPED for entry in self.entries)
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
        have = {(entry["name"], entry["engine"]) for entry in self.entries}
        return have >= set(wanted if part is None else part)

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

    def write_mutation_evidence(self) -> None:
        given = self.config.getoption("snippet_mutation_evidence")
        scores = [entry["mutation"] for entry in self.entries if entry.get("mutation")]
        values = mutate.summary(scores, self.runs.versions(), provenance=self.mutation_made)
        evidence.write_json(Path(given) if given else self.settings.cache_dir / "mutation.json", values)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The mutation score, what could not be written, and that snippets are missing."""
        if self.census.word() and not self.config.option.collectonly:
            terminalreporter.write_line(self.census.word(), red=self.census.is_void(), yellow=not self.census.is_void())
        if self.trouble:
            terminalreporter.write_line(self.trouble, red=True)
        if self.runs.refused:
            terminalreporter.write_line(self.runs.refused)
        scores = [entry["mutation"] for entry in self.entries if entry.get("mutation")]
        if scores:
            total, alive = sum(one["mutants"] for one in scores), sum(len(one["survivors"]) for one in scores)
            terminalreporter.write_line(f"mutation: {total - alive} of {total} changed values turned red")
        if github.wanted():
            for entry in self.entries:
                for line in entry["annotations"]:
                    terminalreporter.write_line(report.printable(line))


class SnippetFile(pytest.File):
    """A file below the snippets folder."""

    def collect(self) -> Iterator[SnippetItem]:
        """One item per engine. A malformed file has one per engine of the project, and all fail."""
        session = self.config.stash[_SESSION]
        snippet = session.snippet(self.path)
        names = session.settings.engine_names
        session.launch_engines()
        for engine in names if isinstance(snippet, SnippetError) else snippet.manifest.engines:
            yield SnippetItem.from_parent(self, name=engine, snippet=snippet)


class SnippetFailed(Exception):
    """A snippet that is red. The text is the report."""


class SnippetItem(pytest.Item):
    """One snippet on one engine."""

    following: SnippetItem | None = None

    def __init__(self, *, snippet: Snippet | SnippetError, **others: Any):
        super().__init__(**others)
        self.engine = self.name
        self.snippet = snippet
        self.made: tuple[Run, str] | None = None
        self.findings: list[Finding] = []
        self.mutation: mutate.Score | None = None
        session = self.config.stash[_SESSION]
        self.session_of_snippets = session
        self.key = (name_of(self.path, session.settings.snippets_dir), self.engine)

    def runtest(self) -> None:
        """Run the snippet and compare; raises SnippetFailed with the report."""
        if isinstance(self.snippet, SnippetError):
            raise SnippetFailed(str(self.snippet))
        need = refusal() or unmet_need(self.snippet)
        if need:
            pytest.skip(need)
        runs = self.session_of_snippets.runs
        runs.submit(self.snippet, self.engine)
        self.submit_following()
        self.made = runs.result(self.snippet, self.engine)
        self.findings = compare(self.snippet, self.made[0])
        if self.findings:
            raise SnippetFailed(self.report())
        if self.config.getoption("snippet_mutate"):
            self.mutation = mutate.score(self.snippet, self.made[0], self.session_of_snippets.settings.engine_names)
            if self.mutation.survivors:
                raise SnippetFailed(mutate.render(self.mutation, self.snippet))

    def submit_following(self) -> None:
        following = self.following
        if following and isinstance(following.snippet, Snippet) and not unmet_need(following.snippet):
            following.session_of_snippets.runs.submit(following.snippet, following.engine)

    def report(self) -> str:
        assert isinstance(self.snippet, Snippet)
        return report.render(self.snippet, self.engine, self.findings, self.places(), self.moved())

    def moved(self) -> str | None:
        """Which side moved; asks the other engines for their runs."""
        assert isinstance(self.snippet, Snippet) and self.made
        session = self.session_of_snippets
        runs = {self.engine: self.made[0]}
        for engine in self.snippet.manifest.engines:
            if engine not in runs:
                try:
                    runs[engine] = session.runs.result(self.snippet, engine)[0]
                except EngineError:
                    return f"{engine} cannot be started, so the two engines were not compared"
        findings = {engine: compare(self.snippet, runs[engine]) for engine in self.snippet.manifest.engines}
        return report.which_side_moved(session.settings.judge, findings, report.agree(list(runs.values())))

    def places(self) -> list[tuple[Path, int]]:
        """The fences that show the lines at fault; all of the snippet's if none does."""
        if not isinstance(self.snippet, Snippet):
            return []
        all_places = self.session_of_snippets.places.get(self.snippet.name, [])
        lines = [finding.line for finding in self.findings]
        hit = [place for place in all_places if any(place.shows(line, self.snippet.regions) for line in lines)]
        return [(place.page, place.line) for place in hit or all_places]

    def entry(self, made: pytest.TestReport) -> dict[str, Any] | None:
        """This snippet's line of the evidence, once it has run, failed or was skipped."""
        if made.when == "teardown" or (made.when == "setup" and made.passed):
            return None
        run, date = self.made or (None, "")
        verdict = {"passed": evidence.PASSED, "failed": evidence.FAILED}.get(made.outcome, evidence.SKIPPED)
        return {
            "name": self.key[0],
            "engine": self.engine,
            "verdict": verdict,
            "sha256": self.snippet.sha256 if isinstance(self.snippet, Snippet) else "",
            "seconds": run.seconds if run else 0.0,
            "ran": date,
            "made_with": self.session_of_snippets.made_with[self.engine],
            "annotations": self.annotations() if verdict == evidence.FAILED else [],
            "mutation": self.mutation.to_json() if self.mutation else None,
        }

    def annotations(self) -> list[str]:
        if isinstance(self.snippet, SnippetError):
            path = report.shown(self.snippet.path)
            return [github.annotation(path, self.snippet.line, self.nodeid, self.snippet.message)]
        made = []
        for finding in self.findings:
            text = "\n".join([finding.message, *report.difference(finding.expected, finding.actual)])
            made.append(github.annotation(report.shown(self.path), finding.line, self.nodeid, text))
            for page, line in self.places():
                title = f"{self.nodeid}, line {finding.line}"
                made.append(github.annotation(report.shown(page), line, title, text))
        return made

    def repr_failure(self, excinfo: ExceptionInfo[BaseException], style: Any = None) -> str | TerminalRepr:
        """The report alone, without the harness's own traceback."""
        if isinstance(excinfo.value, SnippetFailed | EngineError):
            return report.printable(str(excinfo.value))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where pytest says the test is."""
        return self.path, 0, report.printable(f"{self.key[0]} on {self.engine}")

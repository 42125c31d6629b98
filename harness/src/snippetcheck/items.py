"""Pytest collectors and items: a collector for each folder and file of snippets, an item for each snippet and engine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from _pytest._code import code as failures

from snippetcheck import ledger, mutate, report
from snippetcheck.compare import Finding, compare
from snippetcheck.engines import EngineError
from snippetcheck.examples import line_of
from snippetcheck.fence_types import Fence
from snippetcheck.outcome import Run
from snippetcheck.runner.runner import missing_requirement
from snippetcheck.settings import SettingsError
from snippetcheck.snippet import Snippet, SnippetError, name_of
from snippetcheck.source import display_path, plural

if TYPE_CHECKING:
    from snippetcheck.pytest_session import PluginState

STATE_KEY: pytest.StashKey[PluginState] = pytest.StashKey()


class SnippetFile(pytest.File):
    """The collector of a file below the snippets folder, or of one with examples in place, such as a page or a module."""

    def collect(self) -> Iterator[SnippetItem]:
        """Yield one item per snippet and engine, repeated `--count` times with pytest-repeat.

        A malformed snippet yields one failing item for each engine of the project. The engines start if the file has snippets.
        """
        state = self.config.stash[STATE_KEY]
        snippets = state.settings.load_all(self.path)
        if snippets and not self.config.option.collectonly:
            state.runner.start_engines(self.config.getoption("snippet_engine") or state.settings.engine_names)
        count = state.repetitions()
        for snippet in snippets:
            suffix = "" if state.contains(self.path) else f":{line_of(snippet)}"
            names = state.settings.engine_names if isinstance(snippet, SnippetError) else snippet.manifest.engines
            for engine in names:
                for step in range(count):
                    repetition = f"[{step + 1}-{count}]" if count > 1 else ""  # as pytest-repeat names a test
                    name = f"{engine}{suffix}{repetition}"
                    yield SnippetItem.from_parent(self, name=name, engine=engine, snippet=snippet)


def without_traceback(text: str, path: Path) -> failures.ReprExceptionInfo:
    """Return a failure that prints `text`, for `repr_failure` of an item.

    In its summary and in JUnit files, pytest quotes only the first line of this object, but would quote a string in full.
    """
    lines = failures.ReprEntryNative([f"{text}\n"])
    location = failures.ReprFileLocation(str(path), 1, text.partition("\n")[0])
    return failures.ReprExceptionInfo(failures.ReprTraceback([lines], None, "native"), location)


class SnippetFailed(Exception):
    """A snippet, or the ledger, failed. `str(error)` is the report."""


class LedgerFile(pytest.File):
    """The collector of pyproject.toml, if the settings enable the ledger."""

    def collect(self) -> Iterator[LedgerItem]:
        """Yield the only item, that of the ledger."""
        yield LedgerItem.from_parent(self, name="ledger")


class _Item(pytest.Item):
    """A pytest item that reports the failure of a snippet, of an engine or of the settings without a traceback."""

    title = "ledger"  # the name that pytest prints

    def __init__(self, **options: Any):
        super().__init__(**options)
        self.fixturenames: list[str] = []  # a conftest may read this attribute of every item

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the report of SnippetFailed, SettingsError or EngineError; for another error, the usual traceback of pytest."""
        if isinstance(excinfo.value, SnippetFailed | SettingsError | EngineError):
            return without_traceback(report.printable(str(excinfo.value)), self.path)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the location and the name that pytest prints for the item."""
        return self.path, 0, report.printable(self.title)


class LedgerItem(_Item):
    """The pytest item of the ledger. It fails if something on a page or in the snippets folder is unchecked."""

    def runtest(self) -> None:
        """Check all pages and snippets. Raises SnippetFailed with the problems, and SettingsError if fence types cannot be imported."""
        settings = self.config.stash[STATE_KEY].settings
        settings.register_fences()
        if problems := ledger.check(settings):
            summary = f"the ledger has {plural(len(problems), 'problem')}"
            raise SnippetFailed("\n".join([summary, *map(str, problems)]))


class SnippetItem(_Item):
    """The pytest item that runs one snippet on one engine."""

    next_item: SnippetItem | None = None

    def __init__(self, *, engine: str, snippet: Snippet | SnippetError, **options: Any):
        super().__init__(**options)
        self.engine = engine
        self.snippet = snippet
        self.run: Run | None = None
        self.findings: list[Finding] = []
        self.mutation: mutate.Score | None = None
        self.state = self.config.stash[STATE_KEY]
        settings = self.state.settings
        if self.state.contains(self.path):
            self.key = (name_of(self.path, settings.snippets_dir), engine)
        else:
            self.key = (f"{os.path.relpath(self.path.resolve(), settings.root)}:{line_of(snippet)}", engine)
        self.title = f"{self.key[0]} on {engine}"

    def runtest(self) -> None:
        """Run the snippet and compare its output, or skip it if a requirement is missing. With `--snippet-mutate`, check its mutants.

        A second call, as by pytest-rerunfailures, runs the snippet again. The run of the next item starts before the comparison.
        Raises SnippetFailed with the report, and EngineError if the engine cannot be started.
        """
        self.run, self.findings, self.mutation = None, [], None
        snippet = self.snippet
        if isinstance(snippet, SnippetError):
            raise SnippetFailed(str(snippet))
        if reason := missing_requirement(snippet):
            pytest.skip(reason)
        runner, keys_run = self.state.runner, self.state.keys_run
        if self.key in keys_run:
            runner.forget(snippet, self.engine)
        keys_run.add(self.key)
        runner.submit(snippet, self.engine)
        next_item = self.next_item  # the next snippet, which runs while this one is compared
        if next_item and isinstance(next_item.snippet, Snippet) and not missing_requirement(next_item.snippet):
            runner.submit(next_item.snippet, next_item.engine)
        self.run = runner.result(snippet, self.engine)
        self.findings = compare(snippet, self.run)
        if self.findings:
            explanation = self.explain_mismatch(snippet, self.run)
            locations = self.locations(snippet)
            raise SnippetFailed(report.render(snippet, self.engine, self.findings, locations, explanation))
        if self.config.getoption("snippet_mutate"):
            self.mutation = mutate.score(snippet, self.run)
            if self.mutation.survivors:
                raise SnippetFailed(mutate.render(self.mutation, snippet))

    def explain_mismatch(self, snippet: Snippet, run: Run) -> str:
        """Run the snippet on its other engines. Return the result of `explain_change`, or that an engine cannot be started."""
        runs = {self.engine: run}
        for engine in snippet.manifest.engines:
            if engine not in runs:
                try:
                    runs[engine] = self.state.runner.result(snippet, engine)
                except EngineError:
                    return f"{engine} cannot be started, so the two engines were not compared"
        findings = {engine: compare(snippet, runs[engine]) for engine in snippet.manifest.engines}
        return report.explain_change(self.state.settings.judge, findings, report.runs_agree(list(runs.values())))

    def locations(self, snippet: Snippet) -> list[Fence]:
        """Return the fences that show a line with a finding. If no fence does, return all fences that embed the snippet."""
        fences = self.state.locations.get(snippet.name, [])
        lines = [finding.line for finding in self.findings]
        return [fence for fence in fences if any(fence.shows(line, snippet.regions) for line in lines)] or fences

    def entry(self, test_report: pytest.TestReport) -> dict[str, Any] | None:
        """Return the verdict as a dictionary for other plugins; None after a setup that passed, and after a teardown."""
        if test_report.when == "teardown" or (test_report.when == "setup" and test_report.passed):
            return None
        return {
            "name": self.key[0],
            "engine": self.engine,
            "verdict": test_report.outcome,
            "sha256": self.snippet.sha256 if isinstance(self.snippet, Snippet) else "",
            "seconds": self.run.seconds if self.run else 0.0,
            "ran": self.run.date if self.run else "",
            "annotations": self.annotations() if test_report.failed else [],
            "mutation": self.mutation.to_json() if self.mutation else None,
        }

    def annotations(self) -> list[str]:
        """Return an annotation of GitHub Actions for each finding, at its line in the snippet and at the fences of `locations`.

        A malformed snippet has one annotation, at the line of its error.
        """
        if isinstance(self.snippet, SnippetError):
            path = display_path(self.snippet.path)
            return [report.github_annotation(path, self.snippet.line, self.nodeid, self.snippet.message)]
        annotations = []
        for finding in self.findings:
            text = "\n".join([finding.message, *report.difference(finding.expected, finding.actual)])
            annotations.append(report.github_annotation(display_path(self.path), finding.line, self.nodeid, text))
            for fence in self.locations(self.snippet):
                title = f"{self.nodeid}, line {finding.line}"
                annotations.append(report.github_annotation(display_path(fence.page), fence.line, title, text))
        return annotations

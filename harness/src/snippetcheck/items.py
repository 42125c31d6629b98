"""The tests: a file of a snippet, and the snippet on each of its engines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest._code.code import (
    ExceptionInfo,
    ReprEntryNative,
    ReprExceptionInfo,
    ReprFileLocation,
    ReprTraceback,
    TerminalRepr,
)

from snippetcheck import evidence, github, mutate, report
from snippetcheck.compare import Finding, compare
from snippetcheck.engines import EngineError, refusal
from snippetcheck.outcome import Run
from snippetcheck.pytest_session import SESSION
from snippetcheck.runner.runner import missing_requirement
from snippetcheck.snippet import Snippet, SnippetError, name_of
from snippetcheck.source import short


class SnippetFile(pytest.File):
    """A file below the snippets folder."""

    def collect(self) -> Iterator[SnippetItem]:
        """Yield an item per engine, and as many as `--count` of pytest-repeat says.

        A malformed file has one per engine of the project, and all fail.
        """
        session = self.config.stash[SESSION]
        snippet = session.snippet(self.path)
        names = session.settings.engine_names
        session.launch_engines()
        count = session.repetitions()
        for engine in names if isinstance(snippet, SnippetError) else snippet.manifest.engines:
            for step in range(count):
                name = f"{engine}[{step + 1}-{count}]" if count > 1 else engine  # as pytest-repeat names a test
                yield SnippetItem.from_parent(self, name=name, engine=engine, snippet=snippet)


def without_traceback(text: str, path: Path) -> ReprExceptionInfo:
    """A failure that prints `text`. pytest's summary and JUnit files quote its first line; of a string they quote all."""
    lines = ReprEntryNative([f"{text}\n"])
    place = ReprFileLocation(str(path), 1, text.partition("\n")[0])
    return ReprExceptionInfo(ReprTraceback([lines], None, "native"), place)


class SnippetFailed(Exception):
    """A snippet that is red. The text is the report."""


class SnippetItem(pytest.Item):
    """One snippet on one engine."""

    following: SnippetItem | None = None

    def __init__(self, *, engine: str, snippet: Snippet | SnippetError, **others: Any):
        super().__init__(**others)
        self.engine = engine
        self.snippet = snippet
        self.fixturenames: list[str] = []  # a conftest may look through those of every item
        self.made: tuple[Run, str] | None = None
        self.findings: list[Finding] = []
        self.mutation: mutate.Score | None = None
        session = self.config.stash[SESSION]
        self.session_of_snippets = session
        self.key = (name_of(self.path, session.settings.snippets_dir), self.engine)

    def runtest(self) -> None:
        """Run the snippet, anew each time, and compare; raises SnippetFailed with the report."""
        self.made, self.findings, self.mutation = None, [], None
        if isinstance(self.snippet, SnippetError):
            raise SnippetFailed(str(self.snippet))
        need = refusal() or missing_requirement(self.snippet)
        if need:
            pytest.skip(need)
        runs, judged = self.session_of_snippets.runs, self.session_of_snippets.judged
        if self.key in judged:
            runs.forget(self.snippet, self.engine)
        judged.add(self.key)
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
        if following and isinstance(following.snippet, Snippet) and not missing_requirement(following.snippet):
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
            path = short(self.snippet.path)
            return [github.annotation(path, self.snippet.line, self.nodeid, self.snippet.message)]
        made = []
        for finding in self.findings:
            text = "\n".join([finding.message, *report.difference(finding.expected, finding.actual)])
            made.append(github.annotation(short(self.path), finding.line, self.nodeid, text))
            for page, line in self.places():
                title = f"{self.nodeid}, line {finding.line}"
                made.append(github.annotation(short(page), line, title, text))
        return made

    def repr_failure(self, excinfo: ExceptionInfo[BaseException], style: Any = None) -> str | TerminalRepr:
        """The report alone, without the harness's own traceback."""
        if isinstance(excinfo.value, SnippetFailed | EngineError):
            return without_traceback(report.printable(str(excinfo.value)), self.path)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where pytest says the test is."""
        return self.path, 0, report.printable(f"{self.key[0]} on {self.engine}")

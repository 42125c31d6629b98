"""Exercises as tests: `exercises/in-place/versions/repair.py::torch` holds one to its promises on one engine.

Programs run as snippets do, forked by the session of snippetcheck. `--exercise-mutate` changes each solution in small ways
and counts the changes that the check does not see. Below `--tier full`, rights and wrongs run on the engine of the page only:
on the judge, start and solution.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from snippetcheck import evidence, provenance
from snippetcheck.engines import refusal
from snippetcheck.items import without_traceback
from snippetcheck.runner.runner import Runner
from snippetcheck.snippet import SnippetError
from snippetcheck.source import plural

from gradnotes.exercises import mutants, pointing, proof
from gradnotes.exercises.format import Exercise, load

LEAST = 0.95  # of the changed solutions are to be caught


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of exercises."""
    group = parser.getgroup("exercises", "exercises of documentation pages")
    group.addoption("--exercise-mutate", action="store_true", help="change each solution; the check is to see it")
    group.addoption("--exercise-evidence", metavar="PATH", help="write the score of --exercise-mutate here")


def folder(config: pytest.Config) -> Path:
    return config.rootpath / "exercises"


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Claim the files below exercises/, which are no tests of pytest's own."""
    collectors = yield
    if file_path.suffix != ".py" or not file_path.is_relative_to(folder(parent.config)):
        return collectors
    return [ExerciseFile.from_parent(parent, path=file_path)]


class ExerciseFile(pytest.File):
    """A file below exercises/."""

    def collect(self) -> Iterator[ExerciseItem]:
        """One item an engine."""
        runs = _session(self.config)
        chosen = self.config.getoption("snippet_engine") or runs.settings.engine_names
        if not refusal() and not self.config.option.collectonly:
            runs.start_engines(chosen)
        try:
            exercise: Exercise | SnippetError = load(self.path, folder(self.config))
        except SnippetError as error:
            exercise = error
        for engine in chosen:
            yield ExerciseItem.from_parent(self, name=engine, exercise=exercise)


class ExerciseFailed(Exception):
    """An exercise that does not keep its promises. The text says which."""


class ExerciseItem(pytest.Item):
    """One exercise on one engine."""

    def __init__(self, *, exercise: Exercise | SnippetError, **others: Any):
        super().__init__(**others)
        self.exercise = exercise
        self.score: mutants.Score | None = None

    def runtest(self) -> None:
        """Run all known answers; raises ExerciseFailed."""
        if refusal():
            pytest.skip(refusal())
        if isinstance(self.exercise, SnippetError):
            raise ExerciseFailed(str(self.exercise))
        exercise, runs = self.exercise, _session(self.config)
        briefly = self.name == runs.settings.judge and self.config.getoption("tier", "full") != "full"
        ahead = _ahead(exercise, runs, self.name, briefly)
        found = proof.complaints(exercise, ahead, briefly) or list(self.disagreements(runs))
        if found:
            where = exercise.path.relative_to(self.config.rootpath)
            raise ExerciseFailed("\n".join(f"{where}:{one.line}: {one.message}\n    {one.remedy}" for one in found))
        if self.config.getoption("exercise_mutate") and exercise.kind != "point":
            self.score = mutants.score(exercise, lambda snippets: _all(snippets, runs, self.name))

    def disagreements(self, runs: Runner) -> Iterator[proof.Complaint]:
        """Of a key that the run gives: that the first engine gives another."""
        judge = runs.settings.judge
        if isinstance(self.exercise, SnippetError) or self.exercise.kind != "point" or self.name == judge:
            return
        program = proof.programs(self.exercise)["start"]
        ours, theirs = (pointing.asked(self.exercise, runs.result(program, name)[0]).key for name in (self.name, judge))
        if ours != theirs:
            what = f"{self.name} says {'; '.join(ours)}, {judge} says {'; '.join(theirs)}"
            yield proof.Complaint(self.exercise.start_line, what, "make the engines agree first")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Report the complaints, without a traceback."""
        if isinstance(excinfo.value, ExerciseFailed):
            return without_traceback(str(excinfo.value), self.path)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where pytest says the test is."""
        return self.path, 0, f"{self.path.relative_to(self.config.rootpath)} on {self.name}"


def _session(config: pytest.Config) -> Runner:
    plugin = config.pluginmanager.get_plugin("snippets-session")
    assert plugin, "exercises run where pyproject.toml has [tool.snippets]"
    return plugin.runs


def _ahead(exercise: Exercise, runs: Runner, engine: str, briefly: bool) -> proof.Runs:
    """The runs of an exercise, all submitted before the first is waited for."""
    try:
        for program in proof.programs(exercise, briefly).values():
            runs.submit(program, engine)
    except (SyntaxError, pointing.PointError):
        pass  # `complaints` tells
    return lambda snippet: runs.result(snippet, engine)[0]


def _all(snippets: list[Any], runs: Runner, engine: str) -> list[Any]:
    for snippet in snippets:
        runs.submit(snippet, engine)
    return [runs.result(snippet, engine)[0] for snippet in snippets]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Send the score along with the report, also from a worker of pytest-xdist."""
    made = yield
    if isinstance(item, ExerciseItem) and item.score and made.when == "call":
        made.user_properties.append(("exercise", [item.nodeid, *item.score.to_json()]))
    return made


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """How many changed solutions were caught, and which were not."""
    scores = _scores(terminalreporter)
    if not scores:
        return
    total, alive = sum(one[1] for one in scores), [(one[0], text) for one in scores for text in one[2]]
    for name, text in alive:
        terminalreporter.write_line(f"passes unseen: {name}: {text}")
    caught = total - len(alive)
    terminalreporter.write_line(
        f"exercises: caught {caught} of {plural(total, 'changed solution')}", red=caught < LEAST * total
    )
    if config.getoption("exercise_evidence"):
        evidence.write_json(Path(config.getoption("exercise_evidence")), _evidence(config, total, alive))


def _evidence(config: pytest.Config, total: int, alive: list[tuple[str, str]]) -> dict[str, Any]:
    settings = _session(config).settings
    engines = settings.engines.values()
    sources = {
        "engine": sorted(
            {path for engine in engines for path in provenance.engine_source_paths(engine, settings.root)}
        ),
        "harness": [provenance.HARNESS],
        "exercises": ["exercises", "gradnotes/exercises"],
    }
    command = (
        f"python -m pytest exercises --exercise-mutate --exercise-evidence {config.getoption('exercise_evidence')}"
    )
    made = provenance.describe_sources(
        settings.root, command, sources, {name for one in engines for name in one.distributions}
    )
    unseen = [{"exercise": name, "change": text} for name, text in alive]
    return {"provenance": made, "changes": total, "caught": total - len(alive), "unseen": unseen}


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Too few caught is a failure of the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    scores = _scores(reporter) if reporter else []
    total = sum(one[1] for one in scores)
    if scores and sum(len(one[2]) for one in scores) > (1 - LEAST) * total and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _scores(reporter: pytest.TerminalReporter) -> list[Any]:
    reports = reporter.stats.get("passed", []) + reporter.stats.get("failed", [])
    return [value for one in reports for name, value in getattr(one, "user_properties", ()) if name == "exercise"]

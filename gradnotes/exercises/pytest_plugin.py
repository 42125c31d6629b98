"""Collect exercises as tests: `exercises/in-place/versions/repair.py::torch` validates an exercise on an engine.

The runner of snippetcheck runs the programs. `--exercise-mutate` mutates each solution and counts the mutants that the
check does not detect. Without `--tier full`, PyTorch (the judge) runs only the start and the solution of an exercise;
reference_impl, the engine in the browser, always runs all known answers.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from snippetcheck.items import without_traceback
from snippetcheck.runner.runner import Runner
from snippetcheck.snippet import SnippetError
from snippetcheck.source import plural

from gradnotes.evidence import provenance
from gradnotes.evidence.evidence_file import write_json
from gradnotes.exercises import mutants, point, validate
from gradnotes.exercises.parser import Exercise, load

MINIMUM_SCORE = 0.95  # fraction of the mutants that the checks must detect


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options --exercise-mutate and --exercise-evidence."""
    group = parser.getgroup("exercises", "exercises of documentation pages")
    group.addoption(
        "--exercise-mutate",
        action="store_true",
        help="mutate each solution, and count the mutants that its check detects",
    )
    group.addoption("--exercise-evidence", metavar="PATH", help="write the score of --exercise-mutate to this file")


def exercises_folder(config: pytest.Config) -> Path:
    """Return the folder of all exercises."""
    return config.rootpath / "exercises"


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Replace pytest's collectors of a Python file below exercises/ by an ExerciseFile."""
    collectors = yield
    if file_path.suffix != ".py" or not file_path.is_relative_to(exercises_folder(parent.config)):
        return collectors
    return [ExerciseFile.from_parent(parent, path=file_path)]


class ExerciseFile(pytest.File):
    """The collector of a file below exercises/."""

    def collect(self) -> Iterator[ExerciseItem]:
        """Yield one item per engine, or per engine that --snippet-engine selects. Start importing these engines.

        The items of a malformed exercise fail.
        """
        runner = _runner(self.config)
        engines = self.config.getoption("snippet_engine") or runner.settings.engine_names
        if not self.config.option.collectonly:
            runner.start_engines(engines)
        try:
            exercise: Exercise | SnippetError = load(self.path, exercises_folder(self.config))
        except SnippetError as error:
            exercise = error
        for engine in engines:
            yield ExerciseItem.from_parent(self, name=engine, exercise=exercise)


class ExerciseFailed(Exception):
    """An exercise has problems. The message lists them."""


class ExerciseItem(pytest.Item):
    """The pytest item that validates one exercise on one engine."""

    def __init__(self, *, exercise: Exercise | SnippetError, **arguments: Any):
        super().__init__(**arguments)
        self.exercise = exercise
        self.score: mutants.Score | None = None

    def runtest(self) -> None:
        """Run the known answers of the exercise, and check its rules. With --exercise-mutate, compute the mutation score too.

        Raises:
            ExerciseFailed: the exercise has problems.
        """
        if isinstance(self.exercise, SnippetError):
            raise ExerciseFailed(str(self.exercise))
        exercise, runner = self.exercise, _runner(self.config)
        is_brief = self.name == runner.settings.judge and self.config.getoption("tier", "full") != "full"
        run = _submit_programs(exercise, runner, self.name, is_brief)
        problems = validate.find_problems(exercise, run, is_brief) or list(self.compare_answer_keys(runner))
        if problems:
            file = exercise.path.relative_to(self.config.rootpath)
            lines = (f"{file}:{problem.line}: {problem.message}\n    {problem.remedy}" for problem in problems)
            raise ExerciseFailed("\n".join(lines))
        if self.config.getoption("exercise_mutate") and exercise.kind != "point":
            self.score = mutants.compute_score(exercise, lambda snippets: _run_snippets(snippets, runner, self.name))

    def compare_answer_keys(self, runner: Runner) -> Iterator[validate.Problem]:
        """Yield a problem if a `point` exercise has another answer key on this engine than on the judge, PyTorch."""
        judge = runner.settings.judge
        if isinstance(self.exercise, SnippetError) or self.exercise.kind != "point" or self.name == judge:
            return
        program = validate.build_programs(self.exercise)["start"]
        actual, expected = (
            point.read_answer_key(self.exercise, runner.result(program, name)).key for name in (self.name, judge)
        )
        if actual != expected:
            message = f"answer keys differ: got {'; '.join(actual)} on {self.name}, {'; '.join(expected)} on {judge}"
            yield validate.Problem(self.exercise.start_line, message, "correct the engine, or change the program")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Report the problems without a traceback."""
        if isinstance(excinfo.value, ExerciseFailed):
            return without_traceback(str(excinfo.value), self.path)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the location of the test for reports."""
        return self.path, 0, f"{self.path.relative_to(self.config.rootpath)} on {self.name}"


def _runner(config: pytest.Config) -> Runner:
    plugin = config.pluginmanager.get_plugin("snippets-session")
    assert plugin, "exercises need a section [tool.snippetcheck] in pyproject.toml"
    return plugin.runner


def _submit_programs(exercise: Exercise, runner: Runner, engine: str, is_brief: bool) -> validate.RunProgram:
    """Start the programs of an exercise. Return a function that waits for the run of a program.

    If `is_brief`, only the start and the solution are run.
    """
    try:
        for program in validate.build_programs(exercise, is_brief).values():
            runner.submit(program, engine)
    except (SyntaxError, point.PointError):
        pass  # validate.find_problems reports the error
    return lambda snippet: runner.result(snippet, engine)


def _run_snippets(snippets: list[Any], runner: Runner, engine: str) -> list[Any]:
    for snippet in snippets:
        runner.submit(snippet, engine)
    return [runner.result(snippet, engine) for snippet in snippets]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the mutation score of an exercise to its report. pytest-xdist sends the report to the main process."""
    report = yield
    if isinstance(item, ExerciseItem) and item.score and report.when == "call":
        report.user_properties.append(("exercise", [item.nodeid, *item.score.to_json()]))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the number of mutants that the checks detected and each survivor; write the file of --exercise-evidence.

    If no solution was mutated, do nothing.
    """
    scores = _scores(terminalreporter)
    if not scores:
        return
    total = sum(count for _, count, _ in scores)
    survivors = [(name, text) for name, _, texts in scores for text in texts]
    for name, text in survivors:
        terminalreporter.write_line(f"survived: {name}: {text}")
    killed = total - len(survivors)
    terminalreporter.write_line(
        f"exercises: detected {killed} of {plural(total, 'mutant')}", red=killed < MINIMUM_SCORE * total
    )
    if config.getoption("exercise_evidence"):
        write_json(Path(config.getoption("exercise_evidence")), _evidence(config, total, survivors))


def _evidence(config: pytest.Config, total: int, survivors: list[tuple[str, str]]) -> dict[str, Any]:
    settings = _runner(config).settings
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
    record = provenance.describe_sources(
        settings.root, command, sources, {name for engine in engines for name in engine.distributions}
    )
    rows = [{"exercise": name, "change": text} for name, text in survivors]
    return {"provenance": record, "changes": total, "caught": total - len(survivors), "unseen": rows}


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the test run if the checks detected less than MINIMUM_SCORE of the mutants of this run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    scores = _scores(reporter) if reporter else []
    total = sum(count for _, count, _ in scores)
    survivors = sum(len(texts) for _, _, texts in scores)
    if scores and survivors > (1 - MINIMUM_SCORE) * total and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _scores(reporter: pytest.TerminalReporter) -> list[tuple[str, int, list[str]]]:
    """Return (name of the test, number of mutants, survivors) of each exercise whose solution was mutated."""
    reports = reporter.stats.get("passed", []) + reporter.stats.get("failed", [])
    properties = [pair for report in reports for pair in getattr(report, "user_properties", ())]
    return [tuple(value) for name, value in properties if name == "exercise"]

"""Check an exercise: its solution passes, its start fails, each of its wrong answers gets a distinct hint."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from snippetcheck.outcome import Run
from snippetcheck.program import Program
from snippetcheck.snippet import Manifest, Snippet, Statement

from gradnotes.exercises import check, point
from gradnotes.exercises.check import ERRORED, FAILED, PASSED, CheckResult
from gradnotes.exercises.parser import Answer, Exercise

RunProgram = Callable[[Snippet], Run]


@dataclass(frozen=True)
class Problem:
    """A violated rule in an exercise file: its line, the message and the remedy."""

    line: int
    message: str
    remedy: str


def build_snippet(exercise: Exercise, label: str, text: str) -> Snippet:
    """Build a snippet from a program of the exercise, so that the harness can run it."""
    statements = tuple(Statement(first, last) for first, last in Program(text, exercise.name).spans)
    return Snippet(
        path=exercise.path,
        name=f"exercises/{exercise.name}#{label}",
        title=label,
        title_last_line=0,
        manifest=Manifest(timeout=exercise.timeout),
        statements=statements,
        regions={},
        imports=frozenset(),
        text=text,
    )


def answers(exercise: Exercise) -> dict[str, Answer]:
    """Map "start", "solution", "right: LABEL" and "wrong: LABEL" to the known answers of an exercise with a check."""
    assert exercise.solution
    answers_by_name = {"start": Answer("start", exercise.start_line, exercise.start), "solution": exercise.solution}
    answers_by_name |= {f"right: {answer.label}": answer for answer in exercise.rights}
    return answers_by_name | {f"wrong: {answer.label}": answer for answer in exercise.wrongs}


def build_programs(exercise: Exercise, is_brief: bool = False) -> dict[str, Snippet]:
    """Map the names of `answers` to the programs of the known answers. If `is_brief`, include only start and solution.

    A `point` exercise has only the program "start", which prints the answer.

    Raises:
        PointError: see `point.instrumented_program`.
        SyntaxError: an answer is not Python.
    """
    if exercise.kind == "point":
        return {"start": build_snippet(exercise, "start", point.instrumented_program(exercise))}
    return {
        name: build_snippet(exercise, name, check.program_with_check(answer.text, exercise.check))
        for name, answer in answers(exercise).items()
        if not is_brief or name in ("start", "solution")
    }


def find_problems(exercise: Exercise, run: RunProgram, is_brief: bool = False) -> list[Problem]:
    """Run the known answers with `run`, and return their problems. If `is_brief`, run only start and solution."""
    try:
        snippets = build_programs(exercise, is_brief)
    except SyntaxError as error:
        return [Problem(exercise.start_line, f"an answer is not Python: {error.msg}", "correct the syntax")]
    except point.PointError as error:
        return [Problem(exercise.start_line, str(error), error.remedy)]
    if exercise.kind == "point":
        return list(_check_point_exercise(exercise, run(snippets["start"])))
    answers_by_name = answers(exercise)
    results = {
        name: check.evaluate(answers_by_name[name].text, exercise.check, run(snippet))
        for name, snippet in snippets.items()
    }
    return [*_check_answers(answers_by_name, results), *([] if is_brief else _find_idle_asserts(exercise, results))]


def _check_answers(answers_by_name: dict[str, Answer], results: dict[str, CheckResult]) -> Iterator[Problem]:
    """Yield a problem for each known answer that has an unexpected result, or gets the hint of another answer."""
    answer_by_hint: dict[str, str] = {}
    for name, result in results.items():
        answer = answers_by_name[name]
        if name == "solution" or name.startswith("right"):
            if result.state != PASSED:
                location = f" in line {result.line} of the check" if result.state == FAILED else ""
                yield Problem(
                    answer.line, f"{name} does not pass{location}: {result.message}", "correct the answer or the check"
                )
            continue
        if result.state == PASSED:
            message = "the start passes the check" if name == "start" else f"{name} passes the check"
            yield Problem(answer.line, message, "extend the check, or mark the answer as right")
            continue
        if result.state == ERRORED and name != "start":
            yield from _check_error(answer, result, results["start"])
        elif result.state == FAILED and result.error and result.error.type not in ("AssertionError", "NameError"):
            message = f"the check raises {result.error.type} on {name}: {result.error.message}"
            yield Problem(answer.line, message, "add an assert with a hint before it")
        elif answer.error:
            yield Problem(answer.line, f"{name} does not raise {answer.error}: {result.message}", "remove `# error:`")
        hint = f"line {result.line}" if result.state == FAILED else answer.error or result.message
        if hint in answer_by_hint:
            remedy = "add an assert that distinguishes them"
            yield Problem(answer.line, f"{name} gets the same hint as {answer_by_hint[hint]}: {result.message}", remedy)
        answer_by_hint.setdefault(hint, name)


def _find_idle_asserts(exercise: Exercise, results: dict[str, CheckResult]) -> Iterator[Problem]:
    """Yield a problem for each assert that no known answer violates."""
    violated_lines = {
        result.line
        for result in results.values()
        if result.state == FAILED and result.error and result.error.type == "AssertionError"
    }
    for node in ast.walk(ast.parse(exercise.check)):
        if isinstance(node, ast.Assert) and not any(
            node.lineno <= line <= (node.end_lineno or 0) for line in violated_lines
        ):
            line = exercise.check_line + node.lineno
            yield Problem(line, "no known answer violates this assert", "add a wrong answer that does")


def _check_error(answer: Answer, result: CheckResult, start: CheckResult) -> Iterator[Problem]:
    """Yield the problems of a wrong answer that raises before its check begins."""
    if not answer.error:
        remedy = "add `# error:` and `# hint:` under its mark"
        yield Problem(answer.line, f"wrong: {answer.label} raises before the check: {result.message}", remedy)
    elif result.error is None or not check.error_matches(answer.error, result.error):
        yield Problem(
            answer.line,
            f"wrong: {answer.label} should raise {answer.error}, but ends with {result.message}",
            "correct its `# error:`",
        )
    elif start.error and check.error_matches(answer.error, start.error):
        yield Problem(
            answer.line,
            f"wrong: {answer.label} raises the same error as the start, so its hint would always be shown",
            "remove this answer",
        )


def _check_point_exercise(exercise: Exercise, run: Run) -> Iterator[Problem]:
    """Yield the problem of a `point` exercise without an answer key, else the problems of its wrong answers."""
    try:
        answer_key = point.read_answer_key(exercise, run)
    except point.PointError as error:
        yield Problem(exercise.start_line, str(error), error.remedy)
        return
    label_by_choices: dict[tuple[str, ...], str] = {}
    for answer in exercise.wrongs:
        try:
            choices = point.selection(exercise, answer.label, answer_key.choices)
        except point.PointError as error:
            yield Problem(answer.line, str(error), error.remedy)
            continue
        if choices == answer_key.key:
            yield Problem(answer.line, f"wrong: {answer.label} is the right answer", "remove this answer")
        elif choices in label_by_choices:
            yield Problem(
                answer.line,
                f"wrong: {answer.label} is the same as {label_by_choices[choices]}",
                "remove one of the two",
            )
        label_by_choices.setdefault(choices, answer.label)

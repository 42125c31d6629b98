"""What an exercise promises, held against runs: the solution passes, the start fails, each wrong answer gets a hint of its own."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from snippetcheck.outcome import Run
from snippetcheck.program import Program
from snippetcheck.snippet import Manifest, Snippet, Statement

from gradnotes.exercises import judging, pointing
from gradnotes.exercises.format import Answer, Exercise
from gradnotes.exercises.judging import ENDED, FAILED, PASSED, Verdict

Runs = Callable[[Snippet], Run]


@dataclass(frozen=True)
class Complaint:
    """A promise that is not kept."""

    line: int
    message: str
    remedy: str


def run_of(exercise: Exercise, label: str, text: str) -> Snippet:
    """A program of the exercise as the harness runs programs."""
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
    """All that are known, by names of their own; of an exercise with a check."""
    assert exercise.solution
    found = {"start": Answer("start", exercise.start_line, exercise.start), "solution": exercise.solution}
    found |= {f"right: {one.label}": one for one in exercise.rights}
    return found | {f"wrong: {one.label}": one for one in exercise.wrongs}


def programs(exercise: Exercise, briefly: bool = False) -> dict[str, Snippet]:
    """What is to be run, by the names of the answers; briefly, start and solution. Raises PointError and SyntaxError."""
    if exercise.kind == "point":
        return {"start": run_of(exercise, "start", pointing.observed(exercise))}
    return {
        name: run_of(exercise, name, judging.program(one.text, exercise.check))
        for name, one in answers(exercise).items()
        if not briefly or name in ("start", "solution")
    }


def complaints(exercise: Exercise, runs: Runs, briefly: bool = False) -> list[Complaint]:
    """All promises that the runs on one engine do not keep; briefly, those of start and solution."""
    try:
        made = programs(exercise, briefly)
    except SyntaxError as error:
        return [Complaint(exercise.start_line, f"an answer is not Python: {error.msg}", "correct the syntax")]
    except pointing.PointError as error:
        return [Complaint(exercise.start_line, str(error), error.remedy)]
    if exercise.kind == "point":
        return list(_pointed(exercise, runs(made["start"])))
    known = answers(exercise)
    verdicts = {
        name: judging.verdict(known[name].text, exercise.check, runs(snippet)) for name, snippet in made.items()
    }
    return [*_judged(known, verdicts), *([] if briefly else _idle_asserts(exercise, verdicts))]


def _judged(known: dict[str, Answer], verdicts: dict[str, Verdict]) -> Iterator[Complaint]:
    hinted: dict[str, str] = {}  # what decides the hint, and whose it is
    for name, verdict in verdicts.items():
        one = known[name]
        if name == "solution" or name.startswith("right"):
            if verdict.state != PASSED:
                where = f" in line {verdict.line} of the check" if verdict.state == FAILED else ""
                yield Complaint(one.line, f"{name} does not pass{where}: {verdict.message}", "mend it, or the check")
            continue
        if verdict.state == PASSED:
            what = "the start passes already" if name == "start" else f"{name} passes"
            yield Complaint(one.line, what, "let the check see it, or call it right")
            continue
        if verdict.state == ENDED and name != "start":
            yield from _ended(one, verdict, verdicts["start"])
        elif verdict.state == FAILED and verdict.error and verdict.error.type not in ("AssertionError", "NameError"):
            what = f"the check raises {verdict.error.type} on {name}: {verdict.error.message}"
            yield Complaint(one.line, what, "let an assert come before, with a hint")
        elif one.error:
            yield Complaint(one.line, f"{name} does not raise {one.error}: {verdict.message}", "drop `# error:`")
        hint = f"line {verdict.line}" if verdict.state == FAILED else one.error or verdict.message
        if hint in hinted:
            remedy = "let the check tell them apart, with an assert of its own"
            yield Complaint(one.line, f"{name} gets the hint of {hinted[hint]}: {verdict.message}", remedy)
        hinted.setdefault(hint, name)


def _idle_asserts(exercise: Exercise, verdicts: dict[str, Verdict]) -> Iterator[Complaint]:
    caught = {
        one.line
        for one in verdicts.values()
        if one.state == FAILED and one.error and one.error.type == "AssertionError"
    }
    for node in ast.walk(ast.parse(exercise.check)):
        if isinstance(node, ast.Assert) and not any(node.lineno <= line <= (node.end_lineno or 0) for line in caught):
            line = exercise.check_line + node.lineno
            yield Complaint(line, "this assert catches no known answer", "write the wrong answer that it is for")


def _ended(one: Answer, verdict: Verdict, start: Verdict) -> Iterator[Complaint]:
    if not one.error:
        remedy = "say so with `# error:` and `# hint:` under its mark"
        yield Complaint(one.line, f"wrong: {one.label} raises before the check: {verdict.message}", remedy)
    elif verdict.error is None or not judging.fits(one.error, verdict.error):
        yield Complaint(one.line, f"wrong: {one.label} ends with {verdict.message}", "correct its `# error:`")
    elif start.error and judging.fits(one.error, start.error):
        yield Complaint(
            one.line, f"wrong: {one.label} raises what the start raises, so that its hint would meet all", "drop it"
        )


def _pointed(exercise: Exercise, run: Run) -> Iterator[Complaint]:
    try:
        asked = pointing.asked(exercise, run)
    except pointing.PointError as error:
        yield Complaint(exercise.start_line, str(error), error.remedy)
        return
    seen: dict[tuple[str, ...], str] = {}
    for one in exercise.wrongs:
        try:
            chosen = pointing.selection(exercise, one.label, asked.choices)
        except pointing.PointError as error:
            yield Complaint(one.line, str(error), error.remedy)
            continue
        if chosen == asked.key:
            yield Complaint(one.line, f"wrong: {one.label} is the answer", "drop it")
        elif chosen in seen:
            yield Complaint(one.line, f"wrong: {one.label} is {seen[chosen]} again", "drop one of the two")
        seen.setdefault(chosen, one.label)

"""What the page asks for when a reader presses *Check*: one function, text in, JSON out. It runs in a worker, on Pyodide."""

from __future__ import annotations

import json
from dataclasses import replace

from snippetcheck.program import Program

from gradnotes.exercises import judging
from gradnotes.steps import fresh, page, program


def judge(text: str, exercise: str) -> str:
    """Run the reader's program with the check behind it.

    `exercise` is JSON: `check`, and `errors`, each with the `error` that a known wrong answer raises. Returns JSON: `state` and
    `message` of the verdict, `line` of an error in the program, `known`, the index of the error that it is, or None, and `html`,
    the program with what it printed.
    """
    about = json.loads(exercise)
    page.forget_engine()
    try:
        own = len(Program(text, program.PATH).spans)
        outcome = fresh.run(program.run, judging.program(text, about["check"]))
    except SyntaxError as error:
        return _as_json(
            judging.Verdict(judging.ENDED, f"This is not Python: {error.msg}.", error.lineno or 0), None, ""
        )
    verdict = judging.verdict(text, about["check"], outcome.run)
    statements = outcome.run.statements[:own]
    shown = replace(outcome, run=replace(outcome.run, statements=statements), lines=outcome.lines[: len(statements)])
    fitting = [
        number
        for number, one in enumerate(about["errors"])
        if verdict.state == judging.ENDED and verdict.error and judging.fits(one["error"], verdict.error)
    ]
    return _as_json(verdict, fitting[0] if fitting else None, page.shown(text, shown))


def _as_json(verdict: judging.Verdict, known: int | None, html: str) -> str:
    line = verdict.line if verdict.state == judging.ENDED else 0
    return json.dumps({"state": verdict.state, "message": verdict.message, "line": line, "known": known, "html": html})

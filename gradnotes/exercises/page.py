"""What the page asks for when a reader presses *Check*: one function, text in, JSON out. It runs in a worker, on Pyodide."""

from __future__ import annotations

import json

from snippetcheck.program import Program

from gradnotes.exercises import judging
from gradnotes.steps import fresh, page, program
from gradnotes.steps.advice import advice, advice_for


def judge(text: str, exercise: str) -> str:
    """Run the reader's program with the check behind it.

    `exercise` is JSON: `check`, and `errors`, each with the `error` that a known wrong answer raises. Returns JSON: `state` and
    `message` of the verdict, `advice`, a sentence about the error or nothing, `line` of an error in the program, `known`, the
    index of the error that it is, or None, and `html`, what the program printed.
    """
    about = json.loads(exercise)
    page.take_engine()
    try:
        count = len(Program(text, program.PATH).spans)
        outcome = fresh.run(program.run, judging.program(text, about["check"]), None, None, count - 1)
    except SyntaxError as error:
        verdict = judging.Verdict(judging.ENDED, f"This is not Python: {error.msg}.", error.lineno or 0)
        return _as_json(verdict, advice(type(error).__name__, error.msg, error.text), None, "")
    verdict = judging.verdict(text, about["check"], outcome.run)
    fitting = [
        number
        for number, one in enumerate(about["errors"])
        if verdict.state == judging.ENDED and verdict.error and judging.fits(one["error"], verdict.error)
    ]
    raised = verdict.error if verdict.state == judging.ENDED else None
    return _as_json(verdict, advice_for(raised), fitting[0] if fitting else None, page.render_output(outcome, count))


def _as_json(verdict: judging.Verdict, sentence: str, known: int | None, html: str) -> str:
    line = verdict.line if verdict.state == judging.ENDED else 0
    result = {"state": verdict.state, "message": verdict.message, "advice": sentence, "line": line, "known": known}
    return json.dumps({**result, "html": html})

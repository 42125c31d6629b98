"""Check a reader's answer in the browser and return the result as JSON. The code runs in a web worker, on Pyodide."""

from __future__ import annotations

import json
from typing import Any

from snippetcheck.program import Program

from gradnotes.browser import restore_state, run
from gradnotes.browser.advice import advice, advice_for
from gradnotes.exercises import check
from gradnotes.recorder import program
from gradnotes.words import say, speaking


def judge(text: str, exercise: str, words: str | None = None) -> str:
    """Run the reader's program with the exercise's check after it, and return the result as JSON.

    Args:
        text: the reader's program
        exercise: a JSON object. `check` is the source of the check. `errors` has an object for each wrong answer that
            raises; its `error` is `Type: message`.
        words: the words of the page's language as a JSON object, see `gradnotes.words`; by default English

    The result has these keys:
        state, message: as in CheckResult
        advice: a sentence about the error, or an empty string
        line: line of the error in the program, or 0
        known: index of the first object in `errors` that matches the error of the program, or null
        html: the output and warnings of the program and the value of its last line, as HTML
    """
    with speaking(json.loads(words) if words else None):
        return _judge(text, json.loads(exercise))


def _judge(text: str, specification: dict[str, Any]) -> str:
    run.take_engine()
    try:
        count = len(Program(text, program.PATH).spans)
        result = restore_state.run(
            program.run, check.program_with_check(text, specification["check"]), None, None, count - 1
        )
    except SyntaxError as error:
        check_result = check.CheckResult(
            check.ERRORED, say("This is not valid Python: {message}.", message=error.msg), error.lineno or 0
        )
        return _as_json(check_result, advice(type(error).__name__, error.msg, error.text), None, "")
    check_result = check.evaluate(text, specification["check"], result.run)
    raised_error = check_result.error if check_result.state == check.ERRORED else None
    known_index = None
    if raised_error:
        matches = (
            number
            for number, entry in enumerate(specification["errors"])
            if check.error_matches(entry["error"], raised_error)
        )
        known_index = next(matches, None)
    return _as_json(check_result, advice_for(raised_error), known_index, run.render_output(result, count))


def _as_json(check_result: check.CheckResult, advice_text: str, known_index: int | None, html: str) -> str:
    return json.dumps(
        {
            "state": check_result.state,
            "message": check_result.message,
            "advice": advice_text,
            "line": check_result.line if check_result.state == check.ERRORED else 0,
            "known": known_index,
            "html": html,
        }
    )

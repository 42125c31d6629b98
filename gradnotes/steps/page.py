"""What the page asks for when a reader runs a program: one function, text in, JSON out.

It runs in a worker, on Pyodide. Each run gets an engine of its own, and whatever else it changes is put back: steps/fresh.py.
"""

from __future__ import annotations

import bisect
import contextlib
import gc
import importlib
import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from snippetcheck.outcome import RAISED, StatementRun, warning_name

from gradnotes.steps import editing, fresh, outputs, program, view
from gradnotes.steps.advice import advice, advice_for

FRESH = ("reference_impl", "gradnotes.steps.passes")
CUT = f"The output was cut here: of one statement the first {program.TEXT_LIMIT:,} characters are shown."
SO_FAR = 8_000  # characters that are shown of what a statement prints while it runs

_prepared = False


def answer(text: str, identifier: str, page: str | None = None, tell: Callable[[str], None] | None = None) -> str:
    """Run `text` and describe what it did.

    `page` is the program that the page shows, with its `#>`, `#!` and `#~` lines; without it, `text` is. `tell` is called
    while it runs, with JSON: `line` and `html`, as in `shown`. Returns JSON: `shown`, for each statement that did something
    the `line` of the program behind which the `html` goes; `verdict`, one sentence; `state`, one of "same", "differs", "edited",
    "failed"; `differences`, sentences; `figures`, the step viewers of its backward passes; `error`, None or its `text`, its
    `line`, its `calls`, a list of lines and functions, and its `advice`, a sentence or nothing.
    """
    take_engine()
    on_page = editing.page_program(text if page is None else page)
    unchanged = on_page is not None and (page is None or editing.same_program(text, on_page.text))
    # What an unchanged program prints of its own lines is what the page shows.
    source = on_page.snippet.text if on_page and unchanged else text
    kept = on_page.kept if on_page and unchanged and page is not None else None
    where = _Places(source, kept)

    def told(index: int, did: StatementRun) -> None:
        if tell and (index < len(where.last)) and (markup := "".join(done(did))):
            tell(json.dumps({"line": where.last[index], "html": markup}))

    try:
        where.read()
        last = None if unchanged else len(where.spans) - 1  # a reader's program ends like a cell of a notebook
        outcome = fresh.run(program.run, source, told, None, last)
    except SyntaxError as error:
        line, kind = error.lineno or 1, type(error).__name__
        problem = {
            "text": f"{kind}: {error.msg}",
            "line": line,
            "calls": [],
            "advice": advice(kind, error.msg, error.text),
        }
        return json.dumps(_result([], f"This is not Python, line {line}: {error.msg}.", "failed", error=problem))
    return json.dumps(_described(outcome, identifier, source, where, on_page, unchanged))


def prepare() -> None:
    """Import the engine for the next run, while nobody waits for it."""
    global _prepared
    if not _prepared:
        forget_engine()
        importlib.import_module("gradnotes.steps.passes")
        _prepared = True


def forget_engine() -> None:
    """Let go of an engine that a program has used, with all that the program has left: an engine is full of circles."""
    global _prepared
    _prepared = False
    for name in [name for name in sys.modules if name.startswith(FRESH)]:
        del sys.modules[name]
    importlib.invalidate_caches()
    with contextlib.redirect_stderr(io.StringIO()):  # what a destructor of the program complains of
        gc.collect()


def take_engine() -> None:
    """Let the next run have an engine that no other has had."""
    global _prepared
    if not _prepared:
        forget_engine()
    _prepared = False


class _Places:
    """Where the statements of a program stand in the reader's editor: `last` has the last line of each."""

    def __init__(self, source: str, kept: list[int] | None):
        self.source, self.kept, self.last = source, kept, list[int]()

    def read(self) -> None:
        """Find the statements; raises SyntaxError."""
        self.spans = program.Program(self.source, program.PATH).spans
        self.last = [self.line(last) for _, last in self.spans]

    def line(self, number: int) -> int:
        """The line in the editor."""
        return bisect.bisect_right(self.kept, number) if self.kept else number


def _described(
    outcome: program.Outcome,
    identifier: str,
    source: str,
    where: _Places,
    on_page: editing.PageProgram | None,
    unchanged: bool,
) -> dict[str, Any]:
    found = editing.compared(source, where.spans, on_page.snippet, outcome.run) if on_page and where.spans else None
    shown = []
    for index, did in enumerate(outcome.run.statements):
        parts = done(did)
        parts[1:1] = [outputs.note(CUT)] if index in outcome.cut else []  # behind what was printed
        if outcome.value is not None and index == len(where.spans) - 1:
            parts.append(outputs.block("=", outcome.value.split("\n")))
        if found and index in found.page:
            parts.append(outputs.page(found.page[index]))
        if parts:
            shown.append({"line": where.last[index], "html": "".join(parts)})
    figures = view.figures(outcome.passes, identifier)
    verdict, state = _verdict(outcome, found, unchanged)
    said = _differences(found) if found and unchanged else []
    return _result(shown, verdict, state, said, figures, _error(outcome, where))


def _result(
    shown: list[dict[str, Any]],
    verdict: str,
    state: str,
    differences: list[str] | None = None,
    figures: list[str] | None = None,
    error: dict[str, Any] | None = None,
) -> dict[str, Any]:
    return {
        "shown": shown,
        "verdict": verdict,
        "state": state,
        "differences": differences or [],
        "figures": figures or [],
        "error": error,
    }


def _verdict(outcome: program.Outcome, found: editing.Comparison | None, unchanged: bool) -> tuple[str, str]:
    """What is said of the run: an unchanged program is held to the page, a changed one is the reader's own."""
    if found and unchanged:
        things = "line" if found.compared == 1 else "lines"
        if not found.findings:
            return f"Same as on the page: {found.compared} {things} of output compared.", "same"
        return "Not what the page shows.", "differs"
    if outcome.run.outcome == RAISED:
        return "Your program ended with an error.", "failed"
    if not found or not found.compared:
        return "Your program ran.", "edited"
    if not found.page:
        return "Your program ran. What it has in common with the page's gave the page's results.", "edited"
    return "Your program ran. Where its result is another, the page's stands under it.", "edited"


def _differences(found: editing.Comparison) -> list[str]:
    said = []
    for finding in found.findings:
        was, now = " / ".join(finding.expected), " / ".join(finding.actual)
        detail = f" The page says {was!r}, the run gave {now!r}." if was or now else ""
        said.append(f"{finding.message[:1].upper()}{finding.message[1:]}.{detail}")
    return said


def _error(outcome: program.Outcome, where: _Places) -> dict[str, Any] | None:
    error = outcome.run.statements[-1].error if outcome.run.statements else None
    if error is None:
        return None
    calls = [[where.line(line), name] for line, name in outcome.calls]
    line = calls[-1][0] if calls else None
    return {"text": f"{error.type}: {error.message}", "line": line, "calls": calls, "advice": advice_for(error)}


def render_output(outcome: program.Outcome, count: int) -> str:
    """Render what the first `count` statements printed, their warnings, and the value that was requested; no error."""
    parts: list[str] = []
    for index, did in enumerate(outcome.run.statements[:count]):
        parts += done(replace(did, error=None))
        parts += [outputs.note(CUT)] if index in outcome.cut else []
    if outcome.value is not None:
        parts.append(outputs.block("=", outcome.value.split("\n")))
    return f'<pre tabindex="0"><code>{"".join(parts)}</code></pre>' if parts else ""


def done(did: StatementRun) -> list[str]:
    """What a statement did, as markup; of one that still runs, the end of what it has printed."""
    text = did.output + did.stderr
    printed = (text if did.ended or len(text) < SO_FAR else f"…\n{text[-SO_FAR:]}").split("\n")
    if printed[-1] == "":
        printed.pop()
    out = [outputs.block(">", printed)] if printed else []
    out += [
        outputs.block("~", f"{warning_name(category)}: {message}".split("\n")) for category, message in did.warnings
    ]
    if did.error:
        out.append(outputs.block("!", f"{did.error.type}: {did.error.message}".split("\n")))
    return out

"""What the page asks for when a reader runs a program: one function, text in, JSON out.

It runs in a worker, on Pyodide. Each run gets an engine of its own, and whatever else it changes is put back: steps/fresh.py.
"""

from __future__ import annotations

import bisect
import html
import importlib
import json
import sys
from collections.abc import Callable
from typing import Any

from snippetcheck.outcome import RAISED, StatementRun, warning_name

from gradnotes.steps import editing, fresh, outputs, program, view

FRESH = ("reference_impl", "gradnotes.steps.passes")
SO_FAR = 8_000  # characters that are shown of what a statement prints while it runs

_prepared = False


def answer(text: str, identifier: str, page: str | None = None, tell: Callable[[str], None] | None = None) -> str:
    """Run `text` and describe what it did.

    `page` is the program that the page shows, with its `#>`, `#!` and `#~` lines; without it, `text` is. `tell` is called
    while it runs, with JSON: `line` and `html`, as in `shown`. Returns JSON: `shown`, for each statement that did something
    the `line` of the program behind which the `html` goes; `verdict`, one sentence; `state`, one of "same", "differs", "edited",
    "failed"; `differences`, sentences; `figures`, the step viewers of its backward passes; `error`, None or its `text`, its
    `line` and its `calls`, a list of lines and functions.
    """
    forget_engine()
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
        outcome = fresh.run(program.run, source, told)
    except SyntaxError as error:
        line = error.lineno or 1
        problem = {"text": f"{type(error).__name__}: {error.msg}", "line": line, "calls": []}
        return json.dumps(_result([], f"This is not Python, line {line}: {error.msg}.", "failed", error=problem))
    return json.dumps(_described(outcome, identifier, source, where, on_page, unchanged))


def prepare() -> None:
    """Import the engine for the next run, while nobody waits for it."""
    global _prepared
    _forget()
    importlib.import_module("gradnotes.steps.passes")
    _prepared = True


def forget_engine() -> None:
    """Let the next run have an engine that no other has had."""
    global _prepared
    if not _prepared:
        _forget()
    _prepared = False


def _forget() -> None:
    for name in [name for name in sys.modules if name.startswith(FRESH)]:
        del sys.modules[name]
    importlib.invalidate_caches()


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
    return {"text": f"{error.type}: {error.message}", "line": line, "calls": calls}


def shown(text: str, outcome: program.Outcome) -> str:
    """The statements that ran, each with what it did now in place of what the text says."""
    lines = text.split("\n")
    out: list[str] = []
    reached = outcome.lines[0][0] - 1 if outcome.lines else 0
    for (first, last), did in zip(outcome.lines, outcome.run.statements, strict=True):
        out += _code(lines[reached : first - 1]) + _code(lines[first - 1 : last], keep=True)
        reached = last
        out += done(did)
    return f'<pre tabindex="0"><code>{"".join(out)}</code></pre>'


def _code(lines: list[str], keep: bool = False) -> list[str]:
    """Lines of the program; between statements the old expectations are left out."""
    kept = [line for line in lines if keep or not line.startswith(("#>", "#!", "#~"))]
    return [html.escape(line) + "\n" for line in kept]


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

"""What the page asks for when a reader runs an example: one function, text in, JSON out.

It runs in a worker, on Pyodide. Each run gets modules of its own, so that nothing a program did to
the engine (a seed, a default dtype, a global hook) is left for the next one.
"""

from __future__ import annotations

import html
import importlib
import json
import sys

from snippetcheck.compare import compare
from snippetcheck.outcome import RAISED, StatementRun
from snippetcheck.snippet import Snippet, SnippetError

from gradnotes.steps import outputs, program, view

FRESH = ("reference_impl", "gradnotes.steps.passes")


def answer(text: str, identifier: str) -> str:
    """Run `text` and describe what it did.

    Returns JSON: `html`, the program with what it printed now; `verdict`, one sentence; `differences`,
    sentences; `figures`, the step viewers of its backward passes; `failed`, whether it ended with an error.
    """
    forget_engine()
    try:
        outcome = program.run(text)
    except SyntaxError as error:
        where = f"line {error.lineno}" if error.lineno else "the program"
        return _answer("", f"This is not Python, {where}: {error.msg}.", failed=True)
    differences, verdict = _compared(outcome)
    figures = view.figures(outcome.passes, identifier)
    return _answer(shown(text, outcome), verdict, differences, figures, failed=outcome.run.outcome == RAISED)


def forget_engine() -> None:
    """Let the next run import the engine anew."""
    for name in [name for name in sys.modules if name.startswith(FRESH)]:
        del sys.modules[name]
    importlib.invalidate_caches()


def _answer(
    shown: str, verdict: str, differences: list[str] | None = None, figures: list[str] | None = None, *, failed: bool
) -> str:
    return json.dumps(
        {
            "html": shown,
            "verdict": verdict,
            "differences": differences or [],
            "figures": figures or [],
            "failed": failed,
        }
    )


def _compared(outcome: program.Outcome) -> tuple[list[str], str]:
    """How the run differs from the `#>`, `#!` and `#~` lines of the text itself."""
    stated = outcome.stated
    if isinstance(stated, SnippetError):
        return [], f"Not compared with the page, since line {stated.line} {stated.message}."
    findings = compare(stated, outcome.run)
    expected = _expectations(stated)
    if not findings:
        things = "line" if expected == 1 else "lines"
        return [], f"Same as on the page: {expected} {things} of output compared."
    said = []
    for finding in findings:
        was, now = " / ".join(finding.expected), " / ".join(finding.actual)
        detail = f" The text says {was!r}, the run gave {now!r}." if was or now else ""
        said.append(f"Line {finding.line}: {finding.message}.{detail}")
    return said, "Not what the text says."


def _expectations(snippet: Snippet) -> int:
    return sum(len(s.output) + bool(s.error) + len(s.warnings) for s in snippet.statements)


def shown(text: str, outcome: program.Outcome) -> str:
    """The statements that ran, each with what it did now in place of what the text says."""
    lines = text.split("\n")
    out: list[str] = []
    reached = outcome.lines[0][0] - 1 if outcome.lines else 0
    for (first, last), did in zip(outcome.lines, outcome.run.statements, strict=True):
        out += _code(lines[reached : first - 1]) + _code(lines[first - 1 : last], keep=True)
        reached = last
        out += _done(did)
    return f'<pre tabindex="0"><code>{"".join(out)}</code></pre>'


def _code(lines: list[str], keep: bool = False) -> list[str]:
    """Lines of the program; between statements the old expectations are left out."""
    kept = [line for line in lines if keep or not line.startswith(("#>", "#!", "#~"))]
    return [html.escape(line) + "\n" for line in kept]


def _done(did: StatementRun) -> list[str]:
    out = []
    printed = (did.output + did.stderr).split("\n")
    if printed[-1] == "":
        printed.pop()
    if printed:
        out.append(outputs.block(">", printed))
    for category, message in did.warnings:
        out.append(outputs.block("~", f"{category}: {message}".split("\n")))
    if did.error:
        out.append(outputs.block("!", f"{did.error.type}: {did.error.message}".split("\n")))
    return out

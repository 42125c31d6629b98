"""Run a reader's program in the browser and return the result as JSON.

The code runs in a web worker, on Pyodide. Each run gets a new engine; restore_state.py undoes the other changes
that the program makes to the process.
"""

from __future__ import annotations

import bisect
import contextlib
import gc
import importlib
import io
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from snippetcheck.outcome import RAISED, RaisedError, StatementRun, warning_name

from gradnotes.browser import edited_program, restore_state
from gradnotes.browser.advice import advice, advice_for
from gradnotes.figures import plot_drawing
from gradnotes.recorder import plots, program
from gradnotes.viewer import output_markup, pass_viewer
from gradnotes.words import is_english, say, speaking, translatable

FRESH = ("reference_impl", "gradnotes.recorder.backward_passes")  # imported again for each run
CUT = translatable("The output is cut off here: of each statement, only the first {limit:,} characters are shown.")
PARTIAL_LIMIT = 8_000  # characters of a running statement's output on the page

_is_prepared = False


def run_program(
    text: str,
    identifier: str,
    page: str | None = None,
    on_progress: Callable[[str], None] | None = None,
    words: str | None = None,
) -> str:
    """Run a program and return its result as JSON.

    Args:
        text: the program
        identifier: prefix of the HTML ids of its step viewers and plots
        page: the program on the page, with its `#>`, `#!` and `#~` lines; by default `text`
        on_progress: called while the program runs, with a JSON object that has `line` and `html` as in `shown`
        words: the words of the page's language as a JSON object, see `gradnotes.words`; by default English

    The JSON object has these keys:
        shown: for each statement that has output or differs from the page, its `html`, and the `line` of the editor
            under which the html belongs
        verdict: a sentence
        state: "same" or "differs" if the program is unchanged, else "edited"; "failed" if an edited program raised, or
            if the program is not Python
        differences: sentences about the findings in an unchanged program
        figures: the step viewers of the backward passes
        error: null or an object. `text` is the error, `line` its line or null, `calls` has [line, function] of each
            call that led to it, `advice` is a sentence or an empty string.
    """
    with speaking(json.loads(words) if words else None):
        return _run_program(text, identifier, page, on_progress)


def _run_program(text: str, identifier: str, page: str | None, on_progress: Callable[[str], None] | None) -> str:
    take_engine()
    page_program = edited_program.parse_page_program(text if page is None else page)
    is_unchanged = page_program is not None and (
        page is None or edited_program.is_same_program(text, page_program.text)
    )
    # An unchanged program runs with its hidden lines, so that what it prints of its own source is as on the page.
    source = page_program.snippet.text if page_program and is_unchanged else text
    visible_lines = page_program.visible_lines if page_program and is_unchanged and page is not None else None
    editor = _EditorLines(source, visible_lines)

    plot_count = 0

    def report(index: int, statement: StatementRun, figures: Sequence[plots.Figure | str]) -> None:
        nonlocal plot_count
        if on_progress and index < len(editor.last_lines):
            markup = "".join([*output_blocks(statement), plot_drawing.render(figures, identifier, plot_count)])
            plot_count += plot_drawing.count(figures)
            if markup:
                on_progress(json.dumps({"line": editor.last_lines[index], "html": markup}))

    try:
        editor.parse()
        value_of = None if is_unchanged else len(editor.spans) - 1  # an edited program ends like a notebook cell
        result = restore_state.run(program.run, source, report, None, value_of)
    except SyntaxError as error:
        line, kind = error.lineno or 1, type(error).__name__
        syntax_error = {
            "text": f"{kind}: {error.msg}",
            "line": line,
            "calls": [],
            "advice": advice(kind, error.msg, error.text),
        }
        verdict = say("Line {line} is not valid Python: {message}.", line=line, message=error.msg)
        return json.dumps(_as_data([], verdict, "failed", error=syntax_error))
    return json.dumps(_describe_result(result, identifier, source, editor, page_program, is_unchanged))


def prepare() -> None:
    """Import the engine for the next run. The worker calls this while the reader is not waiting."""
    global _is_prepared
    if not _is_prepared:
        forget_engine()
        importlib.import_module("gradnotes.recorder.backward_passes")
        _is_prepared = True


def forget_engine() -> None:
    """Remove the engine of the last run from sys.modules, and collect the reference cycles that the run left."""
    global _is_prepared
    _is_prepared = False
    for name in [name for name in sys.modules if name.startswith(FRESH)]:
        del sys.modules[name]
    # The engine has added a finder to sys.meta_path, which would keep all modules of the engine alive.
    sys.meta_path[:] = [finder for finder in sys.meta_path if not getattr(finder, "__module__", "").startswith(FRESH)]
    importlib.invalidate_caches()
    with contextlib.redirect_stderr(io.StringIO()):  # the program's destructors may fail
        gc.collect()


def take_engine() -> None:
    """Ensure that the next run gets an engine that no program has used."""
    global _is_prepared
    if not _is_prepared:
        forget_engine()
    _is_prepared = False


class _EditorLines:
    """Map lines of a program to lines of the reader's editor, which hides some lines of a snippet.

    `last_lines` has the line in the editor at which each statement ends.
    """

    def __init__(self, source: str, visible_lines: list[int] | None):
        self.source, self.visible_lines, self.last_lines = source, visible_lines, list[int]()

    def parse(self) -> None:
        """Parse the program.

        Raises:
            SyntaxError: the program is not Python.
        """
        self.spans = program.Program(self.source, program.PATH).spans
        self.last_lines = [self.line(last) for _, last in self.spans]

    def line(self, number: int) -> int:
        """Return the line of the editor that shows line `number` of the program or, if that is hidden, a line before it."""
        return bisect.bisect_right(self.visible_lines, number) if self.visible_lines else number


def _describe_result(
    result: program.ProgramResult,
    identifier: str,
    source: str,
    editor: _EditorLines,
    page_program: edited_program.PageProgram | None,
    is_unchanged: bool,
) -> dict[str, Any]:
    comparison = None
    if page_program and editor.spans:
        comparison = edited_program.compare_with_page(source, editor.spans, page_program.snippet, result.run)
    figures = pass_viewer.figures(result.passes, identifier)
    verdict, state = _verdict(result, comparison, is_unchanged)
    differences = _differences(comparison) if comparison and is_unchanged else []
    html = _statements_html(result, identifier, editor, comparison)
    return _as_data(html, verdict, state, differences, figures, _error_data(result, editor))


def _statements_html(
    result: program.ProgramResult, identifier: str, editor: _EditorLines, comparison: edited_program.Comparison | None
) -> list[dict[str, Any]]:
    """Return `line` and `html` of each statement that has output or differs from the page."""
    entries = []
    plot_count = 0
    for index, statement in enumerate(result.run.statements):
        blocks = output_blocks(statement)
        blocks[1:1] = [_cut_note()] if index in result.cut else []  # after the printed text
        if result.value is not None and index == len(editor.spans) - 1:
            blocks.append(output_markup.block("=", result.value.split("\n")))
        blocks.append(plot_drawing.render(result.plots[index], identifier, plot_count))
        plot_count += plot_drawing.count(result.plots[index])
        if comparison and index in comparison.page_lines_by_index:
            blocks.append(output_markup.page(comparison.page_lines_by_index[index]))
        if markup := "".join(blocks):
            entries.append({"line": editor.last_lines[index], "html": markup})
    return entries


def _cut_note() -> str:
    return output_markup.note(say(CUT, limit=program.TEXT_LIMIT))


def _as_data(
    statements_html: list[dict[str, Any]],
    verdict: str,
    state: str,
    differences: list[str] | None = None,
    figures: list[str] | None = None,
    error: dict[str, Any] | None = None,
) -> dict[str, Any]:
    return {
        "shown": statements_html,
        "verdict": verdict,
        "state": state,
        "differences": differences or [],
        "figures": figures or [],
        "error": error,
    }


def _verdict(
    result: program.ProgramResult, comparison: edited_program.Comparison | None, is_unchanged: bool
) -> tuple[str, str]:
    """Return `verdict` and `state` of a run. Only an unchanged program must print what the page shows."""
    if comparison and is_unchanged:
        if comparison.findings:
            return say("The output differs from that on the page."), "differs"
        sentence = say(
            "The output is the same as on the page: {count} line compared.",
            "The output is the same as on the page: {count} lines compared.",
            count=comparison.compared_count,
        )
        return sentence, "same"
    if result.run.outcome == RAISED and _last_error(result):
        return say("Your program ended with an error."), "failed"
    if not comparison or not comparison.compared_count:
        return say("Your program ran."), "edited"
    if not comparison.page_lines_by_index:
        return say(
            "Your program ran. The statements that it shares with the page's program gave the same results."
        ), "edited"
    return say("Your program ran. Where a result differs, the page's result is shown under it."), "edited"


def _differences(comparison: edited_program.Comparison) -> list[str]:
    sentences = []
    for finding in comparison.findings:
        expected, actual = " / ".join(finding.expected), " / ".join(finding.actual)
        detail = (
            say(" The page shows {expected!r}, the run gave {actual!r}.", expected=expected, actual=actual)
            if expected or actual
            else ""
        )
        # In other languages, leave out the message of the harness: it is in English, and the detail says the same.
        message = "" if detail and not is_english() else f"{finding.message[:1].upper()}{finding.message[1:]}."
        sentences.append(f"{message}{detail}".strip())
    return sentences


def _last_error(result: program.ProgramResult) -> RaisedError | None:
    """Return the error that ended a program; None if there is none, or if it is `exit()`, for which Python shows no error."""
    error = result.run.statements[-1].error if result.run.statements else None
    return None if error and error.is_success else error


def _error_data(result: program.ProgramResult, editor: _EditorLines) -> dict[str, Any] | None:
    error = _last_error(result)
    if error is None:
        return None
    calls = [[editor.line(line), name] for line, name in result.calls]
    line = calls[-1][0] if calls else None
    return {"text": error.short_summary, "line": line, "calls": calls, "advice": advice_for(error)}


def render_output(result: program.ProgramResult, count: int) -> str:
    """Render the output and warnings of the first `count` statements, and `result.value`; leave errors out.

    Return "" if there is nothing to show.
    """
    blocks: list[str] = []
    for index, statement in enumerate(result.run.statements[:count]):
        blocks += output_blocks(replace(statement, error=None))
        blocks += [_cut_note()] if index in result.cut else []
    if result.value is not None:
        blocks.append(output_markup.block("=", result.value.split("\n")))
    return f'<pre tabindex="0"><code>{"".join(blocks)}</code></pre>' if blocks else ""


def output_blocks(statement: StatementRun) -> list[str]:
    """Render a statement's output, warnings and error. Of a running statement, show only the last PARTIAL_LIMIT characters.

    Return one HTML text for the output, if there is any, one for each warning, and one for the error.
    """
    text = statement.output + statement.stderr
    is_short = statement.has_ended or len(text) < PARTIAL_LIMIT
    lines = (text if is_short else f"…\n{text[-PARTIAL_LIMIT:]}").split("\n")
    if lines[-1] == "":
        lines.pop()
    blocks = [output_markup.block(">", lines)] if lines else []
    blocks += [
        output_markup.block("~", f"{warning_name(category)}: {message}".split("\n"))
        for category, message in statement.warnings
    ]
    if statement.error and not statement.error.is_success:
        blocks.append(output_markup.block("!", statement.error.short_summary.split("\n")))
    return blocks

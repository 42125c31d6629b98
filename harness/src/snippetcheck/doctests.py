"""Read `>>>` examples with the parser of doctest, compare their output as doctest does, and create the lines that bless writes."""

from __future__ import annotations

import ast
import contextlib
import doctest
import re
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from snippetcheck.compare import Finding
from snippetcheck.manifest import Manifest, Rules
from snippetcheck.outcome import StatementRun
from snippetcheck.prompts import SETUP
from snippetcheck.snippet import Prompts, Snippet, Statement
from snippetcheck.source import SnippetError, imports

_TRACEBACK = ("Traceback (most recent call last):", "    ...")
_LINE = re.compile(r"line (\d+) of the doc(?:string|test) for \S+ (?:has|lacks) ?")
_CHECKER = doctest.OutputChecker()


@dataclass(frozen=True)
class Want:
    """The output that doctest expects under a `>>>` example, in lines `first` to `last` (1-based, inclusive).

    Without output, `last` is `first - 1`.
    """

    source: str
    text: str
    error: str | None  # the lines of class and message in the expected traceback
    options: int  # option flags of doctest for this example
    first: int
    last: int

    def findings(self, index: int, statement: Statement, run: StatementRun) -> list[Finding]:
        """Return a list with one finding if the statement ended and doctest would not accept its run, else an empty list."""
        if self.accepts(run) or not run.has_ended:
            return []
        line, remedy = (self.first if self.text else statement.last), "bless it if the output is right"
        if replace(self, options=self.options | doctest.ELLIPSIS).accepts(run):
            remedy = 'to let `...` stand for text, set doctest_options = ["ELLIPSIS"], which is the default of pytest'
        expected, actual = _split_lines(self.text), _escape_blank_lines(_split_lines(_end_with_newline(run)))
        if run.error is None:
            if self.error is not None:
                message = f"does not raise; it expects {self.error.strip()}"
            elif not expected:
                message = "prints something, and no output is expected under it"
            else:
                message = "prints something other than the lines under it say"
            return [Finding(line, message, remedy, tuple(expected), tuple(actual), index)]
        if self.error is not None:
            lines = _split_lines(self.error), _split_lines(run.error.summary)
            message = "raises something other than the traceback under it says"
            return [Finding(line, message, remedy, tuple(lines[0]), tuple(lines[1]), index)]
        message = f"raises {run.error.name}, and no traceback is expected under it"
        trace = _split_lines(run.error.text or run.error.summary)
        remedy = f"correct the example; if it is meant to raise, write `{_TRACEBACK[0]}` under it and bless it"
        if run.error.name in ("SyntaxError", "IndentationError"):
            remedy = "correct the syntax; each further line of a statement begins with `...`"
        if run.error.line and not statement.first <= run.error.line <= statement.last:
            remedy = "correct the module, or install what it imports: its import fails before the first example"
        elif run.error.name == "NameError":
            remedy = "define it in a `>>>` example above or in doctest_setup; other code and `testsetup` are not run"
        if trace[1:] and trace[1].startswith(f'  File "{SETUP}"'):
            remedy = f"correct {SETUP}"
        return [Finding(run.error.line or statement.first, message, remedy, (), tuple(trace), index)]

    def accepts(self, run: StatementRun) -> bool:
        """Return whether doctest would accept this run."""
        if run.error is None:
            return _CHECKER.check_output(self.text, _end_with_newline(run), self.options)
        if self.error is None:
            return False
        expected, actual = self.error, f"{run.error.summary}\n"
        if self.options & doctest.IGNORE_EXCEPTION_DETAIL:
            expected, actual = _bare_class(expected), _bare_class(actual)
        return _CHECKER.check_output(expected, actual, self.options)

    def lines_to_write(self, run: StatementRun) -> list[str]:
        """Return the expected lines that `bless` writes under the example for this run, without indentation.

        If doctest accepts the run, these are the present lines.
        """
        if self.accepts(run):
            return _split_lines(self.text)
        if run.error:
            return [*_TRACEBACK, *_split_lines(run.error.summary)]
        return _escape_blank_lines(_split_lines(_end_with_newline(run)))

    @property
    def documented_lines(self) -> list[int]:
        """Return the line numbers of the expected output. Of a traceback, return only those of the class and the message."""
        count = len(_split_lines(self.text if self.error is None else self.error))
        return list(range(self.last - count + 1, self.last + 1))


def parse(text: str, path: Path, name: str, rules: Rules, prompts: Prompts, options: int) -> Snippet | None:
    """Read the `>>>` examples of a text, without those that have `+SKIP`, as one snippet. Return None if the text has no others.

    Args:
        prompts: the module and the setup program whose names the examples can use.
        options: the option flags of doctest that hold for all examples.

    Raises:
        SnippetError: if doctest cannot parse the examples.
    """
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError as error:
        line = _LINE.match(str(error))
        message = f"not a doctest: {_LINE.sub('', str(error))}"
        number = int(line[1]) + ("option directive" in message) if line else 1  # there, doctest counts from 0
        raise SnippetError(path, number, message, "correct the example") from None
    statements = []
    for example in examples:
        flags = options
        for flag, is_on in example.options.items():
            flags = flags | flag if is_on else flags & ~flag
        if not flags & doctest.SKIP:
            first = example.lineno + 1
            last = first + example.source.count("\n") - 1
            end = last + example.want.count("\n")
            want = Want(example.source, example.want, example.exc_msg, flags, last + 1, end)
            statements.append(Statement(first, last, want=want))
    if not statements:
        return None
    read_again = partial(parse, path=path, name=name, rules=rules, prompts=prompts, options=options)
    manifest = Manifest(engines=rules.engines, timeout=rules.timeout)
    sources = [f"import {prompts.module}" if prompts.module else "", prompts.setup]
    packages = _imports([*sources, *(statement.want.source for statement in statements)])
    return Snippet(
        *(path, name, "", statements[0].first - 1, manifest, tuple(statements), {}, packages, text),
        prompts=prompts,
        read_again=read_again,  # type: ignore[arg-type]  # bless and mutations do not add `+SKIP`, so that it never returns None
    )


def _imports(sources: list[str]) -> frozenset[str]:
    """Return the packages that these programs import. Skip programs that are not valid Python."""
    packages: set[str] = set()
    for source in sources:
        with contextlib.suppress(SyntaxError):
            packages.update(imports(ast.parse(source).body, source.split("\n")))
    return frozenset(packages)


def _split_lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _escape_blank_lines(lines: list[str]) -> list[str]:
    return [line or "<BLANKLINE>" for line in lines]


def _end_with_newline(run: StatementRun) -> str:
    """Return the output of a run with a newline at its end, as doctest compares it. Empty output stays empty."""
    return run.output if run.output.endswith("\n") or not run.output else f"{run.output}\n"


def _bare_class(text: str) -> str:
    """Return the class of an error, without module and message."""
    return re.split(r"[:\n]", text, maxsplit=1)[0].rpartition(".")[2]

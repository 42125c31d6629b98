"""Convert `>>>` examples to snippet files, or to fences on new Markdown pages.

Examples are converted only if they pass as doctests. The new program must print the same output.
"""

from __future__ import annotations

import ast
import builtins
import doctest
import os
import re
import symtable
from collections.abc import Callable
from pathlib import Path

from snippetcheck.bless import BlessError, bless_repeatedly
from snippetcheck.compare import compare, output_lines
from snippetcheck.doctests import Want
from snippetcheck.examples import SUFFIXES, line_of
from snippetcheck.expected import has_only_wildcards, matches, pieces_of_line
from snippetcheck.outcome import Run, StatementRun
from snippetcheck.runner.runner import Runner
from snippetcheck.settings import Settings
from snippetcheck.snippet import Snippet, SnippetError, is_print, parse
from snippetcheck.source import display_path, plural

_FORMS = ("print({})", "print(repr({}))", "{}")  # of an expression in a program, tried in this order
_SENTENCE = re.compile(r"[^\s>'\"\\][^\"\\]*?[.!?]?(?=\s*$|(?<=[.!?])\s)")


class ConversionError(Exception):
    """An example cannot be converted. `str(error)` is the reason."""


class Conversion:
    """Converts the `>>>` examples below a folder into snippet files, or into fences of new pages.

    Args:
        further_runners: runners with other hash seeds and time zones, for `bless`.
        say: called with each line of the report.
    """

    def __init__(self, settings: Settings, runner: Runner, further_runners: list[Runner], say: Callable[[str], None]):
        self.settings, self.runner, self.further_runners, self.say = settings, runner, further_runners, say

    def convert(self, folder: Path, as_fences: bool) -> int:
        """Convert the examples of all files below a folder, or of one file. Return 1 if an example could not be converted, else 0."""
        folder = folder.resolve()
        reader = self.settings.example_reader(folder if folder.is_dir() else folder.parent)
        paths = [path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file()]
        total = converted_count = 0
        for path in sorted(paths) if folder.is_dir() else [folder]:
            examples = [item for item in reader.read(path) if isinstance(item, SnippetError) or item.prompts]
            texts = self.write_programs(examples, path.relative_to(reader.root).with_suffix(""), as_fences)
            total, converted_count = total + len(examples), converted_count + len(texts)
        self.say(f"converted {converted_count} of {plural(total, 'example')}")
        return int(converted_count < total)

    def write_programs(self, examples: list[Snippet | SnippetError], target: Path, as_fences: bool) -> list[str]:
        """Write a program for each example of one file, as snippets or as the fences of one page. Return the texts of the programs.

        Examples that cannot be converted are reported and left out. If the page cannot be written, the list is empty.
        `target` is the path of the snippet folder or page to create, without suffix, below the folder of snippets or pages.
        """
        texts: list[str] = []
        page = [f"# {target.as_posix()}\n"]
        for example in examples:
            try:
                if isinstance(example, SnippetError):
                    raise ConversionError(example.message)
                path = self.settings.snippets_dir / target / f"{_file_name(example)}.py"
                text = self.convert_example(example, path, f"{target.as_posix()}/{path.name}")
                if not as_fences:
                    self.write(path, text)
            except ConversionError as reason:
                self.say(f"{display_path(example.path)}:{line_of(example)}: not converted: {reason}")
                continue
            program = text.partition("\n\n")[2]
            page.append(f"## {_title(example)}\n\n```python\n{program}```\n")
            texts.append(text)
        if as_fences and texts:
            try:
                path = self.settings.pages_dir / f"{target.as_posix()}.md"
                self.write(path, "\n".join(page))
                if path not in self.settings.example_files():
                    self.say(f"{display_path(path)}: not checked: add it to the setting `examples`")
            except ConversionError as reason:
                self.say(f"{display_path(examples[0].path)}: not converted: {reason}")
                return []
        return texts

    def write(self, path: Path, text: str) -> None:
        """Write a new file. Raises ConversionError if it exists already, or cannot be written."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            reason = "exists already" if os.path.exists(path) else f"cannot be written: {error.strerror}"
            raise ConversionError(f"{display_path(path)} {reason}") from None
        self.say(f"wrote {display_path(path)}")

    def convert_example(self, example: Snippet, path: Path, name: str) -> str:
        """Return the text of a program for the file `path` that prints what `example` prints.

        Raises ConversionError if the example fails as a doctest, or if no such program is found.
        """
        run = self.runner.result(example, self.settings.judge)
        for finding in compare(example, run):
            raise ConversionError(f"fails as a doctest: line {finding.line} {finding.message}")
        head = _head_lines(example)
        steps = [_Step(part.want, result) for part, result in zip(example.statements, run.statements, strict=True)]
        while True:
            lines = [f'"""{_title(example)}"""', "", *head]
            for step in steps:
                lines += step.lines(is_last=step is steps[-1])
            program, result = self.run("\n".join(lines) + "\n", path, name)
            outputs = result.statements[len(_parse_or_empty("\n".join(head)).body) :]
            pairs = zip(steps, outputs, strict=False)
            deviations = [step for step, output in pairs if not step.has_same_result(output)]
            if not deviations and len(outputs) == len(steps):
                return self.add_output(program)
            for step in deviations or steps[len(outputs) :][:1]:
                step.try_next_form()

    def run(self, text: str, path: Path, name: str) -> tuple[Snippet, Run]:
        """Parse `text` as a program. Return the program and its run on the first engine. Raises ConversionError for malformed text."""
        try:
            program = parse(text, path, name, self.settings.rules)
        except SnippetError as error:
            raise ConversionError(error.message) from None
        return program, self.runner.result(program, self.settings.judge)

    def add_output(self, program: Snippet) -> str:
        """Return the text of the program with its output. Raises ConversionError if `bless` fails, as when further runs differ."""
        runners, judge = [self.runner, *self.further_runners], self.settings.judge
        try:
            return bless_repeatedly(program, lambda snippet: [runner.result(snippet, judge) for runner in runners]).text
        except BlessError as error:
            reason = str(error).partition("\n")[0]
            raise ConversionError(re.sub(r"^.*?:\d+: (?:not blessed: )?", "", reason)) from None


class _Step:
    """One `>>>` example and its run, which become a statement of a program.

    The constructor raises ConversionError if the example is not valid Python.
    """

    def __init__(self, want: Want, run: StatementRun):
        self.want, self.result = want, run
        try:
            self.body = ast.parse(want.source).body
        except SyntaxError:
            raise ConversionError("shows a SyntaxError, which would end the whole program") from None
        is_expression = len(self.body) == 1 and isinstance(self.body[0], ast.Expr)
        self.forms = list(_FORMS if is_expression and run.output and not is_print(self.body[0]) else ["{}"])

    def try_next_form(self) -> None:
        """Use the next of `_FORMS` for the expression. Raises ConversionError after the last one."""
        del self.forms[0]
        if not self.forms:
            line = self.want.source.partition("\n")[0]
            raise ConversionError(f"`{line}` behaves differently in a program than at the prompt")

    def lines(self, is_last: bool) -> list[str]:
        """Return the lines of the statement in the program.

        They include expected lines if the expected output has wildcards, and a bare `#!` line for an error of the last statement.
        An error of another statement is caught and printed.
        """
        source = self.want.source.rstrip("\n")
        if isinstance(self.body[0], ast.Expr) and len(self.body) == 1:
            value = self.body[0].value
            source = ast.get_source_segment(source, value) or source
            if isinstance(value, ast.Tuple) and not source.startswith("("):
                source = f"({source})"
        else:
            source = re.sub(r"\s*#\s*doctest:.*", "", source)
        lines = self.forms[0].format(source).split("\n") if self.forms != ["{}"] else source.split("\n")
        if self.result.error and is_last:
            return [*lines, "#!"]
        if self.result.error:
            handler = ["except Exception as error:", '    print(f"{type(error).__name__}: {error}")']
            return ["try:", *(f"    {line}" for line in lines), *handler, ""]
        blank = [""] if isinstance(self.body[0], ast.FunctionDef | ast.ClassDef) else []
        return [*lines, *self.wildcard_lines(), *blank]

    def wildcard_lines(self) -> list[str]:
        """Return the expected lines of an output that doctest accepts only because of ELLIPSIS; an empty list for any other output.

        A line that matches by wildcards becomes a `#>?` line.
        """
        expected, actual = self.want.text.split("\n")[:-1], output_lines(self.result.output)
        if not self.want.options & doctest.ELLIPSIS or len(expected) != len(actual) or expected == actual:
            return []
        pieces = [pieces_of_line(line) for line in expected]
        are_wildcards = [
            len(parts) > 1 and matches(parts, line) and not has_only_wildcards(parts)
            for parts, line in zip(pieces, actual, strict=True)
        ]
        pairs = zip(expected, actual, are_wildcards, strict=True)
        return [f"#>? {line}" if has_wildcards else f"#> {output}".rstrip() for line, output, has_wildcards in pairs]

    def has_same_result(self, run: StatementRun) -> bool:
        """Return whether the statement printed and raised the same in the program as in the example.

        The program may catch the error and print it. A string may be printed without its quotes.
        """
        error = self.result.error
        if error is not None:
            text = f"{error.type}: {error.message}"
            return run.output == f"{text}\n" if run.error is None else run.error.type == error.type
        if run.error is not None:
            return False
        is_string = repr(run.output.removesuffix("\n")) + "\n" == self.result.output  # printed without its quotes
        is_equal = run.output == self.result.output or self.want.accepts(run)  # an address differs from run to run
        return is_equal or (self.forms[0] == _FORMS[0] and is_string)


def _head_lines(example: Snippet) -> list[str]:
    """Return the first lines of a program: the setup, and an import of the names that the examples use from their module."""
    assert example.prompts
    setup = example.prompts.setup
    sources = (setup, *(statement.want.source for statement in example.statements))
    used_names: set[str] = set()
    bound_names: set[str] = set(dir(builtins))
    tables = [symtable.symtable(ast.unparse(_parse_or_empty(source)), "", "exec") for source in sources]
    for table in tables:
        tables += table.get_children()
        for symbol in table.get_symbols():
            is_bound = symbol.is_assigned() or symbol.is_imported() or symbol.is_parameter()
            (bound_names if is_bound else used_names).add(symbol.get_name())
    names = [name for name in used_names - bound_names if not name.startswith("__")]
    lines = [setup] if setup else []
    if names and example.prompts.module:
        lines.append(f"from {example.prompts.module} import {', '.join(sorted(names))}")
    return [*lines, ""] if lines else []


def _parse_or_empty(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError:
        return ast.parse("")


def _title(example: Snippet) -> str:
    """Return the first sentence of the docstring that has the examples, else `Examples of` with the function, class or location."""
    text = " ".join(example.text.strip().partition("\n\n")[0].split())
    match = _SENTENCE.match(text) if example.title else None
    return match[0] if match else f"Examples of {example.title or example.name}."


def _file_name(example: Snippet) -> str:
    line = line_of(example)
    return f"{example.title.lower().replace('.', '_').strip('_')}_{line}" if example.title else f"line_{line}"

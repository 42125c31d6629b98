"""Write the programs of this site, with their output, in the format of each compared tool.

Only programs for which `is_usable` is true are used: they run on torch, are quick, do not change the state of their process,
and every format can express them. They print, but do not raise, do not warn and do not shorten their output with `...`.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

from snippetcheck.settings import load_settings
from snippetcheck.snippet import Snippet, SnippetError, files

ROOT = Path(__file__).resolve().parents[2]
_GLOBAL = re.compile(
    r"(?m)^torch[.\w]* = |set_default|set_printoptions|set_grad_enabled|simplefilter|__main__|inspect\.|pickle|Path|open\("
)
_SLOW = re.compile(
    r"\boptim\b|compile|checkpoint|torch\.func|torch\.fx|torch\.jit|importlib|subprocess|time\.|num_workers|forward_ad"
    r"|deterministic|torch\.export"
)


@dataclass(frozen=True)
class Program:
    """A program. `statements` has, for each statement, its source and the lines that it prints."""

    name: str
    title: str
    statements: tuple[tuple[str, tuple[str, ...]], ...]


def programs(count: int) -> list[Program]:
    """Return `count` programs of the site, in a fixed random order. If there are fewer programs, repeat them.

    Their names become p0000, p0001, ..., by which `peers.verdicts` recognizes them.

    Raises:
        SystemExit: no program is usable.
    """
    settings = load_settings(ROOT)
    usable_programs: list[Program] = []
    for path in files(settings.snippets_dir):
        try:
            snippet = settings.load(path)
        except SnippetError:
            continue
        if is_usable(snippet):
            usable_programs.append(program(snippet))
    if not usable_programs:
        raise SystemExit(
            f"no usable snippet in {settings.snippets_dir}\n    add one for which `is_usable` in bench/harness/corpus.py is true"
        )
    usable_programs.sort(key=lambda program: hashlib.sha256(program.name.encode()).hexdigest())
    return [replace(usable_programs[i % len(usable_programs)], name=f"p{i:04}") for i in range(count)]


def is_usable(snippet: Snippet) -> bool:
    """Return whether a snippet runs on torch without other modules, is quick, changes no state of its process, and is expressible."""
    if "torch" not in snippet.manifest.engines or snippet.manifest.needs:
        return False
    if _GLOBAL.search(snippet.text) or _SLOW.search(snippet.text):
        return False
    return is_expressible(snippet)


def is_expressible(snippet: Snippet) -> bool:
    """Return whether every format can express this snippet.

    It must print, must not raise or warn, and its output must have no blank line and no `...`. Its code must have no
    triple quotes, and no expression in a block whose value doctest would print.
    """
    if '"""' in snippet.text[len(snippet.title) + 8 :]:
        return False
    if any(statement.error or statement.warnings for statement in snippet.statements):
        return False
    if _echoes(snippet.text):
        return False
    lines = [line.text for statement in snippet.statements for line in statement.output]
    return bool(lines) and not any("..." in line or not line.strip() for line in lines)


def _echoes(text: str) -> bool:
    """Return whether a compound statement in `text` contains an expression statement, whose value doctest would print."""
    return any(
        isinstance(node, ast.Expr)
        and not isinstance(node.value, ast.Constant)
        and not (isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "print")
        for block in ast.parse(text).body
        if not isinstance(block, ast.Expr)
        for node in ast.walk(block)
    )


def program(snippet: Snippet) -> Program:
    """Return a snippet as a Program, without the comments between its statements.

    The value of an expression statement, unless it is a call of print, is assigned to `_`, because doctest and notebooks would print it.
    """
    source = snippet.lines
    statements = []
    for statement in snippet.statements:
        text = "\n".join(line for line in source[statement.first - 1 : statement.last] if line.strip())
        (node,) = ast.parse(text).body
        if isinstance(node, ast.Expr) and not text.startswith("print("):
            text = f"_ = {text}"
        statements.append((text, tuple(line.text for line in statement.output)))
    return Program(snippet.name, snippet.title, tuple(statements))


def as_snippet(program: Program) -> str:
    """Format a program as a snippet of this project."""
    parts = ['"""' + program.title.replace('"', "'") + '"""', ""]
    for source, output in program.statements:
        parts += [source, *(f"#> {line}" for line in output)]
        if "\n" in source:
            parts.append("")
    return "\n".join(parts).rstrip() + "\n"


def as_doctest(program: Program) -> str:
    """Format a program as `>>>` prompts and output in a Markdown fence."""
    parts = [f"# {program.title}", "", "```pycon"]
    for source, output in program.statements:
        first, *continuation_lines = source.split("\n")
        parts.append(f">>> {first}")
        parts += [f"... {line}" for line in continuation_lines]
        if continuation_lines and continuation_lines[-1].startswith((" ", "\t")):
            parts.append("...")
        parts += output
    return "\n".join([*parts, "", "```", ""])


def as_code_alone(program: Program) -> str:
    """Format a program as a Python fence without output, for a tool that writes the output."""
    source = [text for text, _ in program.statements]
    return "\n".join([f"# {program.title}", "", "```python", *source, "```", ""])


def as_printed_comments(program: Program) -> str:
    """Format a program as a Python fence with a comment `#> ...` for each line of output."""
    parts = [f"# {program.title}", "", "```python"]
    for source, output in program.statements:
        parts += [source, *(f"#> {line}" for line in output)]
    return "\n".join([*parts, "```", ""])


def as_fence_and_output(program: Program) -> str:
    """Format a program as a Python fence and a fence with its output, as phmdoctest expects."""
    source = [text for text, _ in program.statements]
    output = [line for _, lines in program.statements for line in lines]
    return "\n".join([f"# {program.title}", "", "```python", *source, "```", "", "```", *output, "```", ""])


def as_notebook(program: Program) -> str:
    """Format a program as a notebook with outputs. A cell ends with each statement that prints."""
    cells, pending = [], []
    for source, output in program.statements:
        pending.append(source)
        if output:
            cells.append(_cell("\n".join(pending), output, len(cells) + 1))
            pending = []
    if pending:
        cells.append(_cell("\n".join(pending), (), len(cells) + 1))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return json.dumps({"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5})


def _cell(source: str, output: tuple[str, ...], number: int) -> dict[str, object]:
    outputs = [{"output_type": "stream", "name": "stdout", "text": "".join(f"{line}\n" for line in output)}]
    return {
        "cell_type": "code",
        "id": f"cell{number}",
        "metadata": {},
        "execution_count": number,
        "source": source,
        "outputs": outputs if output else [],
    }


def change_digit(program: Program, index: int) -> Program | None:
    """Return a copy of `program` with one digit of its output increased by 1 (9 becomes 0); None without digits.

    `index` selects the digit, modulo the number of digits.
    """
    digits = [
        (i, j, match.start())
        for i, (_, output) in enumerate(program.statements)
        for j, line in enumerate(output)
        for match in re.finditer(r"\d", line)
    ]
    if not digits:
        return None
    i, j, position = digits[index % len(digits)]
    statements = [list(pair) for pair in program.statements]
    output = list(statements[i][1])
    line = output[j]
    output[j] = line[:position] + str((int(line[position]) + 1) % 10) + line[position + 1 :]
    statements[i][1] = tuple(output)
    return replace(program, statements=tuple((source, tuple(lines)) for source, lines in statements))

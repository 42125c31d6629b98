"""Mutate the solution of an exercise, to measure how well the check detects errors.

Only the lines that differ from the start, the program that the reader begins with, are mutated. A change of any other
line, such as another seed or learning rate, is not an error.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from snippetcheck.outcome import Run
from snippetcheck.snippet import Snippet

from gradnotes.exercises import check, validate
from gradnotes.exercises.operators import NEGATED, OTHER_OPERATOR
from gradnotes.exercises.parser import Exercise


@dataclass(frozen=True)
class Score:
    """The number of mutants, and the descriptions of those that the check does not detect."""

    mutant_count: int
    survivors: tuple[str, ...]

    def to_json(self) -> list[object]:
        """Return [mutant_count, survivors]."""
        return [self.mutant_count, list(self.survivors)]


def compute_score(exercise: Exercise, run_all: Callable[[list[Snippet]], list[Run]]) -> Score:
    """Run the check on each mutant of the solution, and return the score. The survivors are the mutants that pass."""
    assert exercise.solution
    mutants = list(mutate(exercise.start, exercise.solution.text))
    snippets = [
        validate.build_snippet(exercise, f"changed {number}", check.program_with_check(text, exercise.check))
        for number, (_, text) in enumerate(mutants)
    ]
    results = (
        check.evaluate(text, exercise.check, run) for (_, text), run in zip(mutants, run_all(snippets), strict=True)
    )
    survivors = [
        description for (description, _), result in zip(mutants, results, strict=True) if result.state == check.PASSED
    ]
    return Score(len(mutants), tuple(survivors))


def mutate(start: str, solution: str) -> Iterator[tuple[str, str]]:
    """Yield (description, source) of each mutant of `solution` that is valid Python. Equal sources are yielded once."""
    texts = {solution}
    for description, text in [*_revert_blocks(start, solution), *_mutate_nodes(start, solution)]:
        if text in texts:
            continue
        texts.add(text)
        try:
            compile(text, "changed", "exec")
        except SyntaxError:
            continue
        yield description, text


def _revert_blocks(start: str, solution: str) -> Iterator[tuple[str, str]]:
    """Yield (description, source) for each block that differs from the start: the solution with this block reverted."""
    start_lines, solution_lines = start.splitlines(True), solution.splitlines(True)
    for tag, i, j, k, m in difflib.SequenceMatcher(None, start_lines, solution_lines, autojunk=False).get_opcodes():
        if tag != "equal":
            yield f"line {k + 1} as in the start", "".join(solution_lines[:k] + start_lines[i:j] + solution_lines[m:])


def _new_lines(start: str, solution: str) -> set[int]:
    matcher = difflib.SequenceMatcher(None, start.splitlines(), solution.splitlines(), autojunk=False)
    return {n + 1 for tag, _, _, k, m in matcher.get_opcodes() if tag != "equal" for n in range(k, m)}


def _mutate_nodes(start: str, solution: str) -> Iterator[tuple[str, str]]:
    """Yield (description, source) for each change of one syntax tree node in the lines that differ from the start."""
    lines = _new_lines(start, solution)
    tree = ast.parse(solution)
    for parent in ast.walk(tree):
        for node in ast.iter_child_nodes(parent):
            if getattr(node, "lineno", None) not in lines:
                continue
            for replacement in _alternatives(node, parent):
                original = ast.get_source_segment(solution, node) or ""
                location = f"line {node.lineno}, column {node.col_offset + 1}"  # type: ignore[attr-defined]
                description = f"{location}: {original.splitlines()[0]} -> {replacement.splitlines()[0]}"  # type: ignore[attr-defined]
                yield description, _replace_node(solution, node, replacement)


def _alternatives(node: ast.AST, parent: ast.AST) -> Iterator[str]:
    """Yield the source texts that can replace a node."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield str(not node.value)
        elif isinstance(node.value, int | float):
            yield repr(node.value + 1)
            if node.value:
                yield "0"
    elif isinstance(node, ast.BinOp):
        if not isinstance(node.op, ast.MatMult):  # `@` has no counterpart: only its operands replace it
            yield f"({ast.unparse(ast.BinOp(node.left, OTHER_OPERATOR[type(node.op)](), node.right))})"
        yield f"({ast.unparse(node.left)})"
        yield f"({ast.unparse(node.right)})"
    elif isinstance(node, ast.UnaryOp):
        yield f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield f"({ast.unparse(ast.Compare(node.left, [NEGATED[type(node.ops[0])]()], node.comparators))})"
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and not isinstance(parent, ast.Expr):
            yield f"({ast.unparse(node.func.value)})"
        if len(node.args) == 2:
            yield ast.unparse(ast.Call(node.func, node.args[::-1], node.keywords))
    elif isinstance(node, ast.Expr | ast.Assign | ast.AugAssign) and not isinstance(
        getattr(node, "value", None), ast.Constant
    ):
        yield "pass"
    elif isinstance(node, ast.Return) and node.value:
        yield "return None"


def _replace_node(text: str, node: ast.AST, replacement: str) -> str:
    """Return the program `text` with the source of `node` replaced by `replacement`."""
    lines = [line.encode() for line in text.splitlines(True)]  # `ast` counts columns in bytes
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1  # type: ignore[attr-defined]
    head, tail = lines[first][: node.col_offset], lines[last][node.end_col_offset :]  # type: ignore[attr-defined]
    return b"".join([*lines[:first], head + replacement.encode() + tail, *lines[last + 1 :]]).decode()

"""Small changes of a solution that its check is to see: of the lines in which it differs from the start, and of nothing else.

What the two share the reader may change as they like: another seed or learning rate is as honest.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from snippetcheck.outcome import Run
from snippetcheck.snippet import Snippet

from gradnotes.exercises import judging, proof
from gradnotes.exercises.format import Exercise

_OPERATORS: dict[type[ast.operator], ast.operator] = {
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.Div(),
    ast.Div: ast.Mult(),
    ast.Pow: ast.Mult(),
}
_COMPARISONS: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Lt: ast.GtE(),
    ast.Gt: ast.LtE(),
    ast.LtE: ast.Gt(),
    ast.GtE: ast.Lt(),
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
}


@dataclass(frozen=True)
class Score:
    """How many changes were tried, and those that passed."""

    tried: int
    unseen: tuple[str, ...]

    def to_json(self) -> list[object]:
        """For a report."""
        return [self.tried, list(self.unseen)]


def score(exercise: Exercise, run_all: Callable[[list[Snippet]], list[Run]]) -> Score:
    """Try each change of the solution."""
    assert exercise.solution
    made = dict(changes(exercise.start, exercise.solution.text))
    snippets = [
        proof.run_of(exercise, f"changed {number}", judging.program(text, exercise.check))
        for number, text in enumerate(made.values())
    ]
    verdicts = (
        judging.verdict(text, exercise.check, run) for text, run in zip(made.values(), run_all(snippets), strict=True)
    )
    unseen = [what for what, verdict in zip(made, verdicts, strict=True) if verdict.state == judging.PASSED]
    return Score(len(made), tuple(unseen))


def changes(start: str, solution: str) -> Iterator[tuple[str, str]]:
    """(what is changed, the text) for each change; one that is not Python is left out."""
    seen = {solution}
    for what, text in [*_reverted(start, solution), *_edited(start, solution)]:
        if text in seen:
            continue
        seen.add(text)
        try:
            compile(text, "changed", "exec")
        except SyntaxError:
            continue
        yield what, text


def _reverted(start: str, solution: str) -> Iterator[tuple[str, str]]:
    """Each place of the solution as it was in the start."""
    old, new = start.splitlines(True), solution.splitlines(True)
    for tag, i, j, k, m in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield f"line {k + 1} as in the start", "".join(new[:k] + old[i:j] + new[m:])


def _new_lines(start: str, solution: str) -> set[int]:
    matcher = difflib.SequenceMatcher(None, start.splitlines(), solution.splitlines(), autojunk=False)
    return {n + 1 for tag, _, _, k, m in matcher.get_opcodes() if tag != "equal" for n in range(k, m)}


def _edited(start: str, solution: str) -> Iterator[tuple[str, str]]:
    lines = _new_lines(start, solution)
    tree = ast.parse(solution)
    for parent in ast.walk(tree):
        for node in ast.iter_child_nodes(parent):
            if getattr(node, "lineno", None) not in lines:
                continue
            for new in _instead(node, parent):
                before = ast.get_source_segment(solution, node) or ""
                what = f"line {node.lineno}: {before.splitlines()[0]} -> {new.splitlines()[0]}"  # type: ignore[attr-defined]
                yield what, _replaced(solution, node, new)


def _instead(node: ast.AST, parent: ast.AST) -> Iterator[str]:
    """Other sources in the place of a node."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield str(not node.value)
        elif isinstance(node.value, int | float):
            yield repr(node.value + 1)
            if node.value:
                yield "0"
    elif isinstance(node, ast.BinOp):
        if type(node.op) in _OPERATORS:
            yield f"({ast.unparse(ast.BinOp(node.left, _OPERATORS[type(node.op)], node.right))})"
        yield f"({ast.unparse(node.left)})"
        yield f"({ast.unparse(node.right)})"
    elif isinstance(node, ast.UnaryOp):
        yield f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield f"({ast.unparse(ast.Compare(node.left, [_COMPARISONS.get(type(node.ops[0]), ast.Eq())], node.comparators))})"
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


def _replaced(text: str, node: ast.AST, new: str) -> str:
    """The text with another source in the place of a node; its columns count bytes."""
    lines = [line.encode() for line in text.splitlines(True)]
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1  # type: ignore[attr-defined]
    head, tail = lines[first][: node.col_offset], lines[last][node.end_col_offset :]  # type: ignore[attr-defined]
    return b"".join([*lines[:first], head + new.encode() + tail, *lines[last + 1 :]]).decode()

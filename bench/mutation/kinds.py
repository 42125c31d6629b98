"""Mutate the nodes of a Python syntax tree.

A mutation changes one node: it negates a comparison, drops a term, an argument, a copy or a statement, changes a number, or
changes the type or text of an error. The result is always valid syntax, but may have the same effect as the original.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from gradnotes.exercises.operators import NEGATED, OTHER_OPERATOR

Mutation = tuple[str, str]  # kind of mutation, and the source that replaces the node

_BOUNDARY = {ast.Lt: ast.LtE, ast.Gt: ast.GtE, ast.LtE: ast.Lt, ast.GtE: ast.Gt}
_OTHER_DTYPE = {"int64": "int32", "int32": "int64", "float64": "float32", "float32": "float64", "bool_": "int8"}
_OTHER_ERROR = {
    "RuntimeError": "TypeError",
    "TypeError": "RuntimeError",
    "ValueError": "RuntimeError",
    "IndexError": "RuntimeError",
}
# Functions and methods of an array or tensor that keep the values, but not the memory, the order or the dtype.
_SAME_VALUES = {
    "contiguous",
    "copy_in_format",
    "align_operands",
    "ascontiguousarray",
    "copy",
    "deepcopy",
    "clone",
    "detach",
    "astype",
    "to",
}

# Keyword arguments that are not mutated, since they only check or explain, or have no effect where UTF-8 is the default.
# None stands for `**arguments`.
EXPLANATORY = {None, "strict", "doc", "help", "metavar", "encoding"}


def mutations(node: ast.AST, is_test: bool) -> Iterator[Mutation]:
    """Yield the mutations of `node` itself, not of its children.

    Args:
        is_test: whether the node is the condition of an `if`, a loop or a comprehension.
    """
    mutate = _MUTATE_BY_TYPE.get(type(node))
    if mutate is not None:
        yield from mutate(node)
    if is_test and not isinstance(node, ast.Compare | ast.BoolOp):
        yield "condition", f"(not ({ast.unparse(node)}))"


def _comparison(node: ast.Compare) -> Iterator[Mutation]:
    for kind, replacements in (("comparison", NEGATED), ("boundary", _BOUNDARY)):
        replacement = replacements.get(type(node.ops[0]))
        if replacement is not None:
            yield kind, f"({ast.unparse(ast.Compare(node.left, [replacement(), *node.ops[1:]], node.comparators))})"


def _operand(node: ast.BoolOp) -> Iterator[Mutation]:
    for number in range(len(node.values)):
        remaining = [value for i, value in enumerate(node.values) if i != number]
        yield "operand", f"({ast.unparse(remaining[0] if len(remaining) == 1 else ast.BoolOp(node.op, remaining))})"


def _arithmetic(node: ast.BinOp) -> Iterator[Mutation]:
    if any(_is_text(side) for side in (node.left, node.right)):
        return
    yield "operator", f"({ast.unparse(ast.BinOp(node.left, OTHER_OPERATOR[type(node.op)](), node.right))})"
    yield "term", f"({ast.unparse(node.left)})"


def _is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, ast.JoinedStr) or isinstance(node, ast.Constant) and isinstance(node.value, str)


def _sign(node: ast.UnaryOp) -> Iterator[Mutation]:
    yield "sign", f"({ast.unparse(node.operand)})"


def _number(node: ast.Constant) -> Iterator[Mutation]:
    if isinstance(node.value, bool):
        yield "flag", str(not node.value)
    elif isinstance(node.value, int):
        yield "number", str(node.value + 1)
    elif isinstance(node.value, float):
        yield "number", repr(node.value * 2 or 1.0)


def _argument(node: ast.Call) -> Iterator[Mutation]:
    for number, keyword in enumerate(node.keywords):
        if keyword.arg not in EXPLANATORY:
            changed_node = copy.copy(node)
            changed_node.keywords = [other for i, other in enumerate(node.keywords) if i != number]
            yield "argument", ast.unparse(changed_node)
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in _SAME_VALUES:
        is_method = isinstance(node.func, ast.Attribute) and not (
            node.args and name in ("contiguous", "ascontiguousarray", "deepcopy")
        )
        operand = node.func.value if is_method and isinstance(node.func, ast.Attribute) else (node.args or [None])[0]
        if operand is not None and not isinstance(operand, ast.Starred):
            yield "copy", f"({ast.unparse(operand)})"


def _dtype(node: ast.Attribute) -> Iterator[Mutation]:
    if node.attr in _OTHER_DTYPE:
        yield "dtype", f"{ast.unparse(node.value)}.{_OTHER_DTYPE[node.attr]}"


def _drop_call(node: ast.Expr) -> Iterator[Mutation]:
    if isinstance(node.value, ast.Call):
        yield "statement", "pass"


def _drop_assignment(node: ast.Assign) -> Iterator[Mutation]:
    if isinstance(node.targets[0], ast.Attribute | ast.Subscript):
        yield "statement", "pass"


def _augmented_assignment(node: ast.AugAssign) -> Iterator[Mutation]:
    yield "statement", "pass"
    yield "operator", ast.unparse(ast.AugAssign(node.target, OTHER_OPERATOR[type(node.op)](), node.value))


def _remove(node: ast.stmt) -> Iterator[Mutation]:
    yield "statement", "pass"


def _raise(node: ast.Raise) -> Iterator[Mutation]:
    yield "no error", "pass"
    error = node.exc
    if isinstance(error, ast.Call) and isinstance(error.func, ast.Name) and error.func.id.endswith("Error"):
        changed_node = copy.deepcopy(node)
        assert isinstance(changed_node.exc, ast.Call)
        changed_node.exc.func = ast.Name(_OTHER_ERROR.get(error.func.id, "RuntimeError"))
        if len(error.args) == 1 and not error.keywords:
            yield "error type", ast.unparse(changed_node)
    changed_node = copy.deepcopy(node)
    texts = [
        constant
        for constant in ast.walk(changed_node)
        if isinstance(constant, ast.Constant) and isinstance(constant.value, str)
    ]
    longest = max(texts, key=lambda constant: len(constant.value), default=None)
    if longest is not None and len(longest.value.split()) > 2:
        words = longest.value.split(" ")
        del words[len(words) // 2]
        longest.value = " ".join(words)
        yield "error text", ast.unparse(changed_node)


_MUTATE_BY_TYPE = {
    ast.Compare: _comparison,
    ast.BoolOp: _operand,
    ast.BinOp: _arithmetic,
    ast.UnaryOp: _sign,
    ast.Constant: _number,
    ast.Call: _argument,
    ast.Attribute: _dtype,
    ast.Expr: _drop_call,
    ast.Assign: _drop_assignment,
    ast.AugAssign: _augmented_assignment,
    ast.Delete: _remove,
    ast.Continue: _remove,
    ast.Break: _remove,
    ast.Raise: _raise,
}

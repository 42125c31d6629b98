"""Ways in which a piece of Python can be wrong: what a node of the syntax tree becomes, and what that is called.

Each way changes one node: a comparison turned round, a term left out, another number, an argument, a copy or a statement
left out, an error with another type or text. What it makes is always syntax; whether it also makes a difference, a run tells.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

Way = tuple[str, str]  # the kind, and the text that takes the node's place

_NEGATED = {ast.Eq: ast.NotEq, ast.Lt: ast.GtE, ast.Gt: ast.LtE, ast.In: ast.NotIn, ast.Is: ast.IsNot}
_NEGATED |= {after: before for before, after in _NEGATED.items()}
_BOUNDARY = {ast.Lt: ast.LtE, ast.Gt: ast.GtE, ast.LtE: ast.Lt, ast.GtE: ast.Gt}
_OTHER_OPERATOR = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
                   ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd,
                   ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.MatMult: ast.Mult}  # fmt: skip
_OTHER_DTYPE = {"int64": "int32", "int32": "int64", "float64": "float32", "float32": "float64", "bool_": "int8"}
_OTHER_ERROR = {
    "RuntimeError": "TypeError",
    "TypeError": "RuntimeError",
    "ValueError": "RuntimeError",
    "IndexError": "RuntimeError",
}
# Functions of one array or tensor, and methods, after which the values are the same and memory, order or dtype are not.
_SAME_VALUES = {
    "contiguous",
    "copied",
    "aligned",
    "ascontiguousarray",
    "copy",
    "deepcopy",
    "clone",
    "detach",
    "astype",
    "to",
}

# Arguments that check or explain, and one that changes nothing where text is in UTF-8 anyway. (None: `**arguments`.)
SAID_ONLY = {None, "strict", "doc", "help", "metavar", "encoding"}


def ways(node: ast.AST, is_test: bool) -> Iterator[Way]:
    """What can be done to this node itself; `is_test`: it decides an `if`, a loop or a comprehension."""
    made = _OF.get(type(node))
    if made is not None:
        yield from made(node)
    if is_test and not isinstance(node, ast.Compare | ast.BoolOp):
        yield "condition", f"(not ({ast.unparse(node)}))"


def _comparison(node: ast.Compare) -> Iterator[Way]:
    for kind, others in (("comparison", _NEGATED), ("boundary", _BOUNDARY)):
        other = others.get(type(node.ops[0]))
        if other is not None:
            yield kind, f"({ast.unparse(ast.Compare(node.left, [other(), *node.ops[1:]], node.comparators))})"


def _operand(node: ast.BoolOp) -> Iterator[Way]:
    for number in range(len(node.values)):
        rest = [value for i, value in enumerate(node.values) if i != number]
        yield "operand", f"({ast.unparse(rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest))})"


def _arithmetic(node: ast.BinOp) -> Iterator[Way]:
    if any(_is_text(side) for side in (node.left, node.right)):
        return
    yield "operator", f"({ast.unparse(ast.BinOp(node.left, _OTHER_OPERATOR[type(node.op)](), node.right))})"
    yield "term", f"({ast.unparse(node.left)})"


def _is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, ast.JoinedStr) or isinstance(node, ast.Constant) and isinstance(node.value, str)


def _sign(node: ast.UnaryOp) -> Iterator[Way]:
    yield "sign", f"({ast.unparse(node.operand)})"


def _number(node: ast.Constant) -> Iterator[Way]:
    if isinstance(node.value, bool):
        yield "flag", str(not node.value)
    elif isinstance(node.value, int):
        yield "number", str(node.value + 1)
    elif isinstance(node.value, float):
        yield "number", repr(node.value * 2 or 1.0)


def _argument(node: ast.Call) -> Iterator[Way]:
    for number, keyword in enumerate(node.keywords):
        if keyword.arg not in SAID_ONLY:
            changed = copy.copy(node)
            changed.keywords = [one for i, one in enumerate(node.keywords) if i != number]
            yield "argument", ast.unparse(changed)
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in _SAME_VALUES:
        is_method = isinstance(node.func, ast.Attribute) and not (
            node.args and name in ("contiguous", "ascontiguousarray", "deepcopy")
        )
        same = node.func.value if is_method and isinstance(node.func, ast.Attribute) else (node.args or [None])[0]
        if same is not None and not isinstance(same, ast.Starred):
            yield "copy", f"({ast.unparse(same)})"


def _dtype(node: ast.Attribute) -> Iterator[Way]:
    if node.attr in _OTHER_DTYPE:
        yield "dtype", f"{ast.unparse(node.value)}.{_OTHER_DTYPE[node.attr]}"


def _call_alone(node: ast.Expr) -> Iterator[Way]:
    if isinstance(node.value, ast.Call):
        yield "statement", "pass"


def _assignment(node: ast.Assign) -> Iterator[Way]:
    if isinstance(node.targets[0], ast.Attribute | ast.Subscript):
        yield "statement", "pass"


def _counting(node: ast.AugAssign) -> Iterator[Way]:
    yield "statement", "pass"
    yield "operator", ast.unparse(ast.AugAssign(node.target, _OTHER_OPERATOR[type(node.op)](), node.value))


def _left_out(node: ast.stmt) -> Iterator[Way]:
    yield "statement", "pass"


def _raise(node: ast.Raise) -> Iterator[Way]:
    yield "no error", "pass"
    made = node.exc
    if isinstance(made, ast.Call) and isinstance(made.func, ast.Name) and made.func.id.endswith("Error"):
        changed = copy.deepcopy(node)
        assert isinstance(changed.exc, ast.Call)
        changed.exc.func = ast.Name(_OTHER_ERROR.get(made.func.id, "RuntimeError"))
        if len(made.args) == 1 and not made.keywords:
            yield "error type", ast.unparse(changed)
    changed = copy.deepcopy(node)
    texts = [one for one in ast.walk(changed) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    longest = max(texts, key=lambda one: len(one.value), default=None)
    if longest is not None and len(longest.value.split()) > 2:
        words = longest.value.split(" ")
        del words[len(words) // 2]
        longest.value = " ".join(words)
        yield "error text", ast.unparse(changed)


_OF = {
    ast.Compare: _comparison,
    ast.BoolOp: _operand,
    ast.BinOp: _arithmetic,
    ast.UnaryOp: _sign,
    ast.Constant: _number,
    ast.Call: _argument,
    ast.Attribute: _dtype,
    ast.Expr: _call_alone,
    ast.Assign: _assignment,
    ast.AugAssign: _counting,
    ast.Delete: _left_out,
    ast.Continue: _left_out,
    ast.Break: _left_out,
    ast.Raise: _raise,
}

"""Find the gradient formulas of the engine, and change each of them so that the gradient is wrong.

A formula is a method `grad_*` of a node, or a function or lambda whose first parameter is a gradient (`g`).
There are up to two wrong versions of each formula: one with a wrong sign or factor, and one with the first
change in `_RARE_KINDS` that is possible. `_ENGINE_CHANGES` are further changes, in code that handles the
gradients of every operation.
"""

from __future__ import annotations

import ast
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_GRADIENT_NAMES = {"g", "grad", "grad_output", "gradient"}
_OPPOSITE = {
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
_CHOICES = {"where"}  # functions of a mask and two values, which can be swapped
# Conditions on shapes and arguments, not on elements. They choose between two computations of the same gradient.
_NOT_ELEMENTS = re.compile(
    r"ndim|len\(|shape|size|numel|dtype|device|alpha\b|reduction|factor|groups|padding_idx|'|\[|\bd\b|\.sign\b|correction"
)
_ZEROS = ("zeros_like(", "None")  # a wrong sign or factor has no effect on these values

# Engine code that handles the gradients of every operation: (description, source text that occurs once, kind, wrong text).
_UNBROADCAST = "grad = grad.sum_to_size(shape) if shape else grad.sum()"
_BIAS = "return grad._wrap(np.add.reduce(array, axis=tuple(range(lead)) if shape else None))"
_SUM = "add_gradients(received[output_nr], grad)"
_OF_TENSOR_HOOK = "grads[output_nr] = extensions.hook_result(grads[output_nr], hook(grads[output_nr]), hook)"
_OF_PRE_HOOK = "grads[:] = extensions.hook_result(tuple(grads), hook(tuple(grads)), hook)"
_OF_POST_HOOK = "results = extensions.hook_result(results, hook(results, tuple(grads)), hook)"
_ENGINE_CHANGES = (
    ("broadcast not undone", _UNBROADCAST, "un-broadcast", "pass"),
    ("mean of what was broadcast", _UNBROADCAST, "un-broadcast", "grad = grad.mean().expand(shape)"),
    ("twice what was broadcast", _UNBROADCAST, "un-broadcast", "grad = grad.sum_to_size(shape) * 2"),
    ("leading dimensions not summed", _BIAS, "un-broadcast", "return grad"),
    ("mean of leading dimensions", _BIAS, "un-broadcast", "return grad.mean().expand(shape)"),
    ("leading dimensions twice", _BIAS, "un-broadcast", f"{_BIAS} * 2"),
    (
        "the gradient through a change in a view",
        "to_view = g.new_zeros(inside.shape) if to_view is None else to_view.to(g.dtype)",
        "dropped term",
        "to_view = g.new_zeros(inside.shape)",
    ),
    (
        "the last gradient of what a view shows twice",
        "flat = g.new_zeros(prod(self.sizes)).index_put((self.indices,), g, True)",
        "dropped term",
        "flat = g.new_zeros(prod(self.sizes)).index_put((self.indices,), g)",
    ),
    ("the last gradient instead of the sum", _SUM, "dropped term", "grad"),
    ("the first gradient instead of the sum", _SUM, "dropped term", "received[output_nr]"),
    ("the difference instead of the sum", _SUM, "sign", "received[output_nr] - grad"),
    ("result of a tensor hook", _OF_TENSOR_HOOK, "dropped term", "hook(grads[output_nr])"),
    ("result of a pre-hook", _OF_PRE_HOOK, "dropped term", "hook(tuple(grads))"),
    ("result of a hook of a node", _OF_POST_HOOK, "dropped term", "hook(results, tuple(grads))"),
    ("second edge to a node", "dependencies.get(node, 0) + 1", "dropped term", "1"),
)


@dataclass(frozen=True)
class Formula:
    """A function or lambda of the engine that computes a gradient."""

    file: str  # path relative to the repository
    name: str  # qualified name, such as `MulBackward0.grad_self`, `sigmoid_backward` or `exp`
    node: ast.FunctionDef | ast.Lambda

    @property
    def lines(self) -> tuple[int, int]:
        """Return the first and last line of the body."""
        first = self.node.body[0] if isinstance(self.node, ast.FunctionDef) else self.node
        return first.lineno, self.node.end_lineno or first.lineno

    @property
    def values(self) -> list[ast.expr]:
        """Return the syntax nodes of the expressions that the formula returns."""
        if isinstance(self.node, ast.Lambda):
            return [self.node.body]
        values = [node.value for node in _inner_nodes(self.node) if isinstance(node, ast.Return)]
        return [value for value in values if value is not None]


@dataclass(frozen=True)
class Change:
    """A wrong gradient: the formula, the change, and the text of the changed file."""

    file: str
    line: int
    last: int  # last line of the formula
    formula: str
    kind: str  # sign, factor, dropped term, swapped operands, wrong mask, un-broadcast
    before: str
    after: str
    text: str


def changes(root: Path) -> Iterator[Change]:
    """Yield the wrong gradients of the engine below `root`.

    Raises:
        AssertionError: a source text in `_ENGINE_CHANGES` does not occur exactly once in the engine.
    """
    for path in formula_files(root):
        text = path.read_text()
        for formula in formulas(path.relative_to(root).as_posix(), text):
            rare_change = next(
                (
                    candidate
                    for kind in _RARE_KINDS
                    for candidate in [_change_first_match(formula, text, kind)]
                    if candidate
                ),
                None,
            )
            if rare_change:
                yield rare_change
            value_change = _change_values(formula, text, ("sign", "factor")[zlib.crc32(formula.name.encode()) % 2])
            if value_change:
                yield value_change
    texts = {path: path.read_text() for path in formula_files(root)}
    for description, original, kind, replacement in _ENGINE_CHANGES:
        paths = [path for path, text in texts.items() for _ in range(text.count(original))]
        assert len(paths) == 1, f"{original!r} must occur once in the engine, got {paths}\n    update _ENGINE_CHANGES"
        text = texts[paths[0]]
        line = text[: text.index(original)].count("\n") + 1
        file = paths[0].relative_to(root).as_posix()
        yield Change(file, line, line, description, kind, original, replacement, text.replace(original, replacement))


def formula_files(root: Path) -> list[Path]:
    """Return the files of the engine that may contain formulas.

    Functions in `optim` and `utils` have parameters that are gradients, but they do not compute gradients.
    """
    engine = root / "reference_impl"
    return sorted(path for path in engine.rglob("*.py") if not {"optim", "utils"} & set(path.relative_to(engine).parts))


def formulas(file: str, text: str) -> Iterator[Formula]:
    """Yield the formulas in a file with the source `text`, by line. Each lambda in a tuple that a lambda returns is a formula."""
    matches = _formulas_in(file, ast.parse(text), "")
    return iter(sorted(matches, key=lambda formula: (formula.node.lineno, formula.node.col_offset)))


def _formulas_in(file: str, node: ast.AST, scope: str) -> Iterator[Formula]:
    """Yield the formulas in `node`. `scope` is the qualified name of the code around it: class, function or table, and argument."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        scope = f"{scope}.{node.name}".lstrip(".")
    elif isinstance(node, ast.Assign | ast.AnnAssign) and not scope:
        scope = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
    elif isinstance(node, ast.keyword) and node.arg:
        scope = f"{scope}.{node.arg}".lstrip(".")
    if isinstance(node, ast.FunctionDef) and _is_formula(node):
        yield Formula(file, scope, node)
        return
    if isinstance(node, ast.Lambda) and node.args.args[:1] and node.args.args[0].arg == "g":
        is_tuple = isinstance(node.body, ast.Tuple) and all(
            isinstance(element, ast.Lambda) for element in node.body.elts
        )
        for number, element in enumerate(node.body.elts if is_tuple and isinstance(node.body, ast.Tuple) else [node]):
            assert isinstance(element, ast.Lambda)
            yield Formula(file, f"{scope}[{number}]" if is_tuple else scope or "<lambda>", element)
        return
    for child in ast.iter_child_nodes(node):
        yield from _formulas_in(file, child, scope)


def _is_formula(node: ast.FunctionDef) -> bool:
    first = [argument.arg for argument in node.args.args[:2]]
    if node.returns is not None and ast.unparse(node.returns) == "bool":
        return False
    if first[:1] == ["self"]:
        return node.name.startswith("grad_") and first[1:] != [] and first[1] in _GRADIENT_NAMES
    return bool(first) and first[0] in _GRADIENT_NAMES


# -- the changes ------------------------------------------------------------------------------------


def _change_values(formula: Formula, text: str, kind: str) -> Change | None:
    """Return a change that gives every returned value a wrong sign or factor (`kind`). Return None if every value is zero."""
    values = [_first_nonzero(value) for value in formula.values]
    values = [value for value in values if not ast.unparse(value).startswith(_ZEROS)]
    lines = text.split("\n")
    # from the end, so that earlier positions stay valid
    for value in sorted(values, key=lambda value: (-value.lineno, -value.col_offset)):
        source = ast.unparse(value)
        lines = splice(lines, value, f"-({source})" if kind == "sign" else f"({source}) * 2")
    if not values:
        return None
    before = ast.unparse(values[0])
    after = f"-({before})" if kind == "sign" else f"({before}) * 2"
    return Change(formula.file, *formula.lines, formula.name, kind, before, after, "\n".join(lines))


def _first_nonzero(value: ast.expr) -> ast.expr:
    """Return the first element of a tuple that is not a constant zero. Return another expression unchanged."""
    if isinstance(value, ast.Tuple):
        return next((element for element in value.elts if not ast.unparse(element).startswith(_ZEROS)), value.elts[0])
    return value


def _change_first_match(formula: Formula, text: str, kind: str) -> Change | None:
    """Return a change of the first node of the formula to which this `kind` of change applies; None if there is no such node."""
    for node in _inner_nodes(formula.node):
        replacement = _RARE_KINDS[kind](node) if isinstance(node, ast.expr) else None
        if replacement is not None:
            assert isinstance(node, ast.expr)
            changed_text = "\n".join(splice(text.split("\n"), node, f"({ast.unparse(replacement)})"))
            return Change(
                formula.file,
                *formula.lines,
                formula.name,
                kind,
                ast.unparse(node),
                ast.unparse(replacement),
                changed_text,
            )
    return None


def _invert_mask(node: ast.expr) -> ast.expr | None:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _OPPOSITE and not _NOT_ELEMENTS.search(ast.unparse(node)):
        return ast.Compare(node.left, [_OPPOSITE[type(node.ops[0])](), *node.ops[1:]], node.comparators)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        return node.operand
    return None


def _swap_operands(node: ast.expr) -> ast.expr | None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub | ast.Div | ast.MatMult | ast.Pow):
        return None if _NOT_ELEMENTS.search(ast.unparse(node)) else ast.BinOp(node.right, node.op, node.left)
    if isinstance(node, ast.Call) and len(node.args) == 3 and ast.unparse(node.func).split(".")[-1] in _CHOICES:
        return ast.Call(node.func, [node.args[0], node.args[2], node.args[1]], node.keywords)
    return None


def _drop_term(node: ast.expr) -> ast.expr | None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
        return None if _NOT_ELEMENTS.search(ast.unparse(node)) else node.left
    return None


_RARE_KINDS = {"wrong mask": _invert_mask, "swapped operands": _swap_operands, "dropped term": _drop_term}


def _inner_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes in the body of a formula, outer nodes before inner ones. Skip the bodies of nested functions."""
    pending: list[ast.AST] = list(node.body) if isinstance(node, ast.FunctionDef) else [node.body]  # type: ignore[attr-defined]
    while pending:
        inner_node = pending.pop(0)
        yield inner_node
        if not isinstance(inner_node, ast.FunctionDef | ast.Lambda):
            pending = [*ast.iter_child_nodes(inner_node), *pending]


def splice(lines: list[str], node: ast.expr, replacement: str) -> list[str]:
    """Return the lines of a source file with the source of `node` replaced by `replacement`."""
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    before = lines[first].encode()[: node.col_offset].decode()
    after = lines[last].encode()[node.end_col_offset :].decode()
    return [*lines[:first], *f"{before}{replacement}{after}".split("\n"), *lines[last + 1 :]]

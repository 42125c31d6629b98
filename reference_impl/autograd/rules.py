"""Find the gradient rule of a class of nodes in its source: in a declaration, a lambda or a docstring."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import re
from collections.abc import Callable
from typing import Any

from reference_impl.core.node import Node

_NAMES = {"x": "self", "y": "result"}  # formulas in `ops.elementwise` have the parameters g, x and y
_RULE_WORDS = re.compile(r"∂|\bg\b|gradient|receives")  # a docstring with one of these words is a rule


@functools.cache
def rule_of(cls: type[Node]) -> str:
    """Return a rule such as `∂self = g * other,  ∂other = g * self`, or a sentence about the gradients; never an empty text."""
    sentence = _sentence(cls, inspect.cleandoc(vars(cls).get("__doc__") or ""))
    if "declared_by" in vars(cls) and "receives" not in sentence:  # the text describes the operation, not its gradient
        sentence = ""
    if _RULE_WORDS.search(sentence):
        return sentence
    formulas = [f"∂{name[5:]} = {_formula(f)}" for name, f in vars(cls).items() if name.startswith("grad_")]
    base = cls.__mro__[1]
    if formulas:
        rest = ",  ".join(formulas)
    elif base is not Node:
        rest = rule_of(base)
    else:
        rest = "The gradient is computed by the method `apply`: see the source."
    return f"{sentence.rstrip('.')}: {rest[0].lower()}{rest[1:]}" if sentence else rest


def inputs_of(node: Node) -> list[str]:
    """Return the names of a node's inputs in its rule, in the order of `next_functions`; [] if the only input is a list of tensors."""
    cls: Any = type(node)
    if hasattr(cls, "declared_by"):
        names = list(cls.uses)
    else:
        names = [name[5:] for base_class in cls.__mro__ for name in vars(base_class) if name.startswith("grad_")]
        names = names or list(node.saved_names)
    return names if len(names) == len(node.next_nodes) else []


def plain_values(node: Node) -> dict[str, str]:
    """Return the values of a node that are not tensors, as text by name: `{"dim": "1", "self_sym_sizes": "(2, 3)"}`."""
    named = {
        name
        for base_class in type(node).__mro__
        for name in vars(base_class).get("__annotations__", ())
        if name[0] != "_"
    }
    values = {name: getattr(node, name, None) for name in named - set(vars(Node)["__annotations__"])}
    values |= {name: saved for name, saved in zip(node.saved_names, node.saved or (), strict=False)}
    return {name: repr(value) for name, value in values.items() if _is_plain(value)}


def _is_plain(value: Any) -> bool:
    return isinstance(value, int | float | str) or (isinstance(value, tuple | list) and all(map(_is_plain, value)))


def _sentence(cls: type[Node], doc: str) -> str:
    """Return the first paragraph of a docstring, and its formulas if they follow.

    Replace "See OtherBackward0" by the rule of that class. After "As OtherBackward0", append the rule.
    """
    first, _, rest = doc.partition("\n\n")
    if "∂" not in first and rest.startswith("∂"):
        first += " " + rest.partition("\n\n")[0]
    other = re.search(r"\b(?:[Ss]ee|As) (\w+Backward\d|ValueSelecting)\b", first)
    if other:
        named = vars(importlib.import_module(cls.source_module)).get(other[1])  # type: ignore[attr-defined]
        if isinstance(named, type) and named is not cls:
            rule = rule_of(named)
            return rule if first.startswith("See ") else f"{first.rstrip('.')}. {rule}"
    return first.replace("\n", " ")


def _formula(method: Callable[..., Any]) -> str:
    """Return the formula of a node's method as text: the first line of its docstring, or without one, the expression that it returns.

    For a method of several statements without a docstring, return "what the source computes".
    """
    inner = inspect.getclosurevars(method).nonlocals.get("formula", method)
    tree = _tree_of(inner)
    body = tree.body if isinstance(tree, ast.Lambda) else None
    if isinstance(tree, ast.FunctionDef):
        last = tree.body[-1]
        body = last.value if isinstance(last, ast.Return) and len(tree.body) == 1 else None
    if body is None or inspect.getdoc(inner):
        return (inspect.getdoc(inner) or "what the source computes").splitlines()[0].rstrip(".")
    return _own_names(inner, _text(body, inner.__globals__))


def _text(expression: ast.expr, known: dict[str, Any]) -> str:
    """Return the text of an expression. A call of a function whose docstring begins with a formula in backticks becomes this formula."""
    if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Name):
        called: Any = known.get(expression.func.id)
        first_line = (inspect.getdoc(called) or "").partition("\n")[0].rstrip(".")
        if first_line.startswith("`"):
            names = getattr(getattr(called, "node", None), "arguments", None) or inspect.signature(called).parameters
            text_by_name = {
                name: _text(argument, known) for name, argument in zip(names, expression.args, strict=False)
            }
            return re.sub("`([^`]*)`", lambda match: _with(match[1], text_by_name), first_line)
    return re.sub(r"\b(?:np|math)\.", "", ast.unparse(_Functions().visit(expression)))


def _with(formula: str, text_by_name: dict[str, str]) -> str:
    """Replace names in `formula` by expressions, in brackets where necessary: `a · b` with a = `x + 1` becomes `(x + 1) · b`."""
    bound = {name: f"({text})" if re.search(r"\s", text) else text for name, text in text_by_name.items()}
    return re.sub(r"(^|[(,] ?)\(([^()]*)\)(?=$|[,)])", r"\1\2", _rename_symbols(formula, bound))


def _own_names(formula: Callable[..., Any], text: str) -> str:
    return _rename_symbols(text, _NAMES if formula.__code__.co_varnames[:3] == ("g", "x", "y") else {})


def _rename_symbols(text: str, names: dict[str, str]) -> str:
    return re.sub(r"(?<![\w.])[A-Za-z_][A-Za-z_0-9]*", lambda match: names.get(match[0], match[0]), text)


def _tree_of(function: Callable[..., Any]) -> ast.AST | None:
    """Return the syntax tree of a function, a lambda or a def. Return None for a decorated def, or if its module's source lacks it."""
    code = function.__code__
    positions = [position for position in code.co_positions() if None not in position]
    for node in _functions(code.co_filename).get(code.co_firstlineno, ()):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            return node
        if isinstance(node, ast.Lambda):
            body = node.body
            begins, ends = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
            if any(c1 != c2 and begins <= (l1, c1) and (l2, c2) <= ends for l1, l2, c1, c2 in positions):
                return node  # a line may hold two lambdas
    return None


@functools.cache
def _functions(path: str) -> dict[int, list[ast.FunctionDef | ast.Lambda]]:
    """Return the lambdas and defs of the module at `path`, by the number of their first line."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    by_line: dict[int, list[ast.FunctionDef | ast.Lambda]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            by_line.setdefault(node.lineno, []).append(node)
    return by_line


class _Functions(ast.NodeTransformer):
    """Rewrite an expression: `self.cos()` as `cos(self)`, and `self._saved_other` as `other`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
        module = isinstance(receiver, ast.Name) and receiver.id in ("np", "math")
        arguments = [
            self.visit(argument) for argument in ([] if receiver is None or module else [receiver]) + node.args
        ]
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        if name == "mul_number":
            return ast.BinOp(arguments[0], ast.Mult(), arguments[1])
        return ast.Call(ast.Name(name), arguments, node.keywords)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        simple = ast.unparse(node.test) == "alpha == 1"  # the engine skips a product with 1
        return self.visit(node.orelse) if simple else self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            return ast.Name(node.attr.removeprefix("_saved_"))
        return node

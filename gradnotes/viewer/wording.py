"""Simplify the gradient rule of an operation to what applies to one call, for the step viewer.

The rule in the engine covers every call of an operation: with or without `weight`, for each `reduction`, for each
`alpha`.
"""

from __future__ import annotations

import ast
import re
from math import prod
from typing import Any

from gradnotes.words import say

Terms = dict[str, dict[str, Any]]

_MEAN = re.compile(
    r"( at the place of target, 0 elsewhere)?, divided by (the number of elements|total_weight) for the mean"
)
_MATRIX_NOTATION = (
    (r"\bt\((\w+)\)", r"\1ᵀ"),
    (r"unsqueeze\((\w+), 1\) \* (\w+)", r"the outer product of \1 and \2"),
    (r"\bmv\((\w+ᵀ), (\w+)\)", r"\1 · \2"),
)


def format_rule(name: str, rule: str, terms: Terms, shape: list[int] | tuple[int, ...]) -> str:
    """Return the gradient rule of a node as it applies to this call. Add its new symbols, such as n, to `terms`.

    `shape` is the shape of the first input.
    """
    plain = {key: term["value"] for key, term in terms.items() if term.get("plain")}
    rule = re.sub(r", which is the gradient of.*", "", rule)
    if name == "PowBackward0" and "exponent" in plain:
        rule = f"∂self = {_power_derivative(ast.literal_eval(plain['exponent']))}"
    elif name == "LinalgVectorNormBackward0" and float(plain.get("ord", "2")) == 2:
        rule = "∂self = g · self / out, and 0 where out is 0"
    for pattern, notation in _MATRIX_NOTATION:
        rule = re.sub(pattern, notation, rule)
    rule = _format_mean(rule, terms, plain.get("reduction") == "1", shape)
    for bound, pattern in (("min", r"\bmin <= "), ("max", r" <= max\b")):
        if bound not in terms:
            rule = re.sub(pattern, "", rule)
    if "pos_weight" not in terms:
        rule = rule.replace("(1 + (pos_weight - 1) · target) · ", "").replace("pos_weight · ", "")
    if "weight" not in terms:
        rule = re.sub(r" · weight(\[target\])?(?![\w])", "", rule)
    if "bias" not in terms and rule.startswith("out = (input - mean)"):
        rule = rule.replace(" + bias", "")
    for factor in ("alpha", "beta", "scale", "input_scale"):
        if plain.get(factor) in ("1", "1.0"):
            rule = re.sub(rf"\b{factor} (?:· )?(?=\w)(?!where)| [·/] {factor}\b", "", rule)
    return rule


def _format_mean(rule: str, terms: Terms, is_mean: bool, shape: list[int] | tuple[int, ...]) -> str:
    """Return a rule. Its division for the mean becomes `/ n` or `/ total_weight`, or is left out unless `is_mean`.

    Add the symbols of means, such as n, to `terms`.
    """
    if "total_weight" in terms:
        terms["total_weight"]["is"] = (
            say("the sum of the weights") if "weight" in terms else say("the number of targets that count")
        )
    elif _MEAN.search(rule):
        terms["n"] = {"name": None, "value": str(prod(shape)), "is": say("the number of elements in the mean")}
    elif re.search(r"\bmean\b.*/ .*\bn\b", rule):
        terms["mean"] = {"name": None, "value": None, "is": say("the mean of self")}
        terms["n"] = {"name": None, "value": None, "is": say("the number of elements in each mean")}

    def replace_division(match: re.Match[str]) -> str:
        condition, divisor = match[1] or "", "total_weight" if match[2] == "total_weight" else "n"
        return (f" / {divisor}" if is_mean else "") + (f",{condition}" if condition else "")

    return _MEAN.sub(replace_division, rule)


def _power_derivative(exponent: float) -> str:
    if exponent == 0:
        return "0, also at self = 0"
    if exponent == 1:
        return "g"
    return "g · exponent · self" if exponent == 2 else f"g · exponent · self^{exponent - 1:g}"

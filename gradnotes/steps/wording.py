"""Rules as the step viewer tells them: with the numbers of a call in them, as far as these decide what the rule says.

The engine writes a rule for every call of an operation: there may be a `weight`, `reduction` may ask for the mean, `alpha` may be 1.
"""

from __future__ import annotations

import ast
import re
from math import prod
from typing import Any

Terms = dict[str, dict[str, Any]]

_MEAN = re.compile(
    r"( at the place of target, 0 elsewhere)?, divided by (the number of elements|total_weight) for the mean"
)
_OF_MATRICES = (
    (r"\bt\((\w+)\)", r"\1ᵀ"),
    (r"unsqueeze\((\w+), 1\) \* (\w+)", r"the outer product of \1 and \2"),
    (r"\bmv\((\w+ᵀ), (\w+)\)", r"\1 · \2"),
)


def worded(name: str, rule: str, terms: Terms, shape: list[int] | tuple[int, ...]) -> str:
    """The rule of a node called `name`, the first input of which has `shape`. Adds to `terms` what it uses beside them."""
    plain = {key: term["value"] for key, term in terms.items() if term.get("plain")}
    rule = re.sub(r", which is the gradient of.*", "", rule)
    if name == "PowBackward0" and "exponent" in plain:
        rule = f"∂self = {_slope_of_power(ast.literal_eval(plain['exponent']))}"
    elif name == "LinalgVectorNormBackward0" and float(plain.get("ord", "2")) == 2:
        rule = "∂self = g · self / out, and 0 where out is 0"
    for pattern, words in _OF_MATRICES:
        rule = re.sub(pattern, words, rule)
    rule = _of_a_mean(rule, terms, plain.get("reduction") == "1", shape)
    for bound, where in (("min", r"\bmin <= "), ("max", r" <= max\b")):
        if bound not in terms:
            rule = re.sub(where, "", rule)
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


def _of_a_mean(rule: str, terms: Terms, asked_for: bool, shape: list[int] | tuple[int, ...]) -> str:
    """The rule of a loss, divided where the mean is asked for; or one in which a mean stands."""
    if "total_weight" in terms:
        terms["total_weight"]["is"] = "the sum of the weights" if "weight" in terms else "how many targets count"
    elif _MEAN.search(rule):
        terms["n"] = {"name": None, "value": str(prod(shape)), "is": "how many elements the mean is over"}
    elif re.search(r"\bmean\b.*/ .*\bn\b", rule):
        terms["mean"] = {"name": None, "value": None, "is": "the mean of self from which each element differs"}
        terms["n"] = {"name": None, "value": None, "is": "how many elements each mean is over"}

    def divided(match: re.Match[str]) -> str:
        where, by = match[1] or "", "total_weight" if match[2] == "total_weight" else "n"
        return (f" / {by}" if asked_for else "") + (f",{where}" if where else "")

    return _MEAN.sub(divided, rule)


def _slope_of_power(exponent: float) -> str:
    if exponent == 0:
        return "0, also at self = 0"
    if exponent == 1:
        return "g"
    return "g · exponent · self" if exponent == 2 else f"g · exponent · self^{exponent - 1:g}"

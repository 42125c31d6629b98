"""Rules as the step viewer tells them: with what the engine's own texts leave to the source next to them.

The engine writes a rule for who reads the operation below it: `weight` may be missing there, `reduction` decides whether a mean is meant,
and `select_backward` is two lines away. A reader of the viewer has the rule alone.
"""

from __future__ import annotations

import ast
import re
from math import prod
from typing import Any

Terms = dict[str, dict[str, Any]]

# Losses whose rule depends on `reduction`; `/ n` stands where the mean is asked for.
_LOSSES = {
    "MseLossBackward0": "∂self = g · 2 · (self - target)/ n,  ∂target = g · 2 · (target - self)/ n",
    "BinaryCrossEntropyBackward0": "∂self = g · weight · (self - target) / (self · (1 - self))/ n",
    "SmoothL1LossBackward0": (
        "∂self = g · clamp((self - target) / beta, -1, 1)/ n,  ∂target = g · clamp((target - self) / beta, -1, 1)/ n"
    ),
    "HuberLossBackward0": (
        "∂self = g · clamp(self - target, -delta, delta)/ n,  ∂target = g · clamp(target - self, -delta, delta)/ n"
    ),
    "NllLossBackward0": "∂self = -g · weight[target]/ total_weight, at the place of target, 0 elsewhere",
    "BinaryCrossEntropyWithLogitsBackward0": (
        "∂self = g · weight · ((1 + (pos_weight - 1) · target) · sigmoid(self) - pos_weight · target)/ n,"
        "  ∂target = g · weight · (log(1 - sigmoid(self)) - pos_weight · log(sigmoid(self)))/ n"
    ),
}
_OTHERS = {
    "TanhBackward0": "∂self = g · (1 - result · result)",
    "LeakyReluBackward0": "∂self = g where self is positive, g · negative_slope elsewhere",
    "EluBackward0": (
        "∂self = g · scale where self is positive, g · alpha · scale · input_scale · exp(input_scale · self) elsewhere"
    ),
    "SiluBackward0": "∂self = g · sigmoid(self) · (1 + self · (1 - sigmoid(self)))",
    "SoftplusBackward0": "∂self = g · sigmoid(beta · self), and g where beta · self is above threshold",
    "StdBackward0": "∂self = g · (self - mean) / ((n - correction) · result)",
    "LogsumexpBackward0": "∂self = g · exp(self - result)",
    "ErfBackward0": "∂self = g · 2 / sqrt(π) · exp(-self · self)",
    "LerpBackward0": "∂self = g · (1 - weight),  ∂end = g · weight",
    "SliceBackward0": "∂self = g at the places of the slice, 0 elsewhere",
    "DiagonalBackward0": "∂self = g on the diagonal, 0 elsewhere",
    "RollBackward0": "∂self = g rolled back",
    "ConstantPadNdBackward0": "∂self = g without what was put around it",
    "Im2ColBackward0": "∂self = g added up where the windows took it from",
    "CumsumBackward0": "∂self = g summed from the end along dimension dim",
    "MvBackward0": "∂self = the outer product of g and vec,  ∂vec = selfᵀ · g",
    "VarBackward0": "∂self = g · 2 · (self - mean) / (n - correction)",
    "PowBackward2": "∂exponent = g · out · log(base)",
}
# In any rule: what only the source explains, in words.
_WORDS = (
    (r"^See \w+\. (?=\S)", ""),
    (r"values = self at `indices` along `dim`: ", "Along dimension dim "),
    (r"values = self at `indices`: ", ""),
    (r"threshold_backward\((\w+), (\w+), 0\)", r"\1 where \2 is above 0, 0 elsewhere"),
    (r"select_backward\((\w+), \w+, dim, index\)", r"\1 at place index of dimension dim, 0 elsewhere"),
    (r"scatter_add\(zeros_of\(\w+, shape\), dim, index, (\w+)\)", r"\1 added up at the places of index, 0 elsewhere"),
    (r"permute\((\w+), tuple\(argsort\(.*\)\)\)", r"\1 with its dimensions put back in their order"),
    (r"_inside\(self, min, max\) holds, otherwise 0 \(also.*\)", "self is from min to max, 0 elsewhere"),
    (r"zeros_for\(\w+\)", "0"),
    (r"\bt\((\w+)\)", r"\1ᵀ"),
)  # fmt: skip


def worded(name: str, rule: str, terms: Terms, shape: list[int] | tuple[int, ...]) -> str:
    """The rule of a node called `name`, the first input of which has `shape`. Adds to `terms` what it uses beside them."""
    plain = {key: term["value"] for key, term in terms.items() if term.get("plain")}
    if name in _LOSSES:
        mean = plain.get("reduction") == "1"
        rule = re.sub(r"(?<! )/ (\w+)", r" / \1" if mean else "", _LOSSES[name])
        if name != "NllLossBackward0":
            terms["n"] = {"name": None, "value": str(prod(shape)), "is": "how many elements the mean is over"}
        elif "total_weight" in terms:
            terms["total_weight"]["is"] = "the sum of the weights" if "weight" in terms else "how many targets count"
    elif name in _OTHERS:
        rule = _OTHERS[name]
        if "mean" in rule:
            terms["mean"] = {"name": None, "value": None, "is": "the mean of self from which each element differs"}
            terms["n"] = {"name": None, "value": None, "is": "how many elements each mean is over"}
    elif name == "PowBackward0" and "exponent" in plain:
        rule = f"∂self = {_slope_of_power(ast.literal_eval(plain['exponent']))}"
    elif name.startswith("SqueezeBackward"):
        rule = "Dimensions of size 1 were taken away: the gradient gets them back."
    elif name == "LinalgVectorNormBackward0":
        squares = float(plain.get("ord", "2")) == 2
        rule = "∂self = g · self / out, and 0 where out is 0" if squares else rule.replace("(p - 1)", "(ord - 1)")
    for pattern, words in _WORDS:
        rule = re.sub(pattern, words, rule)
    if "self is from min to max" in rule and not {"min", "max"} <= terms.keys():
        rule = rule.replace("from min to max", "at least min" if "min" in terms else "at most max")
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


def _slope_of_power(exponent: float) -> str:
    if exponent == 0:
        return "0, also at self = 0"
    if exponent == 1:
        return "g"
    return "g · exponent · self" if exponent == 2 else f"g · exponent · self^{exponent - 1:g}"

"""The rule by which a node sends gradients, in the names and numbers of the program.

A record gives each node its `rule`, a text such as `∂self = g * other,  ∂other = g * self`, and its `terms`: what the symbols of the text
are (a name in the program, a value). Here the one is written in the other: `right.grad · w3` and `1.25 × 4`.
"""

from __future__ import annotations

import ast
import re
from math import prod
from typing import Any

from gradnotes.steps.drawing import title
from gradnotes.steps.wording import worded

FUNCTIONS = frozenset(
    "abs clamp cos cosh exp log sgn sigmoid sign sin sinh sqrt tanh".split()
)  # words that stand in a formula; any other makes it a sentence
_WINDOW = ("kernel_size", "padding", "ceil_mode", "divisor_override")  # of pooling
_ENDS = r"(?=[ᵀ²³]|\W|$)"  # of a symbol: an index above it is none of its letters
_GRADIENT = re.compile(r"(?:^|[\s:(]|,\s)∂(\w+) = ")


def told(trace: dict[str, Any], step: dict[str, Any]) -> dict[str, Any]:
    """`text`: the rule as a sentence, where it is one; `sent`: per gradient that was sent [to, formula, numbers, result]; `where`: what symbols without a name are."""
    node = next(node for node in trace["nodes"] if node["id"] == step["node"])
    if node["leaf"]:
        return {"text": f"Adds what arrives to {node['leaf']['name'] or 'the leaf'}.grad.", "sent": [], "where": []}
    terms = {name: dict(term) for name, term in node["terms"].items()}
    for symbol in ("g", "grad") if "grad" not in terms else ("g",):
        terms[symbol] = {
            "name": f"{node['result']}.grad" if node.get("result") else None,
            "value": step.get("brief"),
            "is": "the gradient that arrives",
        }
    words = ""
    if spread := _spread(node["name"], terms):
        rule, count, words = spread
        terms["n"] = {"name": None, "value": str(count), "is": "how many share it", "plain": True}
    else:
        rule = worded(node["name"], node["rule"], terms, _first_shape(trace, step))
    formulas = _formulas(rule)
    arrived = _gradients(trace, step)
    sent = []
    used = ""
    for symbol, formula in formulas.items():
        if symbol in arrived:
            used += formula + " "
            numbers = "" if _is_prose(formula, terms) else _with(formula.replace(" · ", " × "), terms, "value")
            target, result, summed = arrived[symbol]
            shown = re.sub(r" · 1$", "", _with(formula, terms, "name"))
            numbers = "" if numbers == result or shown == formula == "g" else re.sub(r" × 1$", "", numbers)
            if summed and not re.search("[Σᵀ(]", formula):
                result = f"{result}, summed to the shape of {target}"
            result += f", {words}" if words else ""
            sent.append([target, shown, numbers if numbers != result else "", result])
    text = "" if sent else _with(_sentence(rule), terms, "name")
    text = text[:1].upper() + text[1:] if re.match(r"[a-z]+ (?!=)", text) else text
    used += "" if sent else rule
    where = [
        [symbol, term["is"] + (f", {term['value']}" if term.get("value") else "")]
        for symbol, term in terms.items()
        if not _shown(term, "name") and re.search(_word(symbol), used)
    ]
    return {"text": text, "sent": sent, "where": where}


def _spread(name: str, terms: dict[str, Any]) -> tuple[str, int, str] | None:
    """Of a node that made one number of `n`: its rule as a formula, the n and who gets the result; None of any other node."""
    given = {key: ast.literal_eval(terms[key]["value"]) for key in ("self_sym_sizes", "dim", *_WINDOW) if key in terms}
    if name.startswith(("SumBackward", "MeanBackward")) and "self_sym_sizes" in given:
        sizes, dims = given["self_sym_sizes"], given.get("dim", ())
        rule = "∂self = g" if name.startswith("Sum") else "∂self = g / n"
        if len(dims) in (0, len(sizes)):
            return rule, prod(sizes), "the same for every element"
        along = ", ".join(map(str, dims))
        return rule, prod(sizes[d] for d in dims), f"the same along dim {along}"
    plain = not any(given.get("padding", (1,))) and given.get("divisor_override") is None and not given.get("ceil_mode")
    if re.fullmatch("AvgPool[23]DBackward0", name) and plain:
        return "∂self = g / n", prod(given["kernel_size"]), "for each element of a window"
    return None


def _formulas(rule: str) -> dict[str, str]:
    """`∂self = g * other,  ∂other = g * self.` as {self: g · other, other: g · self}."""
    pieces = _GRADIENT.split(rule)
    return {
        name: text.strip().rstrip(",;. ").replace(" * ", " · ")
        for name, text in zip(pieces[1::2], pieces[2::2], strict=True)
    }


def _first_shape(trace: dict[str, Any], step: dict[str, Any]) -> list[int]:
    """The shape of what a gradient is sent to first."""
    shapes = {node["id"]: node["shape"] for node in trace["nodes"]}
    return next((shapes[sent["target"]] for sent in step["sent"]), [])


def _gradients(trace: dict[str, Any], step: dict[str, Any]) -> dict[str, tuple[str, str, bool]]:
    """What was sent to the input of each name: (to which node, the gradient in short, whether it has fewer elements than what arrived)."""
    left = [sent for sent in step["sent"] if sent["gradient"] is not None]
    nodes = {node["id"]: node for node in trace["nodes"]}
    names = nodes[step["node"]]["inputs"]
    found = {}
    for edge in trace["edges"]:
        if edge["source"] != step["node"] or edge["input_nr"] >= len(names):
            continue
        for sent in left:
            if (sent["target"], sent["output_nr"]) == (edge["target"], edge["output_nr"]):
                target = nodes[edge["target"]]
                summed = prod(target["shape"]) < prod(nodes[step["node"]]["shape"])
                found[names[edge["input_nr"]]] = title(target), sent["brief"], summed
                left.remove(sent)
                break
    return found


def _sentence(rule: str) -> str:
    return re.sub(r"∂(\w+)", r"the gradient of \1", rule.replace("`", ""))


def _is_prose(formula: str, terms: dict[str, Any]) -> bool:
    """Whether numbers cannot stand in the place of all its words."""
    words = re.findall(r"[^\W\d_]\w*", re.sub("[ᵀ²³]", "", formula))
    return any(word not in FUNCTIONS and not terms.get(word, {}).get("value") for word in words)


def _word(symbol: str) -> str:
    return rf"(?<![\w.]){re.escape(symbol)}{_ENDS}"


def _shown(term: dict[str, Any], key: str) -> str | None:
    """What stands in the place of a symbol: its name or value; a plain number is its own name."""
    return term.get(key) or (term.get("value") if term.get("plain") or key == "value" else None)


def _with(text: str, terms: dict[str, Any], key: str) -> str:
    """The text with what is known in the place of its symbols."""

    def put(match: re.Match[str]) -> str:
        shown = _shown(terms[match[0]], key)
        if shown is None:
            return match[0]
        alone = match.start() == 0 or text[: match.start()].endswith(("(", "where "))
        return f"({shown})" if shown.startswith("-") and not alone else shown

    symbols = "|".join(re.escape(symbol) for symbol in sorted(terms, key=len, reverse=True))
    return re.sub(rf"(?<![\w.])(?:{symbols}){_ENDS}", put, text)

"""Explain the gradient rule of a node with the program's names and numbers.

A recording has for each node its `rule`, such as `∂self = g * other,  ∂other = g * self`, and its `terms`: the name in
the program and the value of each symbol. This module substitutes them: `right.grad · w3` and `1.25 × 4`.
"""

from __future__ import annotations

import ast
import re
from math import prod
from typing import Any

from gradnotes.viewer.graph_svg import title
from gradnotes.viewer.wording import format_rule
from gradnotes.words import say

# A formula may contain these words. A text with other words is a sentence.
FUNCTIONS = frozenset("abs clamp cos cosh exp log sgn sigmoid sign sin sinh sqrt tanh".split())
_WINDOW = ("kernel_size", "padding", "ceil_mode", "divisor_override")  # arguments of pooling
_SYMBOL_END = r"(?=[ᵀ²³]|\W|$)"  # a superscript is not part of the symbol
_GRADIENT = re.compile(r"(?:^|[\s:(]|,\s)∂(\w+) = ")


def explain_step(trace: dict[str, Any], step: dict[str, Any]) -> dict[str, Any]:
    """Explain how the node of a step computes the gradients that it sends.

    The result has these keys:
        text: the rule as a sentence, if it is not a formula, else an empty string
        sent: per gradient [target, formula, formula with numbers, result]
        where: [symbol, explanation] of each symbol in the formulas that has no name in the program
    """
    node = next(node for node in trace["nodes"] if node["id"] == step["node"])
    if node["leaf"]:
        return {
            "text": say("Adds the gradient that arrives to {name}.grad.", name=node["leaf"]["name"] or say("the leaf")),
            "sent": [],
            "where": [],
        }
    terms = {name: dict(term) for name, term in node["terms"].items()}
    for symbol in ("g", "grad") if "grad" not in terms else ("g",):
        terms[symbol] = {
            "name": f"{node['result']}.grad" if node.get("result") else None,
            "value": step.get("brief"),
            "is": say("the gradient that arrives"),
        }
    scope = ""
    if reduction := _reduction_rule(node["name"], terms):
        rule, count, scope = reduction
        terms["n"] = {
            "name": None,
            "value": str(count),
            "is": say("the number of elements that share it"),
            "plain": True,
        }
    else:
        rule = format_rule(node["name"], node["rule"], terms, _first_shape(trace, step))
    formulas = _formulas(rule)
    gradients = _gradients_by_input(trace, step)
    gradient_rows = []
    used_text = ""
    for symbol, formula in formulas.items():
        if symbol in gradients:
            used_text += formula + " "
            formula = _say_rule(formula)
            numbers = "" if _is_prose(formula, terms) else _substitute(formula.replace(" · ", " × "), terms, "value")
            target, result, is_summed = gradients[symbol]
            named_formula = re.sub(r" · 1$", "", _substitute(formula, terms, "name"))
            numbers = "" if numbers == result or named_formula == formula == "g" else re.sub(r" × 1$", "", numbers)
            if is_summed and not re.search("[Σᵀ(]", formula):
                result = say("{result}, summed to the shape of {target}", result=result, target=target)
            result += f", {scope}" if scope else ""
            gradient_rows.append([target, named_formula, numbers if numbers != result else "", result])
    text = "" if gradient_rows else _substitute(_say_rule(_as_sentence(rule)), terms, "name")
    text = text[:1].upper() + text[1:] if re.match(r"[a-z]+ (?!=)", text) else text
    used_text += "" if gradient_rows else rule
    explanations = [
        [symbol, _say_meaning(term["is"], term.get("value"))]
        for symbol, term in terms.items()
        if not _replacement(term, "name") and re.search(_symbol_pattern(symbol), used_text, re.ASCII)
    ]
    return {"text": text, "sent": gradient_rows, "where": explanations}


def _reduction_rule(name: str, terms: dict[str, Any]) -> tuple[str, int, str] | None:
    """Return (formula, n, phrase) for a sum, mean or average pooling, which reduces n elements to one, else None.

    Of poolings, only those in 2 or 3 dimensions without padding, `ceil_mode` and `divisor_override` have this rule. The
    phrase says which elements get the same gradient.
    """
    values = {key: ast.literal_eval(terms[key]["value"]) for key in ("self_sym_sizes", "dim", *_WINDOW) if key in terms}
    if name.startswith(("SumBackward", "MeanBackward")) and "self_sym_sizes" in values:
        sizes, dims = values["self_sym_sizes"], values.get("dim", ())
        rule = "∂self = g" if name.startswith("Sum") else "∂self = g / n"
        if len(dims) in (0, len(sizes)):
            return rule, prod(sizes), say("the same for every element")
        along = ", ".join(map(str, dims))
        return rule, prod(sizes[d] for d in dims), say("the same along dim {dims}", dims=along)
    has_whole_windows = not any(values.get("padding", (1,))) and not values.get("ceil_mode")
    has_default_divisor = values.get("divisor_override") is None
    if re.fullmatch("AvgPool[23]DBackward0", name) and has_whole_windows and has_default_divisor:
        return "∂self = g / n", prod(values["kernel_size"]), say("for each element of a window")
    return None


def _formulas(rule: str) -> dict[str, str]:
    """Split `∂self = g * other,  ∂other = g * self.` into {self: g · other, other: g · self}."""
    pieces = _GRADIENT.split(rule)
    return {
        name: text.strip().rstrip(",;. ").replace(" * ", " · ")
        for name, text in zip(pieces[1::2], pieces[2::2], strict=True)
    }


def _first_shape(trace: dict[str, Any], step: dict[str, Any]) -> list[int]:
    """Return the shape of the first node to which the step sends a gradient, or [] if it sends none."""
    shapes = {node["id"]: node["shape"] for node in trace["nodes"]}
    return next((shapes[sent_gradient["target"]] for sent_gradient in step["sent"]), [])


def _gradients_by_input(trace: dict[str, Any], step: dict[str, Any]) -> dict[str, tuple[str, str, bool]]:
    """Map each input of the node to (target, gradient, is summed).

    `target` is the title of the input's node, `gradient` a short text, `is summed` whether the gradient was summed over
    broadcast dimensions.
    """
    remaining = [sent_gradient for sent_gradient in step["sent"] if sent_gradient["gradient"] is not None]
    nodes = {node["id"]: node for node in trace["nodes"]}
    names = nodes[step["node"]]["inputs"]
    gradients = {}
    for edge in trace["edges"]:
        if edge["source"] != step["node"] or edge["input_nr"] >= len(names):
            continue
        for sent_gradient in remaining:
            if (sent_gradient["target"], sent_gradient["output_nr"]) == (edge["target"], edge["output_nr"]):
                target = nodes[edge["target"]]
                is_summed = prod(target["shape"]) < prod(nodes[step["node"]]["shape"])
                gradients[names[edge["input_nr"]]] = title(target), sent_gradient["brief"], is_summed
                remaining.remove(sent_gradient)
                break
    return gradients


def _say_rule(text: str) -> str:
    """Return a gradient rule in the language of the page, or unchanged if it is a formula without blanks."""
    return say(text) if " " in text else text


def _say_meaning(text: str, value: str | None) -> str:
    """Return the engine's description of a symbol in the language of the page, with the value of the symbol."""
    match = re.fullmatch(r"what (\w+) led to", text)
    meaning = say("the tensor with grad_fn {node}", node=match[1]) if match else say(text)
    return say("{meaning}, {value}", meaning=meaning, value=value) if value else meaning


def _as_sentence(rule: str) -> str:
    return re.sub(r"∂(\w+)", r"the gradient of \1", rule.replace("`", ""))


def _is_prose(formula: str, terms: dict[str, Any]) -> bool:
    """Return whether a text is a sentence: it has a word that is no symbol with a value and no name in FUNCTIONS."""
    words = re.findall(r"[^\W\d_]\w*", re.sub("[ᵀ²³]", "", formula))
    return any(word not in FUNCTIONS and not terms.get(word, {}).get("value") for word in words)


def _symbol_pattern(symbol: str) -> str:
    return rf"(?<![\w.]){re.escape(symbol)}{_SYMBOL_END}"


def _replacement(term: dict[str, Any], key: str) -> str | None:
    """Return the text that replaces a symbol: `term[key]`, or the value of a plain number without a name, or None."""
    return term.get(key) or (term.get("value") if term.get("plain") or key == "value" else None)


def _substitute(text: str, terms: dict[str, Any], key: str) -> str:
    """Return the text with the symbols of `terms` replaced by their names (`key` is "name") or values ("value")."""

    def replace(match: re.Match[str]) -> str:
        replacement = _replacement(terms[match[0]], key)
        if replacement is None:
            return match[0]
        is_first = match.start() == 0 or text[: match.start()].endswith(("(", "where "))
        return f"({replacement})" if replacement.startswith("-") and not is_first else replacement

    symbols = "|".join(re.escape(symbol) for symbol in sorted(terms, key=len, reverse=True))
    # re.ASCII: a Chinese character beside a symbol is not part of it
    return re.sub(rf"(?<![\w.])(?:{symbols}){_SYMBOL_END}", replace, text, flags=re.ASCII)

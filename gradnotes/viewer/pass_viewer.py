"""Render backward passes: a figure per pass with its graph and a table of its steps, readable without JavaScript."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from typing import Any

from gradnotes.viewer.graph_svg import is_wide, place_nodes, svg, title
from gradnotes.viewer.rules import explain_step
from gradnotes.words import say, say_label

# full name of a function or class of the engine -> address of its source on a page, or None
SourceLink = Callable[[str], "str | None"]

PASSES = 12  # limit of the figures per line of the program, and of the lines with figures, to keep pages small


def figures(
    passes: list[dict[str, Any]],
    identifier: str,
    source_link: SourceLink | None = None,
    file: str = "",
    only: int | None = None,
) -> list[str]:
    """Render a figure for each backward pass, grouped by the line of the program that ran it.

    If a line ran several passes, at most PASSES of them get a figure, and all figures but one are hidden until the reader
    selects another. Only the first PASSES lines get figures. Sentences say how many passes and lines are left out.

    Args:
        passes: recorded passes
        identifier: prefix of the ids
        source_link: returns the address of the source of a symbol, or None
        file: the snippet in which the viewer marks the line of a step
        only: index of a pass. Render only the group of its line, with this pass visible.
    """
    lines: dict[int, list[int]] = {}
    for number, trace in enumerate(passes):
        lines.setdefault(trace["line"], []).append(number)
    groups = [numbers for numbers in lines.values() if only is None or only in numbers][:PASSES]
    out = []
    for numbers in groups:
        first = numbers[0] if only is None else only
        pass_numbers = sorted({first, *numbers[:PASSES]})
        pass_figures = []
        for number in pass_numbers:
            name = f"{identifier}-{number + 1}" if only is None or number != only else identifier
            caption = say("Step through {call}", call=passes[number]["call"])
            pass_figures.append(figure(passes[number], name, caption, source_link, file))
        if len(numbers) == 1:
            out += pass_figures
            continue
        groups_html = "".join(
            f'<div class="steps-pass" role="group" aria-label="{say("Pass {number}", number=numbers.index(number) + 1)}"'
            f"{'' if number == first else ' hidden'}>{figure_html}</div>"
            for number, figure_html in zip(pass_numbers, pass_figures, strict=True)
        )
        limit_note = (
            say("; the first {count} can be stepped through", count=PASSES) if len(pass_numbers) < len(numbers) else ""
        )
        source, call = passes[first]["source"], passes[first]["call"]
        # if they differ, the statement is a loop or calls a function
        location = say("this line") if call == source else _code(source)
        words = say(
            "{number} backward passes ran in {location}{note}.", number=len(numbers), location=location, note=limit_note
        )
        summary = f'<p class="steps-none">{words}</p>'
        out.append(f'<div class="steps-loop">{summary}{groups_html}</div>')
    if len(groups) < len(lines) and only is None:
        words = say("{number} lines ran backward passes; the first {limit} are shown.", number=len(lines), limit=PASSES)
        out.append(f'<p class="steps-none">{words}</p>')
    return out


def figure(
    trace: dict[str, Any], identifier: str, caption: str, source_link: SourceLink | None = None, file: str = ""
) -> str:
    """Render one pass: its graph, a table of its steps, and the recording as JSON for docs/assets/steps.js.

    If the pass was not recorded, render only the reason. The arguments have the same meaning as in `figures`.
    """
    if "left_out" in trace:
        return f'<p class="steps-none">{say_label(trace["left_out"])}</p>'
    name = html.escape(identifier)
    data = json.dumps(
        {
            **trace,
            "file": file,
            "nodes": [_node_data(node, source_link) for node in trace["nodes"]],
            "steps": [{**step, "told": explain_step(trace, step)} for step in trace["steps"]],
        },
        ensure_ascii=False,
        separators=(",", ":"),
        sort_keys=True,
    ).replace("<", "\\u003c")
    count = len(trace["steps"])
    summary = say("The step as a table", "All {count} steps as a table", count=count)
    placement = place_nodes(trace)
    kind = "steps steps-wide" if is_wide(placement) else "steps"
    return (
        f'<figure class="{kind}" id="{name}" aria-label="{html.escape(caption)}">'
        f'<figcaption><span class="snippet-title">{html.escape(caption)}</span></figcaption>'
        f'<div class="steps-body"><div class="steps-graph" tabindex="0">{svg(trace, placement, name)}</div>'
        f'<div class="steps-side" hidden></div></div>'
        f'<details class="steps-table" open><summary>{summary}</summary>'
        f"{table(trace)}</details>"
        f'<script type="application/json">{data}</script></figure>'
    )


def table(trace: dict[str, Any]) -> str:
    """Render the steps as a table: node, gradients received, rule, gradients sent, nodes that are ready next."""
    nodes = {node["id"]: node for node in trace["nodes"]}
    heads = (say("Step"), say("Runs"), say("Receives"), say("Rule"), say("Sends"), say("Ready next"))
    out = ['<div class="table-frame" tabindex="0"><table class="stacking"><thead><tr>']
    out += [f'<th scope="col">{head}</th>' for head in heads]
    out.append("</tr></thead><tbody>")
    for number, step in enumerate(trace["steps"], 1):
        node = nodes[step["node"]]
        runs = _code(title(node)) + (
            f" <small>{html.escape(node['name'])}</small>" if title(node) != node["name"] else ""
        )
        sends = "<br>".join(_sent_gradient_html(sent_gradient, nodes) for sent_gradient in step["sent"])
        if step["accumulated"] is not None:
            sends = _code(title(node) + ".grad") + say(" becomes ") + _code(step["accumulated"])
        ready_nodes = ready_after(trace, number - 1)
        cells = (
            str(number),
            runs,
            "<br>".join(_code(value) for value in step["received"]) or say("nothing"),
            _rule_html(explain_step(trace, step)),
            sends or say("nothing"),
            ", ".join(_code(title(nodes[key])) for key in ready_nodes) or say("nothing: the pass ends"),
        )
        out.append(
            "<tr>" + "".join(f'<td data-head="{h}">{c}</td>' for h, c in zip(heads, cells, strict=True)) + "</tr>"
        )
    out.append("</tbody></table></div>")
    return "".join(out)


def ready_after(trace: dict[str, Any], index: int) -> list[str]:
    """Return the ids of the nodes that are ready after step `index` (from 0), in the order of the queue; [] after the last."""
    steps = trace["steps"]
    if index + 1 >= len(steps):
        return []
    next_step = steps[index + 1]
    return [next_step["node"], *next_step["queue"]]


def _sent_gradient_html(sent_gradient: dict[str, Any], nodes: dict[str, dict[str, Any]]) -> str:
    gradient = _code(sent_gradient["gradient"]) if sent_gradient["gradient"] is not None else say("no gradient")
    state = (
        say(", now ready")
        if sent_gradient["ready"]
        else say(", still waits for {count}", count=sent_gradient["remaining"])
    )
    return gradient + say(" to ") + _code(title(nodes[sent_gradient["target"]])) + state


def _rule_html(explanation: dict[str, Any]) -> str:
    """Render the rule of a step from the result of `explain_step`: formulas, numbers and results."""
    rows = [
        f"{_code(target)}: " + " = ".join(_code(part) for part in parts if part)
        for target, *parts in explanation["sent"]
    ]
    rows += [html.escape(explanation["text"])] if explanation["text"] else []
    rows += [f"{_code(symbol)}: {html.escape(meaning)}" for symbol, meaning in explanation["where"]]
    return "<br>".join(rows)


def _node_data(node: dict[str, Any], source_link: SourceLink | None) -> dict[str, Any]:
    """Return the data of a node for docs/assets/steps.js, with the address of its source if it is known."""
    href = source_link(node["symbol"]) if source_link else None
    data = {key: value for key, value in node.items() if key not in ("rule", "terms", "inputs")}
    data["saved"] = {name: say(value) for name, value in node["saved"].items()}  # "changed in place since", or a tensor
    data["names"] = {name: node["terms"][name]["name"] for name in node["saved"] if name in node["terms"]}
    return {**data, "href": href} if href else data


def _code(text: str) -> str:
    return f"<code>{html.escape(text)}</code>"

"""The figure of a backward pass: the graph, and a table of its steps that is there without JavaScript."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from typing import Any

from gradnotes.steps.drawing import svg, title
from gradnotes.steps.rules import told

SourceLink = Callable[[str], "str | None"]


PASSES = 12  # of a loop, and lines with a pass, that are kept: a page has to carry them


def figures(
    passes: list[dict[str, Any]],
    identifier: str,
    source_link: SourceLink | None = None,
    file: str = "",
    only: int | None = None,
) -> list[str]:
    """A viewer per line that runs passes, with a choice where it runs several; of `only` one pass its line's, that pass first.

    Without a script the first of them is there.
    """
    lines: dict[int, list[int]] = {}
    for number, trace in enumerate(passes):
        lines.setdefault(trace["line"], []).append(number)
    chosen = [numbers for numbers in lines.values() if only is None or only in numbers][:PASSES]
    out = []
    for numbers in chosen:
        first = numbers[0] if only is None else only
        kept = sorted({first, *numbers[:PASSES]})
        shown = []
        for number in kept:
            name = f"{identifier}-{number + 1}" if only is None or number != only else identifier
            caption = f"Step through {passes[number]['call']}"
            shown.append(figure(passes[number], name, caption, source_link, file))
        if len(numbers) == 1:
            out += shown
            continue
        wrapped = "".join(
            f'<div class="steps-pass" role="group" aria-label="Pass {numbers.index(number) + 1}"{"" if number == first else " hidden"}>{one}</div>'
            for number, one in zip(kept, shown, strict=True)
        )
        more = f"; the first {PASSES} can be stepped through" if len(kept) < len(numbers) else ""
        source, call = passes[first]["source"], passes[first]["call"]
        where = "this line" if call == source else _code(source)  # a loop, or a call of a function
        said = f'<p class="steps-none">{len(numbers)} backward passes ran in {where}{more}.</p>'
        out.append(f'<div class="steps-loop">{said}{wrapped}</div>')
    if len(chosen) < len(lines) and only is None:
        out.append(f'<p class="steps-none">{len(lines)} lines ran backward passes; shown are the first {PASSES}.</p>')
    return out


def figure(
    trace: dict[str, Any], identifier: str, caption: str, source_link: SourceLink | None = None, file: str = ""
) -> str:
    """One pass. `source_link` gives the address at which a symbol of the engine is shown; `file` is the snippet whose lines are marked."""
    if "left_out" in trace:
        return f'<p class="steps-none">{trace["left_out"]}</p>'
    name = html.escape(identifier)
    data = json.dumps(
        {
            **trace,
            "file": file,
            "nodes": [_shown(node, source_link) for node in trace["nodes"]],
            "steps": [{**step, "told": told(trace, step)} for step in trace["steps"]],
        },
        ensure_ascii=False,
        separators=(",", ":"),
        sort_keys=True,
    ).replace("<", "\\u003c")
    count = len(trace["steps"])
    counted = "The step" if count == 1 else f"All {count} steps"
    return (
        f'<figure class="steps" id="{name}" aria-label="{html.escape(caption)}">'
        f'<figcaption><span class="snippet-title">{html.escape(caption)}</span></figcaption>'
        f'<div class="steps-body"><div class="steps-graph" tabindex="0">{svg(trace, name)}</div>'
        f'<div class="steps-side" hidden></div></div>'
        f'<details class="steps-table" open><summary>{counted} as a table</summary>'
        f"{table(trace)}</details>"
        f'<script type="application/json">{data}</script></figure>'
    )


def table(trace: dict[str, Any]) -> str:
    """Each step as a row: what runs, what it receives, what it sends where, what waits then."""
    nodes = {node["id"]: node for node in trace["nodes"]}
    heads = ("Step", "Runs", "Receives", "Rule", "Sends", "Ready next")
    out = ['<div class="table-frame" tabindex="0"><table class="stacking"><thead><tr>']
    out += [f'<th scope="col">{head}</th>' for head in heads]
    out.append("</tr></thead><tbody>")
    for number, step in enumerate(trace["steps"], 1):
        node = nodes[step["node"]]
        runs = _code(title(node)) + (
            f" <small>{html.escape(node['name'])}</small>" if title(node) != node["name"] else ""
        )
        sends = "<br>".join(_sent(sent, nodes) for sent in step["sent"])
        if step["accumulated"] is not None:
            sends = f"{_code(title(node) + '.grad')} becomes {_code(step['accumulated'])}"
        after = ready_after(trace, number - 1)
        cells = (
            str(number),
            runs,
            "<br>".join(_code(value) for value in step["received"]) or "nothing",
            _rule(told(trace, step)),
            sends or "nothing",
            ", ".join(_code(title(nodes[key])) for key in after) or "nothing: the pass ends",
        )
        out.append(
            "<tr>" + "".join(f'<td data-head="{h}">{c}</td>' for h, c in zip(heads, cells, strict=True)) + "</tr>"
        )
    out.append("</tbody></table></div>")
    return "".join(out)


def ready_after(trace: dict[str, Any], index: int) -> list[str]:
    """The nodes that are ready when step `index` is over, in the order in which they will run."""
    steps = trace["steps"]
    if index + 1 >= len(steps):
        return []
    following = steps[index + 1]
    return [following["node"], *following["queue"]]


def _sent(sent: dict[str, Any], nodes: dict[str, dict[str, Any]]) -> str:
    gradient = _code(sent["gradient"]) if sent["gradient"] is not None else "no gradient"
    left = sent["remaining"]
    state = "now ready" if sent["ready"] else f"still waits for {left}"
    return f"{gradient} to {_code(title(nodes[sent['target']]))}, {state}"


def _rule(told: dict[str, Any]) -> str:
    """The rule of a step: formula, numbers, result."""
    rows = [f"{_code(target)}: " + " = ".join(_code(part) for part in parts if part) for target, *parts in told["sent"]]
    rows += [html.escape(told["text"])] if told["text"] else []
    rows += [f"{_code(symbol)}: {html.escape(what)}" for symbol, what in told["where"]]
    return "<br>".join(rows)


def _shown(node: dict[str, Any], source_link: SourceLink | None) -> dict[str, Any]:
    """The node as a page carries it: with the address of its source, if the engine's source is shown anywhere."""
    href = source_link(node["symbol"]) if source_link else None
    kept = {key: value for key, value in node.items() if key not in ("rule", "terms", "inputs")}
    kept["names"] = {name: node["terms"][name]["name"] for name in node["saved"] if name in node["terms"]}
    return {**kept, "href": href} if href else kept


def _code(text: str) -> str:
    return f"<code>{html.escape(text)}</code>"

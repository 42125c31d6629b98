"""The figure of a backward pass: the graph, and a table of its steps that is there without JavaScript."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from typing import Any

from gradnotes.steps.drawing import svg, title

SourceLink = Callable[[str], "str | None"]


def figure(trace: dict[str, Any], identifier: str, caption: str, source_link: SourceLink | None = None) -> str:
    """The whole figure. `source_link` gives the address at which a symbol of the engine is shown."""
    if "too_large" in trace:
        return f'<p class="steps-none">This pass goes through {trace["too_large"]} nodes, too many to draw here.</p>'
    name = html.escape(identifier)
    data = json.dumps(
        {**trace, "nodes": [_with_link(node, source_link) for node in trace["nodes"]]},
        ensure_ascii=False,
        separators=(",", ":"),
        sort_keys=True,
    ).replace("<", "\\u003c")
    return (
        f'<figure class="steps" id="{name}" aria-label="{html.escape(caption)}">'
        f'<figcaption><span class="snippet-title">{html.escape(caption)}</span></figcaption>'
        f'<div class="steps-body"><div class="steps-graph" tabindex="0">{svg(trace, name)}</div>'
        f'<div class="steps-side" hidden></div></div>'
        f'<details class="steps-table" open><summary>All {len(trace["steps"])} steps as a table</summary>'
        f"{table(trace)}</details>"
        f'<script type="application/json">{data}</script></figure>'
    )


def table(trace: dict[str, Any]) -> str:
    """Each step as a row: what runs, what it receives, what it sends where, what waits then."""
    nodes = {node["id"]: node for node in trace["nodes"]}
    heads = ("Step", "Runs", "Receives", "Sends", "Ready next")
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


def _with_link(node: dict[str, Any], source_link: SourceLink | None) -> dict[str, Any]:
    """The node with the address of its source, if the engine's source is shown anywhere."""
    href = source_link(node["symbol"]) if source_link else None
    return {**node, "href": href} if href else node


def _code(text: str) -> str:
    return f"<code>{html.escape(text)}</code>"

"""Render the cells of an executed notebook: Markdown as it is, code as a figure with its outputs.

A notebook is displayed with its stored outputs. One that was not executed, or with an unexpected error, is refused.
"""

from __future__ import annotations

import html
import re
from typing import Any

from gradnotes.cache import BuildCache
from gradnotes.fences import highlight
from gradnotes.problems import FenceError

_ID = re.compile(r"""(\bid="|url\(#|href="#)""")
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def render_cell(cell: dict[str, Any], number: int, name: str, cache: BuildCache) -> dict[str, str] | None:
    """Render a cell of notebook `name`, as `markdown` or as a `figure`; `number` counts its cells from 1.

    Raises:
        FenceError: the cell was not executed, failed, or has a picture without alternative text.
    """
    if cell["cell_type"] == "markdown":
        return {"markdown": _join(cell["source"])}
    if cell["cell_type"] == "code" and _join(cell["source"]).strip():
        return {"figure": _render_figure(cell, number, name, cache)}
    return None


def _render_figure(cell: dict[str, Any], number: int, name: str, cache: BuildCache) -> str:
    text = _join(cell["source"]).rstrip()
    if text and cell.get("execution_count") is None:
        raise FenceError(f"cell {number} of {name} was not executed", "run `make labs`")
    outputs = [
        _render_output(name, number, cell, output, f"cell-{number}-{index}-")
        for index, output in enumerate(cell.get("outputs", []), 1)
    ]
    lines = "\n".join(highlight.lines(text, "python", cache))
    texts = "".join(markup for markup, is_text in outputs if is_text)
    pictures = "".join(markup for markup, is_text in outputs if not is_text)
    return f'<figure class="snippet lab-cell"><pre tabindex="0"><code>{lines}\n{texts}</code></pre>{pictures}</figure>'


def _render_output(
    name: str, number: int, cell: dict[str, Any], output: dict[str, Any], prefix: str
) -> tuple[str, bool]:
    """Render an output; return its HTML and whether it is text."""
    kind = output["output_type"]
    if kind == "error":
        if "raises-exception" not in cell.get("metadata", {}).get("tags", []):
            raise FenceError(
                f"cell {number} of {name} failed: {output['ename']}: {output['evalue']}",
                "correct it, or tag the cell `raises-exception`",
            )
        return _render_text("raises", f"{output['ename']}: {output['evalue']}"), True
    if kind == "stream":
        return _render_text("warns" if output["name"] == "stderr" else "prints", _join(output["text"])), True
    data = output["data"]
    alt = cell.get("metadata", {}).get("alt")
    if "image/svg+xml" in data or "image/png" in data:
        if not alt:
            remedy = 'describe it in the metadata of the cell: "alt": "..."'
            raise FenceError(f"cell {number} of {name} has a picture without alternative text", remedy)
        return _render_picture(data, alt, prefix), False
    return _render_text("prints", _join(data.get("text/plain", ""))), True


def plain(text: str) -> str:
    """Remove terminal colors from a text."""
    return _ANSI.sub("", text)


def _render_text(kind: str, text: str) -> str:
    rows = html.escape(plain(text).rstrip("\n"))
    return f'<span class="x x-{kind}" data-word="{kind}">{rows}</span>'


def _render_picture(data: dict[str, Any], alt: str, prefix: str) -> str:
    if "image/svg+xml" in data:
        svg = _join(data["image/svg+xml"])
        svg = _prefix_ids(svg[svg.index("<svg") :], prefix)
        label = html.escape(alt)
        return f'<div class="lab-picture" role="img" aria-label="{label}">{svg}</div>'
    picture = _join(data["image/png"]).replace("\n", "")
    return f'<img class="lab-picture" alt="{html.escape(alt)}" src="data:image/png;base64,{picture}">'


def _prefix_ids(svg: str, prefix: str) -> str:
    """Prefix the ids in a drawing, since two drawings may use the same; remove repeated ids."""
    seen: set[str] = set()

    def first_only(match: re.Match[str]) -> str:
        if match[0] in seen:
            return ""
        seen.add(match[0])
        return match[0]

    return re.sub(r'\sid="[^"]*"', first_only, _ID.sub(rf"\g<1>{prefix}", svg))


def _join(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)

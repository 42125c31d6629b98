"""Render the cells of a notebook with their stored outputs: a Markdown cell unchanged, a code cell as a figure.

A code cell that was not executed, or that has an unexpected error, is a problem.
"""

from __future__ import annotations

import re
from typing import Any

from markupsafe import Markup

from gradnotes.cache import BuildCache
from gradnotes.fences import highlight
from gradnotes.problems import FenceError
from gradnotes.templating import render

_ID = re.compile(r"""(\bid="|url\(#|href="#)""")
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def render_cell(cell: dict[str, Any], number: int, name: str, cache: BuildCache) -> dict[str, str] | None:
    """Return {"markdown": text} or {"figure": HTML} for a cell of notebook `name`, or None for an empty or raw cell.

    `number` is the position of the cell in the notebook, counted from 1.

    Raises:
        FenceError: the cell was not executed, failed, or has a picture without alternative text.
    """
    if cell["cell_type"] == "markdown":
        return {"markdown": _join(cell["source"])}
    if cell["cell_type"] == "code" and _join(cell["source"]).strip():
        return {"figure": _render_figure(cell, number, name, cache)}
    return None


def _render_figure(cell: dict[str, Any], number: int, name: str, cache: BuildCache) -> Markup:
    text = _join(cell["source"]).rstrip()
    if text and cell.get("execution_count") is None:
        raise FenceError(f"cell {number} of {name} was not executed", "run `make labs`")
    outputs = [
        _read_output(name, number, cell, output, f"cell-{number}-{index}-")
        for index, output in enumerate(cell.get("outputs", []), 1)
    ]
    return render(
        "lab_cell",
        code=highlight.code(text, "python", cache),
        texts=[output for output in outputs if "text" in output],
        pictures=[output for output in outputs if "text" not in output],
        alt=cell.get("metadata", {}).get("alt"),
    )


def _read_output(name: str, number: int, cell: dict[str, Any], output: dict[str, Any], prefix: str) -> dict[str, str]:
    """Return {"kind": ..., "text": ...} for an output that is text, {"svg": ...} or {"png": ...} for a picture."""
    kind = output["output_type"]
    if kind == "error":
        if "raises-exception" not in cell.get("metadata", {}).get("tags", []):
            raise FenceError(
                f"cell {number} of {name} failed: {output['ename']}: {output['evalue']}",
                "correct it, or tag the cell `raises-exception`",
            )
        return _text_output("raises", f"{output['ename']}: {output['evalue']}")
    if kind == "stream":
        return _text_output("warns" if output["name"] == "stderr" else "prints", _join(output["text"]))
    data = output["data"]
    if "image/svg+xml" in data or "image/png" in data:
        if not cell.get("metadata", {}).get("alt"):
            remedy = 'describe it in the metadata of the cell: "alt": "..."'
            raise FenceError(f"cell {number} of {name} has a picture without alternative text", remedy)
        return _picture(data, prefix)
    return _text_output("prints", _join(data.get("text/plain", "")))


def plain(text: str) -> str:
    """Return a text without terminal colors."""
    return _ANSI.sub("", text)


def _text_output(kind: str, text: str) -> dict[str, str]:
    return {"kind": kind, "text": plain(text).rstrip("\n")}


def _picture(data: dict[str, Any], prefix: str) -> dict[str, str]:
    if "image/svg+xml" in data:
        svg = _join(data["image/svg+xml"])
        return {"svg": Markup(_prefix_ids(svg[svg.index("<svg") :], prefix))}
    return {"png": _join(data["image/png"]).replace("\n", "")}


def _prefix_ids(svg: str, prefix: str) -> str:
    """Return a drawing with a prefix before each id, because two drawings may use the same ids. Remove repeated ids."""
    ids: set[str] = set()

    def first_only(match: re.Match[str]) -> str:
        if match[0] in ids:
            return ""
        ids.add(match[0])
        return match[0]

    return re.sub(r'\sid="[^"]*"', first_only, _ID.sub(rf"\g<1>{prefix}", svg))


def _join(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)

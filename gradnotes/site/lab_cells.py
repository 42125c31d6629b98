"""A cell of an executed notebook: Markdown as it is, code as a figure with what it printed and drew.

A notebook is shown with the outputs it holds. One that was not executed, or in which a cell failed
that was not expected to, cannot be shown.
"""

from __future__ import annotations

import html
import re
from typing import Any

from gradnotes.fences import code
from gradnotes.fences.build_cache import BuildCache
from gradnotes.fences.problems import FenceError

_ID = re.compile(r"""(\bid="|url\(#|href="#)""")
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def shown(cell: dict[str, Any], number: int, name: str, kept: BuildCache) -> dict[str, str] | None:
    """A cell of notebook `name`, as `markdown` or as a `figure`; `number` counts its cells from 1. Raises FenceError."""
    if cell["cell_type"] == "markdown":
        return {"markdown": _joined(cell["source"])}
    if cell["cell_type"] == "code" and _joined(cell["source"]).strip():
        return {"figure": _figure(cell, number, name, kept)}
    return None


def _figure(cell: dict[str, Any], number: int, name: str, kept: BuildCache) -> str:
    text = _joined(cell["source"]).rstrip()
    if text and cell.get("execution_count") is None:
        raise FenceError(f"cell {number} of {name} was not executed", "run `make labs`")
    outputs = [
        _output(name, number, cell, output, f"cell-{number}-{index}-")
        for index, output in enumerate(cell.get("outputs", []), 1)
    ]
    lines = "\n".join(code.lines(text, "python", kept))
    texts = "".join(shown for shown, is_text in outputs if is_text)
    pictures = "".join(shown for shown, is_text in outputs if not is_text)
    return f'<figure class="snippet lab-cell"><pre tabindex="0"><code>{lines}\n{texts}</code></pre>{pictures}</figure>'


def _output(name: str, number: int, cell: dict[str, Any], output: dict[str, Any], prefix: str) -> tuple[str, bool]:
    kind = output["output_type"]
    if kind == "error":
        if "raises-exception" not in cell.get("metadata", {}).get("tags", []):
            raise FenceError(
                f"cell {number} of {name} failed: {output['ename']}: {output['evalue']}",
                "mend it, or tag the cell `raises-exception`",
            )
        return _text("raises", f"{output['ename']}: {output['evalue']}"), True
    if kind == "stream":
        return _text("warns" if output["name"] == "stderr" else "prints", _joined(output["text"])), True
    data = output["data"]
    alt = cell.get("metadata", {}).get("alt")
    if "image/svg+xml" in data or "image/png" in data:
        if not alt:
            remedy = 'say in the cell\'s metadata what it shows: "alt": "..."'
            raise FenceError(f"cell {number} of {name} draws a picture without words", remedy)
        return _picture(data, alt, prefix), False
    return _text("prints", _joined(data.get("text/plain", ""))), True


def plain(text: str) -> str:
    """Text without the colours that a terminal would show."""
    return _ANSI.sub("", text)


def _text(kind: str, text: str) -> str:
    rows = html.escape(plain(text).rstrip("\n"))
    return f'<span class="x x-{kind}" data-word="{kind}">{rows}</span>'


def _picture(data: dict[str, Any], alt: str, prefix: str) -> str:
    if "image/svg+xml" in data:
        drawn = _joined(data["image/svg+xml"])
        drawn = _own_ids(drawn[drawn.index("<svg") :], prefix)
        label = html.escape(alt)
        return f'<div class="lab-picture" role="img" aria-label="{label}">{drawn}</div>'
    picture = _joined(data["image/png"]).replace("\n", "")
    return f'<img class="lab-picture" alt="{html.escape(alt)}" src="data:image/png;base64,{picture}">'


def _own_ids(drawn: str, prefix: str) -> str:
    """The drawing with ids of its own: two drawings may use the same, and equal pictures in one do."""
    seen: set[str] = set()

    def first_only(match: re.Match[str]) -> str:
        if match[0] in seen:
            return ""
        seen.add(match[0])
        return match[0]

    return re.sub(r'\sid="[^"]*"', first_only, _ID.sub(rf"\g<1>{prefix}", drawn))


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)

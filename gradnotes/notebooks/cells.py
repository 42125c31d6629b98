"""Make the cells of a notebook, as dicts in nbformat 4.5 without ids."""

from __future__ import annotations

from typing import Any

Cell = dict[str, Any]


def markdown_cell(text: str) -> Cell:
    """Return a Markdown cell."""
    return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(True)}


def code_cell(source: str, outputs: list[dict[str, Any]], metadata: dict[str, Any]) -> Cell:
    """Return a code cell with these outputs, without an execution count."""
    lines = source.splitlines(True)
    return {
        "cell_type": "code",
        "metadata": metadata,
        "source": lines,
        "outputs": outputs,
        "execution_count": None,
    }

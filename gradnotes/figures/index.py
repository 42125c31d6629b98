"""Draw a figure of kind `index`: a call of gather, scatter or index_select, one read or write at a time."""

from __future__ import annotations

import ast
from itertools import product
from typing import Any

from gradnotes.figures import expressions
from gradnotes.figures.expressions import Keys, Namespace, WatchError
from gradnotes.figures.grid import Grid, cell_position, cell_width, heading, shape_text, title_height
from gradnotes.figures.panels import Drawing, Frame, Panel
from gradnotes.figures.svg import Picture
from gradnotes.words import say

READS, WRITES = ("gather", "index_select"), ("scatter", "scatter_", "scatter_add", "scatter_add_")
ARGUMENTS = ("input", "dim", "index", "src")
MAX_MOVES = 12


def record(keys: Keys, namespace: Namespace) -> dict[str, Any]:
    """Record the operands, the result, and a move for each element that the call reads or writes.

    A move has a position in `index`, the position that the index there selects, and the cells of the result. If the
    call writes, these are the cells after the move.

    Raises:
        WatchError: `watch:` is not a call that can be drawn, makes more than MAX_MOVES moves, or writes an element
            twice and loses the last write.
    """
    call, name, arguments = _parse_call(keys["watch"])
    before = expressions.tensor(arguments["input"], namespace).detach().clone()
    index, dim = expressions.tensor(arguments["index"], namespace), int(expressions.value(arguments["dim"], namespace))
    src = expressions.tensor(arguments["src"], namespace).detach() if name in WRITES else before
    result = expressions.tensor(call, namespace, elements=64).detach()
    dim %= max(before.dim(), 1)
    if name == "index_select":
        sizes = [index.numel() if axis == dim else size for axis, size in enumerate(before.shape)]
        index = index.reshape([-1 if axis == dim else 1 for axis in range(before.dim())]).expand(sizes)
    if index.numel() > MAX_MOVES:
        raise WatchError(f"cannot draw {index.numel()} moves, the limit is {MAX_MOVES}", "use a smaller example")
    moves, state = _record_moves(name, dim, index, before, src, result)
    expected_result = state if name in WRITES else before.gather(dim, index)
    if not bool((expected_result == result).all()):
        raise WatchError(
            f"`{keys['watch']}` writes an element twice, and does not keep the last write",
            "write each element once, or watch scatter_add",
        )
    tensor_record = expressions.tensor_record
    source_argument = "src" if name in WRITES else "input"
    return {
        "call": name,
        "dim": dim,
        "writes": name in WRITES,
        "index": tensor_record(ast.unparse(arguments["index"]), index),
        "source": tensor_record(ast.unparse(arguments[source_argument]), src),
        "before": tensor_record("before", before),
        "result": tensor_record("result", result),
        "moves": moves,
    }


def _parse_call(expression: str) -> tuple[ast.Call, str, dict[str, ast.expr]]:
    """Return the call, the name of its function, and its arguments by name.

    Raises:
        WatchError: `expression` does not call a function in READS or WRITES, or an argument is missing.
    """
    call = expressions.call(expression)
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name not in READS + WRITES:
        raise WatchError(
            f"cannot draw `{ast.unparse(call.func)}`", f"watch a call to one of {', '.join(READS + WRITES)}"
        )
    positional = list(call.args)
    if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) != "torch":
        positional.insert(0, call.func.value)
    arguments = dict(zip(ARGUMENTS, positional, strict=False)) | {
        keyword.arg or "": keyword.value for keyword in call.keywords
    }
    missing = [argument for argument in ARGUMENTS[: 3 if name in READS else 4] if argument not in arguments]
    if missing:
        raise WatchError(f"`{expression}` has no argument `{missing[0]}`", "write the call with all its arguments")
    return call, name, arguments


def _record_moves(
    name: str, dim: int, index: Any, before: Any, src: Any, result: Any
) -> tuple[list[dict[str, Any]], Any]:
    """Return the moves, one per read or write, and the tensor after all writes."""
    moves = []
    state = before.clone()
    for at in product(*map(range, index.shape)):
        destination = tuple(int(index[at]) if axis == dim else i for axis, i in enumerate(at))
        if name in WRITES:
            state[destination] = state[destination] + src[at] if "add" in name else src[at]
        cells = expressions.printed_elements(state if name in WRITES else result)
        moves.append({"index": list(at), "there": list(destination), "state": cells})
    return moves, state


def draw(recording: dict[str, Any], keys: Keys) -> Drawing:
    """Draw a frame for each move: the source above, the result below, and the index in the corners of cells."""
    moves = recording["moves"]
    frames = []
    for number in range(len(moves)):
        picture = Picture()
        _draw_move(picture, recording, number)
        caption = _move_caption(recording, number)
        count = {"number": number + 1, "last": len(moves)}
        label = (
            say("Write {number} of {last}", **count) if recording["writes"] else say("Read {number} of {last}", **count)
        )
        frames.append(Frame(label, caption, [Panel(picture, say("Move {number}", number=number + 1), _plain(caption))]))
    alt_text = say(
        "{call} along dimension {dim}, 1 move. The result, of shape {shape}: {cells}.",
        "{call} along dimension {dim}, {count} moves. The result, of shape {shape}: {cells}.",
        call=recording["call"],
        dim=recording["dim"],
        count=len(moves),
        shape=shape_text(recording["result"]["shape"]),
        cells=expressions.join_cells(recording["result"]["cells"]),
    )
    return Drawing(alt_text, frames, slider_label=say("Write") if recording["writes"] else say("Read"))


def _plain(text: str) -> str:
    return text.replace("`", "")


def _move_ends(recording: dict[str, Any], move: dict[str, Any]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the cells, as (row, column), at which a move begins in the upper grid and ends in the lower grid."""
    index_cell, target_cell = cell_position(move["index"]), cell_position(move["there"])
    return (index_cell, target_cell) if recording["writes"] else (target_cell, index_cell)


def _move_caption(recording: dict[str, Any], number: int) -> str:
    """Return two or three sentences about `recording["moves"][number]`, the move of one element."""
    move = recording["moves"][number]
    at, target = move["index"], move["there"]
    start, end = _move_ends(recording, move)
    columns = (recording["source"]["shape"] or [1])[-1]
    value = expressions.plain_numbers(recording["source"]["cells"][start[0] * columns + start[1]])
    sentences = [_index_sentence(target, recording["dim"])]
    if not recording["writes"]:
        sentences.append(
            say(
                "`{value}` is copied from `{source}` to `{target}`.",
                value=value,
                source=_subscript(target),
                target=_subscript(at),
            )
        )
        return say(" ").join(sentences)
    sentences.append(say("`{value}` goes to `{target}`.", value=value, target=_subscript(target)))
    if any(earlier["there"] == target for earlier in recording["moves"][:number]):
        current = move["state"][end[0] * (recording["result"]["shape"] or [1])[-1] + end[1]]
        current = expressions.plain_numbers(current)
        sentences.append(say("This position was written before; its value is now `{current}`.", current=current))
    return say(" ").join(sentences)


def _index_sentence(target: list[int], dim: int) -> str:
    """Return a sentence that says which coordinate along `dim` the index selects. `target` is the selected position."""
    if len(target) == 1:
        return say("the index selects position {place}.", place=target[0])
    row, column = target
    if dim == 0:
        return say("the index selects row {row}; the column stays {column}.", row=row, column=column)
    return say("the index selects column {column}; the row stays {row}.", row=row, column=column)


def _subscript(index: list[int]) -> str:
    return f"[{', '.join(map(str, index))}]"


def _draw_move(picture: Picture, recording: dict[str, Any], number: int) -> None:
    source, result, moves = recording["source"], recording["result"], recording["moves"]
    move = moves[number]
    width = cell_width(source["cells"], result["cells"]) + 10
    note = say("values to write") if recording["writes"] else say("values to read")
    heading(picture, 0, 14, source["name"], note)
    above = Grid(source, 0, title_height(source["name"], note), width, 40.0)
    below = Grid({**result, "cells": move["state"]}, 0, above.bottom + 34, width, 40.0)
    note = say("shape {shape}", shape=shape_text(result["shape"]))
    heading(picture, 0, below.bottom + 18, say("result"), note)
    start, end = _move_ends(recording, move)
    ends_so_far = [_move_ends(recording, earlier) for earlier in moves[: number + 1]]
    above.draw(picture, lambda at: "f-b f-now" if at == start else "")
    for at in sorted(below.positions(), key=lambda at: at == end):
        is_reached = any(at == target for _, target in ends_so_far)
        style = "f-b f-now" if at == end else "f-b" if is_reached else "f-pale"
        below.cell(picture, at, style, below.text(at) if is_reached or recording["writes"] else None)
    carrier = above if recording["writes"] else below
    for position, text in zip(
        product(*map(range, recording["index"]["shape"])), recording["index"]["cells"], strict=True
    ):
        x, y = carrier.corner(cell_position(position))
        picture.text(
            x + width - 5, y + 12, f"→{text}" if recording["writes"] else f"←{text}", "f-soft", 10, anchor="end"
        )
    _draw_arrow(picture, above, start, below, end)


def _draw_arrow(picture: Picture, above: Grid, start: tuple[int, int], below: Grid, end: tuple[int, int]) -> None:
    """Draw an arrow from a cell of the upper grid to a cell of the lower grid, left of their numbers."""
    x0, y0 = above.corner(start)
    x1, y1 = below.corner(end)
    x0, x1 = x0 + 8, x1 + 8
    picture.line([(x0, y0 + above.height - 2), (x0, above.bottom)], "f-move")
    if end[0]:
        picture.curve((x0, above.bottom), (x1, below.y), "f-move", has_head=False)
        picture.line([(x1, below.y), (x1, y1 + 1)], "f-move")
        picture.head((x1, y1 + 1), 1, "f-move")
    else:
        picture.curve((x0, above.bottom), (x1, y1 + 1), "f-move")

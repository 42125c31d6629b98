"""`index`: gather, scatter and index_select, one read or write at a time."""

from __future__ import annotations

import ast
from typing import Any

from snippetcheck.source import plural

from gradnotes.figures import watching
from gradnotes.figures.cells import Grid, cell_width, heading, place, title_height, written
from gradnotes.figures.drawing import Drawing, Frame, Panel
from gradnotes.figures.svg import Picture
from gradnotes.figures.watching import Keys, Namespace, WatchError

READS, WRITES = ("gather", "index_select"), ("scatter", "scatter_", "scatter_add", "scatter_add_")
ARGUMENTS = ("input", "dim", "index", "src")
MOST = 12  # moves


def record(keys: Keys, namespace: Namespace) -> dict[str, Any]:
    """The operands, the result, and each move: which element goes where, and what the place holds afterwards."""
    call = watching.call(keys["watch"])
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name not in READS + WRITES:
        raise WatchError(
            f"`{ast.unparse(call.func)}` cannot be drawn", f"watch a call of one of {', '.join(READS + WRITES)}"
        )
    given = list(call.args)
    if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) != "torch":
        given.insert(0, call.func.value)
    arguments = dict(zip(ARGUMENTS, given, strict=False)) | {one.arg or "": one.value for one in call.keywords}
    missing = [one for one in ARGUMENTS[: 3 if name in READS else 4] if one not in arguments]
    if missing:
        raise WatchError(f"`{keys['watch']}` gives no `{missing[0]}`", "write the call with all its arguments")
    before = watching.tensor(arguments["input"], namespace).detach().clone()
    index, dim = watching.tensor(arguments["index"], namespace), int(watching.value(arguments["dim"], namespace))
    src = watching.tensor(arguments["src"], namespace).detach() if name in WRITES else before
    result = watching.tensor(call, namespace, elements=64).detach()
    dim %= max(before.dim(), 1)
    if name == "index_select":
        sizes = [index.numel() if axis == dim else size for axis, size in enumerate(before.shape)]
        index = index.reshape([-1 if axis == dim else 1 for axis in range(before.dim())]).expand(sizes)
    if index.numel() > MOST:
        raise WatchError(
            f"the index has {index.numel()} elements, and {MOST} moves can be drawn", "take a smaller example"
        )
    moves = []
    state = before.clone()
    for at in _places(list(index.shape)):
        there = tuple(int(index[at]) if axis == dim else i for axis, i in enumerate(at))
        if name in WRITES:
            state[there] = state[there] + src[at] if "add" in name else src[at]
        moves.append(
            {"index": list(at), "there": list(there), "state": watching.cells(state if name in WRITES else result)}
        )
    drawn = state if name in WRITES else before.gather(dim, index)
    if not bool((drawn == result).all()):
        raise WatchError(
            f"`{keys['watch']}` keeps another write than the last of two",
            "let no two writes meet, or watch scatter_add",
        )
    described = watching.described
    other = "src" if name in WRITES else "input"
    return {
        "call": name,
        "dim": dim,
        "writes": name in WRITES,
        "index": described(ast.unparse(arguments["index"]), index),
        "source": described(ast.unparse(arguments[other]), src),
        "before": described("before", before),
        "result": described("result", result),
        "moves": moves,
    }


def _places(shape: list[int]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for size in shape:
        found = [(*at, i) for at in found for i in range(size)]
    return found


def draw(recorded: dict[str, Any], keys: Keys) -> Drawing:
    """A frame for each move: above what is read, below what is written, the index in the corners."""
    moves = recorded["moves"]
    frames = []
    for number in range(len(moves)):
        picture = Picture()
        _draw_move(picture, recorded, number)
        say = _said(recorded, number)
        frames.append(
            Frame(
                f"{'Write' if recorded['writes'] else 'Read'} {number + 1} of {len(moves)}",
                say,
                [Panel(picture, f"Move {number + 1}", _plain(say))],
            )
        )
    shape, result = written(recorded["result"]["shape"]), ", ".join(recorded["result"]["cells"])
    words = f"{recorded['call']} along dimension {recorded['dim']}, {plural(len(moves), 'move')}. The result, of shape {shape}: {result}."
    return Drawing(words, frames, moves="Write" if recorded["writes"] else "Read")


def _plain(text: str) -> str:
    return text.replace("`", "")


def _ends(recorded: dict[str, Any], move: dict[str, Any]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where a move begins, in the source, and where it ends, in the result."""
    here, there = place(move["index"]), place(move["there"])
    return (here, there) if recorded["writes"] else (there, here)


def _said(recorded: dict[str, Any], number: int) -> str:
    move = recorded["moves"][number]
    at, there = move["index"], move["there"]
    axis = {1: ["place"], 2: ["row", "column"]}[len(at)][recorded["dim"]]
    named = there[recorded["dim"]]
    start, end = _ends(recorded, move)
    columns = (recorded["source"]["shape"] or [1])[-1]
    value = recorded["source"]["cells"][start[0] * columns + start[1]]
    stays = f"; the {'column' if axis == 'row' else 'row'} stays {at[1 - recorded['dim']]}" if len(at) == 2 else ""
    met = [n for n, one in enumerate(recorded["moves"][:number]) if one["there"] == there] if recorded["writes"] else []
    result = recorded["result"]["shape"]
    now = move["state"][end[0] * (result or [1])[-1] + end[1]]
    again = f" It has been written before, and holds `{now}` now." if met else ""
    return f"the index says {axis} {named}{stays}. `{value}` goes {'to' if recorded['writes'] else 'from'} `{_subscript(there)}`{'' if recorded['writes'] else f' to `{_subscript(at)}`'}.{again}"


def _subscript(index: list[int]) -> str:
    return f"[{', '.join(map(str, index))}]"


def _draw_move(picture: Picture, recorded: dict[str, Any], number: int) -> None:
    source, result, moves = recorded["source"], recorded["result"], recorded["moves"]
    move = moves[number]
    wide = cell_width(source["cells"], result["cells"]) + 10
    soft = "what is written" if recorded["writes"] else "what is read"
    heading(picture, 0, 14, source["name"], soft)
    above = Grid(source, 0, title_height(source["name"], soft), wide, 40.0)
    below = Grid({**result, "cells": move["state"]}, 0, above.bottom + 34, wide, 40.0)
    heading(picture, 0, below.bottom + 18, "result", f"shape {written(result['shape'])}")
    start, end = _ends(recorded, move)
    done = [_ends(recorded, one) for one in moves[: number + 1]]
    above.draw(picture, lambda at: "f-b f-now" if at == start else "")
    for at in sorted(below.places(), key=lambda at: at == end):
        reached = any(at == one[1] for one in done)
        style = "f-b f-now" if at == end else "f-b" if reached else "f-pale"
        below.cell(picture, at, style, below.text(at) if reached or recorded["writes"] else None)
    carrier = above if recorded["writes"] else below
    for one, text in zip(_places(recorded["index"]["shape"]), recorded["index"]["cells"], strict=True):
        x, y = carrier.corner(place(one))
        picture.text(x + wide - 5, y + 12, f"→{text}" if recorded["writes"] else f"←{text}", "f-soft", 10, anchor="end")
    _lead(picture, above, start, below, end)


def _lead(picture: Picture, above: Grid, start: tuple[int, int], below: Grid, end: tuple[int, int]) -> None:
    """An arrow beside the numbers of the cells on its way: down within a column, across between the grids, down again."""
    x0, y0 = above.corner(start)
    x1, y1 = below.corner(end)
    x0, x1 = x0 + 8, x1 + 8
    picture.line([(x0, y0 + above.high - 2), (x0, above.bottom)], "f-move")
    if end[0]:
        picture.curve((x0, above.bottom), (x1, below.y), "f-move", head=False)
        picture.line([(x1, below.y), (x1, y1 + 1)], "f-move")
        picture.head((x1, y1 + 1), 1, "f-move")
    else:
        picture.curve((x0, above.bottom), (x1, y1 + 1), "f-move")

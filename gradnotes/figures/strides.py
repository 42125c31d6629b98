"""`strides`: a storage as a row of cells, and the tensors that read it, as grids."""

from __future__ import annotations

from typing import Any

from gradnotes.figures import watching
from gradnotes.figures.cells import Grid, cell_width, heading, place, title_height, written
from gradnotes.figures.drawing import BREAK, Drawing, Frame, Panel
from gradnotes.figures.svg import WIDE, Picture, width_of
from gradnotes.figures.watching import Keys, Namespace, WatchError

LARGEST = 36  # elements of a storage
AXES = {1: ["element"], 2: ["row", "column"]}


def record(keys: Keys, namespace: Namespace) -> dict[str, Any]:
    """Of each tensor shape, stride and offset; of each storage the numbers in their order."""
    names = watching.expressions(keys["watch"])
    tensors = [watching.tensor(name, namespace, elements=LARGEST) for name in names]
    addresses = list(dict.fromkeys(one.untyped_storage().data_ptr() for one in tensors))
    views, storages = [], {}
    for name, one in zip(names, tensors, strict=True):
        address = one.untyped_storage().data_ptr()
        size = one.untyped_storage().nbytes() // one.element_size()
        if size > LARGEST:
            raise WatchError(
                f"the storage of `{name}` has {size} elements, and {LARGEST} can be drawn", "take a smaller example"
            )
        storages[addresses.index(address)] = watching.cells(one.detach().as_strided((size,), (1,), 0))
        views.append(
            {
                **watching.described(name, one),
                "stride": list(one.stride()),
                "offset": one.storage_offset(),
                "storage": addresses.index(address),
            }
        )
    return {"views": views, "storages": [storages[number] for number in range(len(addresses))]}


def draw(recorded: dict[str, Any], keys: Keys) -> Drawing:
    """A grid for each tensor, and below them each storage once, with the steps that the strides make."""
    views, storages = recorded["views"], recorded["storages"]
    panels: list[Panel | str] = [_grid(view) for view in views]
    panels += [BREAK]
    panels += [
        _strip(number, cells, [one for one in views if one["storage"] == number], len(storages))
        for number, cells in enumerate(storages)
    ]
    one_storage = len(storages) == 1
    says = [_twins(position, storages[0], views) for position in range(len(storages[0]))] if one_storage else []
    words = " ".join(
        [*(_words(view) for view in views), *(_numbers(n, cells, len(storages)) for n, cells in enumerate(storages))]
    )
    return Drawing(words, [Frame("", "", panels)], moves="Position", marks=says)


def _position(view: dict[str, Any], index: tuple[int, ...]) -> int:
    return view["offset"] + sum(i * step for i, step in zip(index, view["stride"], strict=True))


def _indices(view: dict[str, Any]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for size in view["shape"]:
        found = [(*index, i) for index in found for i in range(size)]
    return found


def _words(view: dict[str, Any]) -> str:
    steps = [
        f"{step} for the next {axis}"
        for step, axis in zip(view["stride"], AXES.get(len(view["shape"]), []), strict=True)
    ]
    begin = f", beginning at position {view['offset']}" if view["offset"] else ""
    return f"{view['name']} has shape {written(view['shape'])} and steps {' and '.join(steps) or 'nowhere'} in memory{begin}."


def _numbers(number: int, cells: list[str], count: int) -> str:
    return f"{'The storage' if count == 1 else f'Storage {number + 1}'} holds {', '.join(cells)}."


def _twins(position: int, cells: list[str], views: list[dict[str, Any]]) -> str:
    where = [
        f"{view['name']}[{', '.join(map(str, index))}]"
        for view in views
        for index in _indices(view)
        if _position(view, index) == position
    ]
    found = " and ".join(f"`{one}`" for one in where) or "in no tensor here"
    return f"Position {position} holds `{cells[position]}`: {found}."


def _grid(view: dict[str, Any]) -> Panel:
    picture = Picture()
    soft = f"shape {written(view['shape'])}, stride {written(view['stride'])}"
    heading(picture, 0, 14, view["name"], soft)
    grid = Grid(view, 0, title_height(view["name"], soft), cell_width(view["cells"]), 40.0)
    positions = {place(index): _position(view, index) for index in _indices(view)}
    grid.draw(picture, lambda at: "f-a", data=lambda at: {"data_mark": positions[at]})
    for at, position in positions.items():
        x, y = grid.corner(at)
        picture.text(x + 5, y + 12, str(position), "f-soft", 10)
    return Panel(
        picture, f"{view['name']} as a grid", _words(view) + " In the corner of each cell: its position in memory."
    )


def _strip(number: int, cells: list[str], views: list[dict[str, Any]], count: int) -> Panel:
    picture = Picture()
    wide = cell_width(cells)
    columns = min(len(cells), int(WIDE // wide))
    heading(picture, 0, 14, "memory" if count == 1 else f"memory {number + 1}", "one row of cells, numbered")
    rows = -(-len(cells) // columns)
    for row in range(rows):
        part = cells[row * columns : (row + 1) * columns]
        grid = Grid(
            {"name": f"memory {number} line {row}", "shape": [len(part)], "cells": part}, 0, 38.0 + row * 52, wide
        )
        grid.draw(picture, data=lambda at, row=row: {"data_mark": row * columns + at[1]})  # type: ignore[misc]
        for column in range(len(part)):
            picture.text(
                grid.middle((0, column))[0], grid.y - 3, str(row * columns + column), "f-soft", 11, anchor="middle"
            )
    if rows == 1:
        _hops(picture, views, wide, 38.0 + 32, len(cells))
    return Panel(picture, "Memory", _numbers(number, cells, count))


def _hops(picture: Picture, views: list[dict[str, Any]], wide: float, top: float, count: int) -> None:
    """An arrow for each stride, from the tensor's first element to the next of that axis."""
    y = top + 16
    for view in views:
        for axis, size, step in zip(AXES.get(len(view["shape"]), []), view["shape"], view["stride"], strict=True):
            if size < 2 or step <= 0:
                continue
            start, end = ((view["offset"] + n) * wide + wide / 2 for n in (0, step))
            said = f"{view['name']}: +{step} to the next {axis}"
            picture.circle(start, y, 3, "f-dot")
            picture.arrow((start, y), (end, y), "f-line")
            room = WIDE - end - 10 >= width_of(said, 12, False)
            picture.text(end + 8 if room else 0, y + 4 if room else y + 18, said, "f-soft", 12, mono=False)
            y += 22 if room else 36

"""Draw a figure of kind `strides`: tensors as grids, and each storage that they share as a row of cells."""

from __future__ import annotations

from itertools import product
from typing import Any

from gradnotes.figures import expressions
from gradnotes.figures.expressions import Keys, Namespace, WatchError
from gradnotes.figures.grid import Grid, cell_position, cell_width, heading, shape_text, title_height
from gradnotes.figures.panels import BREAK, Drawing, Frame, Panel
from gradnotes.figures.svg import WIDE, Picture, width_of
from gradnotes.words import say, translatable

MAX_ELEMENTS = 36  # limit of the elements of a storage
STEPS = {  # number of dimensions -> phrase about the stride of each dimension
    1: [translatable("{step} to the next element")],
    2: [translatable("{step} to the next row"), translatable("{step} to the next column")],
}
ARROWS = {
    1: [translatable("{name}: +{step} to the next element")],
    2: [translatable("{name}: +{step} to the next row"), translatable("{name}: +{step} to the next column")],
}


def record(keys: Keys, namespace: Namespace) -> dict[str, Any]:
    """Record shape, stride and offset of each tensor, and the elements of each storage in memory order.

    Raises:
        WatchError: an expression in `watch:` cannot be evaluated or is not a tensor, a tensor has no element, or a
            tensor or storage has more than MAX_ELEMENTS elements.
    """
    names = expressions.expressions(keys["watch"])
    tensors = [expressions.tensor(name, namespace, elements=MAX_ELEMENTS) for name in names]
    addresses = list(dict.fromkeys(tensor.untyped_storage().data_ptr() for tensor in tensors))
    views, storages = [], {}
    for name, tensor in zip(names, tensors, strict=True):
        if not tensor.numel():
            raise WatchError(f"cannot draw `{name}`: it has no element", "watch a tensor with at least one element")
        address = tensor.untyped_storage().data_ptr()
        size = tensor.untyped_storage().nbytes() // tensor.element_size()
        if size > MAX_ELEMENTS:
            raise WatchError(
                f"cannot draw the storage of `{name}`: it has {size} elements, the limit is {MAX_ELEMENTS}",
                "use a smaller example",
            )
        storages[addresses.index(address)] = expressions.printed_elements(tensor.detach().as_strided((size,), (1,), 0))
        views.append(
            {
                **expressions.tensor_record(name, tensor),
                "stride": list(tensor.stride()),
                "offset": tensor.storage_offset(),
                "storage": addresses.index(address),
            }
        )
    return {"views": views, "storages": [storages[number] for number in range(len(addresses))]}


def draw(recording: dict[str, Any], keys: Keys) -> Drawing:
    """Draw a grid for each tensor and, below the grids, each storage with arrows for the strides of its tensors.

    If all tensors share one storage, the slider selects its positions.
    """
    views, storages = recording["views"], recording["storages"]
    panels: list[Panel | str] = [_grid_panel(view) for view in views]
    panels += [BREAK]
    panels += [
        _storage_panel(number, cells, [view for view in views if view["storage"] == number], len(storages))
        for number, cells in enumerate(storages)
    ]
    has_one_storage = len(storages) == 1
    captions = (
        [_position_caption(position, storages[0], views) for position in range(len(storages[0]))]
        if has_one_storage
        else []
    )
    alt_text = say(" ").join(
        [
            *(_describe_view(view) for view in views),
            *(_describe_storage(n, cells, len(storages)) for n, cells in enumerate(storages)),
        ]
    )
    return Drawing(alt_text, [Frame("", "", panels)], slider_label=say("Position"), marks=captions)


def _position(view: dict[str, Any], index: tuple[int, ...]) -> int:
    """Return the position in the storage of the element with this index."""
    return view["offset"] + sum(i * step for i, step in zip(index, view["stride"], strict=True))


def _indices(view: dict[str, Any]) -> list[tuple[int, ...]]:
    """Return all indices of a tensor, in row-major order."""
    return list(product(*map(range, view["shape"])))


def _describe_view(view: dict[str, Any]) -> str:
    texts = STEPS.get(len(view["shape"]), [])
    steps = [say(text, step=step) for text, step in zip(texts, view["stride"], strict=True)]
    values = {
        "name": view["name"],
        "shape": shape_text(view["shape"]),
        "steps": say(" and ").join(steps) or say("none"),
    }
    if view["offset"]:
        return say(
            "{name} has shape {shape} and begins at position {offset} of the storage. Its strides there: {steps}.",
            offset=view["offset"],
            **values,
        )
    return say("{name} has shape {shape}. Its strides in the storage: {steps}.", **values)


def _describe_storage(number: int, cells: list[str], count: int) -> str:
    values = expressions.join_cells(cells)
    if count == 1:
        return say("The storage contains {cells}.", cells=values)
    return say("Storage {number} contains {cells}.", number=number + 1, cells=values)


def _position_caption(position: int, cells: list[str], views: list[dict[str, Any]]) -> str:
    """Return a sentence about a position of the storage: its number, and which elements of tensors are stored there."""
    elements = [
        f"{view['name']}[{', '.join(map(str, index))}]"
        for view in views
        for index in _indices(view)
        if _position(view, index) == position
    ]
    text = say(" and ").join(f"`{element}`" for element in elements) or say("in none of these tensors")
    cell = expressions.plain_numbers(cells[position])
    return say("Position {position} contains `{cell}`: {text}.", position=position, cell=cell, text=text)


def _grid_panel(view: dict[str, Any]) -> Panel:
    picture = Picture()
    note = say("shape {shape}, stride {stride}", shape=shape_text(view["shape"]), stride=shape_text(view["stride"]))
    heading(picture, 0, 14, view["name"], note)
    grid = Grid(view, 0, title_height(view["name"], note), cell_width(view["cells"]), 40.0)
    positions = {cell_position(index): _position(view, index) for index in _indices(view)}
    grid.draw(picture, lambda at: "f-a", data=lambda at: {"data_mark": positions[at]})
    for at, position in positions.items():
        x, y = grid.corner(at)
        picture.text(x + 5, y + 12, str(position), "f-soft", 10)
    sentences = [_describe_view(view), say("In the corner of each cell: its position in the storage.")]
    return Panel(picture, say("{name} as a grid", name=view["name"]), say(" ").join(sentences))


def _storage_panel(number: int, cells: list[str], views: list[dict[str, Any]], count: int) -> Panel:
    picture = Picture()
    width = cell_width(cells)
    columns = min(len(cells), int(WIDE // width))
    name = say("storage") if count == 1 else say("storage {number}", number=number + 1)
    heading(picture, 0, 14, name, say("one row, numbered from 0"))
    rows = -(-len(cells) // columns)
    for row in range(rows):
        part = cells[row * columns : (row + 1) * columns]
        grid = Grid(
            {"name": f"memory {number} line {row}", "shape": [len(part)], "cells": part}, 0, 38.0 + row * 52, width
        )
        grid.draw(picture, data=lambda at, row=row: {"data_mark": row * columns + at[1]})  # type: ignore[misc]
        for column in range(len(part)):
            picture.text(
                grid.middle((0, column))[0], grid.y - 3, str(row * columns + column), "f-soft", 11, anchor="middle"
            )
    if rows == 1:
        _draw_stride_arrows(picture, views, width, 38.0 + 32, len(cells))
    return Panel(picture, say("Storage"), _describe_storage(number, cells, count))


def _draw_stride_arrows(picture: Picture, views: list[dict[str, Any]], width: float, top: float, count: int) -> None:
    """Draw an arrow for each dimension of each tensor, from the first element to the next one along this dimension.

    A dimension of size 1 or stride 0 has no arrow.
    """
    y = top + 16
    for view in views:
        for arrow, size, step in zip(ARROWS.get(len(view["shape"]), []), view["shape"], view["stride"], strict=True):
            if size < 2 or step <= 0:
                continue
            start, end = ((view["offset"] + n) * width + width / 2 for n in (0, step))
            text = say(arrow, name=view["name"], step=step)
            picture.circle(start, y, 3, "f-dot")
            picture.arrow((start, y), (end, y), "f-line")
            fits = WIDE - end - 10 >= width_of(text, 12, False)
            picture.text(end + 8 if fits else 0, y + 4 if fits else y + 18, text, "f-soft", 12, is_monospace=False)
            y += 22 if fits else 36

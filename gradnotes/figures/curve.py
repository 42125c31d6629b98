"""`curve`: a function with its tangent, the path of a descent on a line or a contour, or lists of numbers over their index."""

from __future__ import annotations

import importlib
import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

from snippetcheck.source import plural

from gradnotes.figures import watching
from gradnotes.figures.axes import Axes, label, spread
from gradnotes.figures.drawing import Drawing, Frame, Panel
from gradnotes.figures.svg import WIDE, Picture, width_of
from gradnotes.figures.watching import Keys, Namespace, WatchError

GRID, POINTS, LEVELS, CELLS, STYLES = 80, 40, 9, 28, 4


def record(keys: Keys, namespace: Namespace) -> dict[str, Any]:
    """The snippet's own function evaluated and differentiated by the engine; or the lists as they are."""
    names = watching.expressions(keys["watch"])
    found = [watching.value(name, namespace) for name in names]
    if not callable(found[0]) or watching.is_tensor(found[0]):
        return {"lists": [{"name": n, "values": _numbers(n, one)} for n, one in zip(names, found, strict=True)]}
    if "at" not in keys:
        raise WatchError(
            f"`{names[0]}` is a function, and nothing says where to look at it",
            "give `at:` the name of a point or of a list of points",
        )
    at = watching.value(keys["at"], namespace)
    parameters = list(inspect.signature(found[0]).parameters)
    if "along" in keys:
        watching.one_of(keys["along"], parameters, "parameter")
        fixed = _numbers(keys["at"], at)
        place = parameters.index(keys["along"])
        return _line(
            names[0],
            keys["along"],
            lambda x: found[0](*fixed[:place], x, *fixed[place + 1 :]),
            [fixed[place]],
            keys,
            namespace,
        )
    if len(parameters) == 2:
        return _contour(names[0], parameters, found[0], [_numbers(keys["at"], one) for one in at])
    return _line(names[0], parameters[0], found[0], _numbers(keys["at"], at), keys, namespace)


def _numbers(name: str, found: Any) -> list[float]:
    try:
        values = (
            found.detach().reshape(-1).tolist()
            if watching.is_tensor(found)
            else list(found)
            if isinstance(found, list | tuple)
            else [found]
        )
        numbers = [float(one) for one in values]
    except (TypeError, ValueError, RuntimeError):
        raise WatchError(
            f"`{name}` is no number and no list of numbers", "let the snippet keep them as a list of floats"
        ) from None
    if not 1 <= len(numbers) <= 400:
        raise WatchError(f"`{name}` has {len(numbers)} numbers, and 400 can be drawn", "take fewer")
    return numbers


def _line(
    name: str, parameter: str, function: Callable[..., Any], points: list[float], keys: Keys, namespace: Namespace
) -> dict[str, Any]:
    if len(points) > POINTS:
        raise WatchError(f"{len(points)} points, and {POINTS} can be drawn", "keep fewer of them")
    if "over" in keys:
        ends = _numbers(keys["over"], watching.value(keys["over"], namespace))
        low, high = min(ends), max(ends)
    else:
        low, high = spread(points, 0.25)
        if len(points) == 1:
            room = max(2.0, 1.5 * abs(points[0]))
            low, high = points[0] - room, points[0] + room
    steps = [low + (high - low) * n / GRID for n in range(GRID + 1)]
    visited = [_at(function, x) for x in points]
    return {"name": name, "parameter": parameter, "grid": [_at(function, x) for x in steps], "visited": visited}


def _at(function: Callable[..., Any], x: float) -> dict[str, Any]:
    """Value and slope of the function, as numbers and as they are printed."""
    torch = importlib.import_module("torch")
    point = torch.tensor(x, requires_grad=True)
    with torch.enable_grad():
        y = function(point)
        if not watching.is_tensor(y) or y.numel() != 1 or not y.requires_grad:
            raise WatchError(
                "the function gives no tensor of one element that depends on its argument",
                "let it compute with tensors, without `.item()`",
            )
        (slope,) = torch.autograd.grad(y, point)
    found = {"x": point, "y": y.reshape(()), "slope": slope}
    return {key: float(one.detach()) for key, one in found.items()} | {
        f"{key} printed": watching.cells(one)[0] for key, one in found.items()
    }


def _contour(name: str, parameters: list[str], function: Callable[..., Any], path: list[list[float]]) -> dict[str, Any]:
    torch = importlib.import_module("torch")
    xs, ys = (spread([point[n] for point in path], 0.3) for n in (0, 1))
    columns, rows = ([low + (high - low) * n / CELLS for n in range(CELLS + 1)] for low, high in (xs, ys))
    table = [[float(function(torch.tensor(x), torch.tensor(y))) for x in columns] for y in rows]
    values = [watching.cells(function(torch.tensor(x), torch.tensor(y)).detach().reshape(()))[0] for x, y in path]
    return {
        "name": name,
        "parameters": parameters,
        "columns": columns,
        "rows": rows,
        "table": table,
        "path": path,
        "values": values,
    }


def draw(recorded: dict[str, Any], keys: Keys) -> Drawing:
    """One plot, with a mark for each point of it that the slider reaches."""
    if "lists" in recorded:
        return _draw_lists(recorded["lists"], keys.get("along", "index"))
    return _draw_contour(recorded) if "table" in recorded else _draw_line(recorded)


def _draw_line(recorded: dict[str, Any]) -> Drawing:
    name, parameter, grid, visited = (recorded[key] for key in ("name", "parameter", "grid", "visited"))
    axes = Axes((grid[0]["x"], grid[-1]["x"]), spread((one["y"] for one in [*grid, *visited]), 0.08), top=32.0)
    picture = Picture()
    axes.draw(picture, parameter, name)
    axes.path(picture, [(one["x"], one["y"]) for one in grid], "f-plot f-plot-0")
    alone = len(visited) == 1
    points = _around(grid, visited[0]) if alone else visited
    if not alone:
        axes.path(picture, [(one["x"], one["y"]) for one in visited], "f-way")
        for one in visited:
            picture.circle(*axes.at(one["x"], one["y"]), 3, "f-dot")
    first = points.index(visited[0]) if alone else len(points) - 1
    for number, one in enumerate(points):
        with picture.group("f-mark" + (" f-lit" if number == first else ""), data_mark=number):
            reach = (grid[-1]["x"] - grid[0]["x"]) * 0.5
            tangent = [(one["x"] + reach * n / 20, one["y"] + one["slope"] * reach * n / 20) for n in range(-20, 21)]
            axes.path(picture, tangent, "f-tangent")
            picture.circle(*axes.at(one["x"], one["y"]), 5.5, "f-point")
            text = f"{name} = {one['y printed']} · slope {one['slope printed']}"
            picture.text(WIDE, 11, text, "f-value", 12, anchor="end")
    says = [_said(name, parameter, one, number if not alone else None) for number, one in enumerate(points)]
    words = f"{name} over {parameter}, from {label(grid[0]['x'])} to {label(grid[-1]['x'])}. {says[first]}".replace(
        "`", ""
    )
    return Drawing(
        words,
        [Frame("", "", [Panel(picture, f"{name} over {parameter}", words)])],
        moves="Point" if alone else "Step",
        marks=says,
        first=first,
    )


def _around(grid: list[dict[str, Any]], point: dict[str, Any]) -> list[dict[str, Any]]:
    """Every fourth point of the line, and the recorded one in its place."""
    some = [one for one in grid[::4] if not math.isclose(one["x"], point["x"], abs_tol=1e-6)]
    return sorted([*some, point], key=lambda one: one["x"])


def _said(name: str, parameter: str, one: dict[str, Any], step: int | None) -> str:
    where = f"Step {step}: at" if step is not None else "At"
    return f"{where} `{parameter} = {one['x printed']}` the value of `{name}` is `{one['y printed']}` and its slope `{one['slope printed']}`."


def _draw_contour(recorded: dict[str, Any]) -> Drawing:
    import numpy as np  # for this kind alone
    from contourpy import LineType, contour_generator

    columns, rows, table, path = (recorded[key] for key in ("columns", "rows", "table", "path"))
    axes = Axes((columns[0], columns[-1]), (rows[0], rows[-1]), top=32.0)
    picture = Picture()
    axes.draw(picture, recorded["parameters"][0], recorded["parameters"][1])
    low, high = min(map(min, table)), max(map(max, table))
    generator = contour_generator(columns, rows, table, line_type=LineType.Separate)
    for n in range(1, LEVELS + 1):
        level = low + (high - low) * (n / (LEVELS + 1)) ** 2  # closer where it is low: there the descent goes
        for line in generator.lines(level):
            axes.path(picture, [(float(x), float(y)) for x, y in np.asarray(line)], "f-level")
    axes.path(picture, [(x, y) for x, y in path], "f-way")
    says = []
    for number, ((x, y), value) in enumerate(zip(path, recorded["values"], strict=True)):
        picture.circle(*axes.at(x, y), 3, "f-dot")
        last = number == len(path) - 1
        with picture.group("f-mark" + (" f-lit" if last else ""), data_mark=number):
            picture.circle(*axes.at(x, y), 5.5, "f-point")
            picture.text(WIDE, 11, f"step {number}: {recorded['name']} = {value}", "f-value", 12, anchor="end")
        says.append(
            f"Step {number}: `{recorded['parameters'][0]} = {x:.4f}`, `{recorded['parameters'][1]} = {y:.4f}`, `{recorded['name']}` is `{value}`."
        )
    words = f"{recorded['name']} as lines of equal height, and a descent of {plural(len(path), 'point')}. {says[0]} {says[-1]}".replace(
        "`", ""
    )
    return Drawing(
        words,
        [Frame("", "", [Panel(picture, f"Contour of {recorded['name']}", words)])],
        moves="Step",
        marks=says,
        first=len(path) - 1,
    )


def _draw_lists(lists: Sequence[dict[str, Any]], along: str) -> Drawing:
    if len(lists) > STYLES:
        raise WatchError(f"{len(lists)} lists, and {STYLES} can be told apart", "watch fewer")
    longest = max(len(one["values"]) for one in lists)
    places, x, y = [], 0.0, 0.0  # of the legend, which goes on in a new line where a phone ends
    for one in lists:
        width = 28 + width_of(one["name"], 12)
        if x and x + width > WIDE:
            x, y = 0.0, y + 18
        places.append((x, y))
        x += width + 16
    values = (value for one in lists for value in one["values"])
    axes = Axes((0, max(longest - 1, 1)), spread(values, 0.06), top=40.0 + y)
    picture, words = Picture(), []
    axes.draw(picture, along, "")
    for number, (one, (x, y)) in enumerate(zip(lists, places, strict=True)):
        picture.line([(x, y + 7), (x + 22, y + 7)], f"f-plot f-plot-{number}")
        picture.text(x + 28, y + 11, one["name"], "f-name", 12)
        axes.path(picture, list(enumerate(one["values"])), f"f-plot f-plot-{number}")
        numbers = one["values"]
        words.append(
            f"{one['name']} goes from {numbers[0]:.4f} to {numbers[-1]:.4f} in {len(numbers)} values; its least is {min(numbers):.4f}."
        )
    return Drawing(
        " ".join(words), [Frame("", "", [Panel(picture, " and ".join(one["name"] for one in lists), " ".join(words))])]
    )

"""Draw a figure of kind `curve`.

It shows a function with its tangent, the points of a descent on the graph or on the contour lines of a function, or
lists of numbers.
"""

from __future__ import annotations

import importlib
import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

from gradnotes.figures import expressions
from gradnotes.figures.axes import Axes, label, padded_range
from gradnotes.figures.expressions import Keys, Namespace, WatchError
from gradnotes.figures.panels import Drawing, Frame, Panel
from gradnotes.figures.svg import WIDE, Picture, width_of
from gradnotes.words import say

GRID, CELLS = 80, 28  # intervals per axis on which a function of one parameter, and of two, is computed
TOP = 37.0  # px: a line for the value at the point, and one for the name of the y axis, which may be below the value
POINTS, LEVELS, STYLES = 40, 9, 4  # limit of points, number of contour levels, limit of lists


def record(keys: Keys, namespace: Namespace) -> dict[str, Any]:
    """Record the function or the lists of numbers that `watch:` names.

    A function of one parameter is recorded with its slopes, a function of two without. With `along:`, only this
    parameter varies; the others have their values at the point `at:`. Errors of the function are not caught.

    Raises:
        WatchError: `watch:` names neither a function nor numbers, or a key of the fence is missing or wrong. Also if
            there are too many points, or a function of one parameter does not return a one-element tensor computed
            from its argument.
    """
    names = expressions.expressions(keys["watch"])
    values = [expressions.value(name, namespace) for name in names]
    if not callable(values[0]) or expressions.is_tensor(values[0]):
        for key in ("at", "over"):
            if key in keys:
                raise WatchError(
                    f"`{names[0]}` is not a function, so `{key}:` has no effect", f"watch a function or remove `{key}:`"
                )
        return {"lists": [{"name": n, "values": _as_list(n, item)} for n, item in zip(names, values, strict=True)]}
    if "at" not in keys:
        raise WatchError(
            f"`{names[0]}` is a function, but `at:` is missing",
            "set `at:` to the name of a point or of a list of points",
        )
    at = expressions.value(keys["at"], namespace)
    parameters = list(inspect.signature(values[0]).parameters)
    if "along" in keys:
        expressions.check_choice(keys["along"], parameters, "parameter")
        coordinates = _as_floats(keys["at"], at)
        position = parameters.index(keys["along"])
        return _record_line(
            names[0],
            keys["along"],
            lambda x: values[0](*coordinates[:position], x, *coordinates[position + 1 :]),
            [coordinates[position]],
            keys,
            namespace,
        )
    if len(parameters) == 2:
        if "over" in keys:
            raise WatchError(
                f"`over:` has no effect on the contour lines of `{names[0]}`", "set `along:` or remove `over:`"
            )
        return _record_contour(names[0], parameters, values[0], [_as_floats(keys["at"], item) for item in at])
    return _record_line(names[0], parameters[0], values[0], _as_floats(keys["at"], at), keys, namespace)


def _as_floats(name: str, value: Any) -> list[float]:
    """Convert a number, a list or a tensor to a list of 1 to 400 floats. Raise WatchError if this is impossible."""
    try:
        values = (
            value.detach().reshape(-1).tolist()
            if expressions.is_tensor(value)
            else list(value)
            if isinstance(value, list | tuple)
            else [value]
        )
        numbers = [float(element) for element in values]
    except (TypeError, ValueError, RuntimeError):
        raise WatchError(
            f"`{name}` must be a number or a list of numbers", "store them as a list of floats in the snippet"
        ) from None
    if not 1 <= len(numbers) <= 400:
        raise WatchError(
            f"`{name}` must have 1 to 400 numbers, got {len(numbers)}", "watch a number or a list of at most 400"
        )
    return numbers


def _as_list(name: str, value: Any) -> list[float]:
    """Convert `value` as `_as_floats` does. Raise WatchError also if there is no finite number, since nothing would be drawn."""
    numbers = _as_floats(name, value)
    if not any(map(math.isfinite, numbers)):
        raise WatchError(
            f"`{name}` has no finite number, so there is nothing to draw",
            "watch a list with numbers other than inf and nan",
        )
    return numbers


def _record_line(
    name: str, parameter: str, function: Callable[..., Any], points: list[float], keys: Keys, namespace: Namespace
) -> dict[str, Any]:
    """Record a function of one parameter at `points` and on a grid, in the range `over:` or else around the points.

    Raises:
        WatchError: there are too many points, or `over:` is not a list of finite numbers, or two that do not ascend.
    """
    _check_count(points)
    if "over" in keys:
        ends = _as_floats(keys["over"], expressions.value(keys["over"], namespace))
        low, high = ends if len(ends) == 2 else (min(ends), max(ends))
        if not 0 < high - low < math.inf:
            remedy = "write the smaller one first, such as `over: [-3, 3]`"
            raise WatchError(f"`over: {keys['over']}` must be two different numbers in ascending order", remedy)
    else:
        low, high = padded_range(points, 0.25)
        if len(points) == 1:
            half_width = max(2.0, 1.5 * abs(points[0]))
            low, high = points[0] - half_width, points[0] + half_width
    steps = [low + (high - low) * n / GRID for n in range(GRID + 1)]
    marked_points = [_evaluate(function, x) for x in points]
    return {
        "name": name,
        "parameter": parameter,
        "grid": [_evaluate(function, x) for x in steps],
        "visited": marked_points,
    }


def _check_count(points: Sequence[Any]) -> None:
    """Raise WatchError if there are more points than a slider can select."""
    if len(points) > POINTS:
        raise WatchError(f"cannot draw {len(points)} points, the limit is {POINTS}", "store fewer points")


def _evaluate(function: Callable[..., Any], x: float) -> dict[str, Any]:
    """Return `x`, `y` and `slope` of a function at x as floats, and `x printed`, `y printed`, ... as torch prints them.

    Raises:
        WatchError: the function does not return a one-element tensor computed from its argument.
    """
    torch = importlib.import_module("torch")
    point = torch.tensor(x, requires_grad=True)
    with torch.enable_grad():
        y = function(point)
        if not expressions.is_tensor(y) or y.numel() != 1 or not y.requires_grad:
            raise WatchError(
                "the function must return a one-element tensor computed from its argument",
                "compute with tensors, without `.item()`",
            )
        (slope,) = torch.autograd.grad(y, point)
    results = {"x": point, "y": y.reshape(()), "slope": slope}
    return {key: float(tensor.detach()) for key, tensor in results.items()} | {
        f"{key} printed": expressions.printed_elements(tensor)[0] for key, tensor in results.items()
    }


def _record_contour(
    name: str, parameters: list[str], function: Callable[..., Any], path: list[list[float]]
) -> dict[str, Any]:
    """Record a function of two parameters on a grid, and its values at the points of `path`.

    Raises:
        WatchError: `path` has too many points.
    """
    _check_count(path)
    torch = importlib.import_module("torch")
    xs, ys = (padded_range([point[n] for point in path], 0.3) for n in (0, 1))
    columns, rows = ([low + (high - low) * n / CELLS for n in range(CELLS + 1)] for low, high in (xs, ys))
    table = [[float(function(torch.tensor(x), torch.tensor(y))) for x in columns] for y in rows]
    values = [
        expressions.printed_elements(function(torch.tensor(x), torch.tensor(y)).detach().reshape(()))[0]
        for x, y in path
    ]
    return {
        "name": name,
        "parameters": parameters,
        "columns": columns,
        "rows": rows,
        "table": table,
        "path": path,
        "values": values,
    }


def draw(recording: dict[str, Any], keys: Keys) -> Drawing:
    """Draw the plot. In the plot of a function, a slider selects one of the points. A plot of lists has no slider.

    Raises:
        WatchError: there are more than STYLES lists.
    """
    if "lists" in recording:
        return _draw_lists(recording["lists"], keys.get("along") or say("index"))
    return _draw_contour(recording) if "table" in recording else _draw_line(recording)


def _draw_line(recording: dict[str, Any]) -> Drawing:
    name, parameter, grid, marked_points = (recording[key] for key in ("name", "parameter", "grid", "visited"))
    axes = Axes(
        (grid[0]["x"], grid[-1]["x"]), padded_range((point["y"] for point in [*grid, *marked_points]), 0.08), top=TOP
    )
    picture = Picture()
    axes.draw(picture, parameter, name)
    axes.path(picture, [(point["x"], point["y"]) for point in grid], "f-plot f-plot-0")
    is_single = len(marked_points) == 1
    points = _points_around(grid, marked_points[0]) if is_single else marked_points
    if not is_single:
        axes.path(picture, [(point["x"], point["y"]) for point in marked_points], "f-way")
        for point in marked_points:
            picture.circle(*axes.at(point["x"], point["y"]), 3, "f-dot")
    first = points.index(marked_points[0]) if is_single else len(points) - 1
    for number, point in enumerate(points):
        with picture.group("f-mark" + (" f-lit" if number == first else ""), data_mark=number):
            reach = (grid[-1]["x"] - grid[0]["x"]) * 0.5
            tangent = [
                (point["x"] + reach * n / 20, point["y"] + point["slope"] * reach * n / 20) for n in range(-20, 21)
            ]
            axes.path(picture, tangent, "f-tangent")
            picture.circle(*axes.at(point["x"], point["y"]), 5.5, "f-point")
            text = say(
                "{name} = {value} · slope {slope}",
                name=name,
                value=_number_text(point["y printed"]),
                slope=_number_text(point["slope printed"]),
            )
            picture.text(WIDE, 11, text, "f-value", 12, anchor="end")
    captions = [
        _point_caption(name, parameter, point, number if not is_single else None) for number, point in enumerate(points)
    ]
    alt_text = say(
        "{name} as a function of {parameter}, from {start} to {end}. ",
        name=name,
        parameter=parameter,
        start=label(grid[0]["x"]),
        end=label(grid[-1]["x"]),
    ) + captions[first].replace("`", "")
    return Drawing(
        alt_text,
        [
            Frame(
                "",
                "",
                [Panel(picture, say("{name} as a function of {parameter}", name=name, parameter=parameter), alt_text)],
            )
        ],
        slider_label=say("Point") if is_single else say("Step"),
        marks=captions,
        first=first,
    )


def _points_around(grid: list[dict[str, Any]], point: dict[str, Any]) -> list[dict[str, Any]]:
    """Return every fourth point of the grid and `point`, ordered by x, without a grid point at the x of `point`."""
    grid_points = [
        grid_point for grid_point in grid[::4] if not math.isclose(grid_point["x"], point["x"], abs_tol=1e-6)
    ]
    return sorted([*grid_points, point], key=lambda grid_point: grid_point["x"])


def _point_caption(name: str, parameter: str, point: dict[str, Any], step: int | None) -> str:
    values = {
        "name": name,
        "parameter": parameter,
        "x": _number_text(point["x printed"]),
        "value": _number_text(point["y printed"]),
        "slope": _number_text(point["slope printed"]),
    }
    if step is None:
        return say("At `{parameter} = {x}` the value of `{name}` is `{value}` and its slope `{slope}`.", **values)
    return say(
        "Step {step}: at `{parameter} = {x}` the value of `{name}` is `{value}` and its slope `{slope}`.",
        step=step,
        **values,
    )


def _number_text(printed: str) -> str:
    """Return a printed number without a final point, and zero without a sign: -log 1 is printed as `-0.`."""
    text = expressions.plain_numbers(printed)
    return text.removeprefix("-") if float(text) == 0 else text


def _draw_contour(recording: dict[str, Any]) -> Drawing:
    import numpy as np  # imported here: only contour lines need NumPy and contourpy
    from contourpy import LineType, contour_generator

    columns, rows, table, path = (recording[key] for key in ("columns", "rows", "table", "path"))
    axes = Axes((columns[0], columns[-1]), (rows[0], rows[-1]), top=TOP)
    picture = Picture()
    axes.draw(picture, recording["parameters"][0], recording["parameters"][1])
    low, high = min(map(min, table)), max(map(max, table))
    generator = contour_generator(columns, rows, table, line_type=LineType.Separate)
    for n in range(1, LEVELS + 1):
        level = low + (high - low) * (n / (LEVELS + 1)) ** 2  # levels are denser at low values, where a descent ends
        for line in generator.lines(level):
            axes.path(picture, [(float(x), float(y)) for x, y in np.asarray(line)], "f-level")
    axes.path(picture, [(x, y) for x, y in path], "f-way")
    captions = []
    values = map(expressions.plain_numbers, recording["values"])
    for number, ((x, y), value) in enumerate(zip(path, values, strict=True)):
        picture.circle(*axes.at(x, y), 3, "f-dot")
        is_last = number == len(path) - 1
        with picture.group("f-mark" + (" f-lit" if is_last else ""), data_mark=number):
            picture.circle(*axes.at(x, y), 5.5, "f-point")
            picture.text(
                WIDE,
                11,
                say("step {number}: {name} = {value}", number=number, name=recording["name"], value=value),
                "f-value",
                12,
                anchor="end",
            )
        captions.append(
            say(
                "Step {number}: `{a} = {x:.4f}`, `{b} = {y:.4f}`, `{name}` is `{value}`.",
                number=number,
                a=recording["parameters"][0],
                x=x,
                b=recording["parameters"][1],
                y=y,
                name=recording["name"],
                value=value,
            )
        )
    opening = say(
        "Contour lines of {name}, and a descent of 1 point. ",
        "Contour lines of {name}, and a descent of {count} points. ",
        name=recording["name"],
        count=len(path),
    )
    alt_text = opening + f"{captions[0]} {captions[-1]}".replace("`", "")
    return Drawing(
        alt_text,
        [Frame("", "", [Panel(picture, say("Contour lines of {name}", name=recording["name"]), alt_text)])],
        slider_label=say("Step"),
        marks=captions,
        first=len(path) - 1,
    )


def _draw_lists(lists: Sequence[dict[str, Any]], along: str) -> Drawing:
    if len(lists) > STYLES:
        raise WatchError(f"cannot draw {len(lists)} lists, the limit is {STYLES}", "watch fewer lists")
    longest = max(len(series["values"]) for series in lists)
    positions, x, y = [], 0.0, 0.0  # positions of the legend's entries; the legend is wrapped at the width of a phone
    for series in lists:
        width = 28 + width_of(series["name"], 12)
        if x and x + width > WIDE:
            x, y = 0.0, y + 18
        positions.append((x, y))
        x += width + 16
    values = (value for series in lists for value in series["values"])
    axes = Axes((0, max(longest - 1, 1)), padded_range(values, 0.06), top=40.0 + y)
    picture, sentences = Picture(), []
    axes.draw(picture, along, "")
    for number, (series, (x, y)) in enumerate(zip(lists, positions, strict=True)):
        picture.line([(x, y + 7), (x + 22, y + 7)], f"f-plot f-plot-{number}")
        picture.text(x + 28, y + 11, series["name"], "f-name", 12)
        axes.path(picture, list(enumerate(series["values"])), f"f-plot f-plot-{number}", dots=True)
        numbers = [value for value in series["values"] if math.isfinite(value)]
        sentences.append(
            say(
                "{name} goes from {first:.4f} to {last:.4f} in {number} values; the smallest is {least:.4f}.",
                name=series["name"],
                first=numbers[0],
                last=numbers[-1],
                number=len(numbers),
                least=min(numbers),
            )
        )
    return Drawing(
        say(" ").join(sentences),
        [
            Frame(
                "",
                "",
                [Panel(picture, say(" and ").join(series["name"] for series in lists), say(" ").join(sentences))],
            )
        ],
    )

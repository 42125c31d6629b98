"""Draw a figure of kind `window`: a convolution or pooling, one output at a time, forward or backward."""

from __future__ import annotations

import ast
import importlib
from itertools import product
from typing import Any

from gradnotes.figures import expressions
from gradnotes.figures.expressions import Keys, Namespace, WatchError
from gradnotes.figures.grid import Grid, cell_position, cell_width, heading, title_height
from gradnotes.figures.panels import Drawing, Frame, Panel
from gradnotes.figures.svg import Picture
from gradnotes.words import say

CALLS = {f"{name}{n}d": n for name in ("conv", "max_pool", "avg_pool") for n in (1, 2)}
CONV = ("input", "weight", "bias", "stride", "padding", "dilation")
POOL = ("input", "kernel_size", "stride", "padding")
MAX_OUTPUTS = 12


def record(keys: Keys, namespace: Namespace) -> dict[str, Any]:
    """Record input, kernel and result, and for each output its window and its part of the gradient of the input.

    `arrives:` is the gradient of the result. Without this key, the figure shows only the forward pass.

    Raises:
        WatchError: `watch:` is not a convolution or pooling that can be drawn, an expression cannot be evaluated, or an
            argument has the wrong type or size.
    """
    call = expressions.call(keys["watch"])
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    if name not in CALLS:
        raise WatchError(f"cannot draw `{name}` as a window", f"watch a call to one of {', '.join(CALLS)}")
    is_conv, axes = name.startswith("conv"), CALLS[name]
    arguments = dict(zip(CONV if is_conv else POOL, call.args, strict=False)) | {
        keyword.arg or "": keyword.value for keyword in call.keywords
    }
    values = {key: expressions.value(part, namespace) for key, part in arguments.items()}
    x = _without_leading_axes(values.pop("input"), axes, keys["watch"])
    kernel = _without_leading_axes(values["weight"], axes, keys["watch"]) if is_conv else None
    size = list(kernel.shape) if kernel is not None else _per_axis(values["kernel_size"], axes)
    stride = _per_axis(values.get("stride") or (1 if is_conv else size), axes)
    padding, dilation = _per_axis(values.get("padding", 0), axes), _per_axis(values.get("dilation", 1), axes)
    leaf = x.detach().clone().requires_grad_()
    with importlib.import_module("torch").enable_grad():
        result = expressions.value(call.func, namespace)(leaf[None, None], **values)[0, 0]
    if result.numel() > MAX_OUTPUTS:
        raise WatchError(
            f"cannot draw `{keys['watch']}`: it has {result.numel()} outputs, the limit is {MAX_OUTPUTS}",
            "use a smaller example",
        )
    arrives = (
        _without_leading_axes(expressions.value(keys["arrives"], namespace), axes, keys["arrives"]).detach()
        if "arrives" in keys
        else None
    )
    tensor_record = expressions.tensor_record
    return {
        "call": name,
        "input": tensor_record(_name(arguments["input"]), x),
        "kernel": tensor_record(_name(arguments["weight"]), kernel) if kernel is not None else None,
        "biased": values.get("bias") is not None,
        "padding": padding,
        "result": tensor_record("output", result),
        "arrives": tensor_record(_name(ast.parse(keys["arrives"].strip(), mode="eval").body), arrives)
        if arrives is not None
        else None,
        "outputs": _record_outputs(leaf, result, arrives, size, (stride, padding, dilation)),
    }


def _record_outputs(
    leaf: Any, result: Any, arrives: Any, size: list[int], geometry: tuple[list[int], list[int], list[int]]
) -> list[dict[str, Any]]:
    """Record the window of each output, and the part of the gradient of the input that comes from this output.

    `arrives` is the gradient of the result, None for ones. `geometry` is (stride, padding, dilation), each per axis.
    """
    torch = importlib.import_module("torch")
    outputs, gradient_so_far = [], torch.zeros_like(leaf.detach())
    for at in product(*map(range, result.shape)):
        error = torch.zeros_like(result.detach())
        error[at] = arrives[at] if arrives is not None else 1
        (share,) = torch.autograd.grad(result, leaf, error, retain_graph=True)
        gradient_so_far = gradient_so_far + share
        stride, padding, dilation = geometry
        origin = [i * s - p for i, s, p in zip(at, stride, padding, strict=True)]
        window = [
            [o + k * d for o, k, d in zip(origin, kernel_index, dilation, strict=True)]
            for kernel_index in product(*map(range, size))
        ]
        outputs.append(
            {
                "at": list(at),
                "seen": window,
                "share": expressions.printed_elements(share),
                "so far": expressions.printed_elements(gradient_so_far),
            }
        )
    return outputs


def _name(part: ast.expr) -> str:
    """Return the source of an expression, without `[None, None]`, which adds the batch and the channel axis."""
    has_new_axes = isinstance(part, ast.Subscript) and all(
        ast.unparse(axis) == "None" for axis in getattr(part.slice, "elts", [part.slice])
    )
    return ast.unparse(part.value if has_new_axes and isinstance(part, ast.Subscript) else part)


def _per_axis(value: Any, axes: int) -> list[int]:
    """Return `value` as a list with one number per axis: 2 -> [2, 2]. Raise WatchError for a padding such as "same"."""
    if isinstance(value, str):
        raise WatchError(f"`padding` must be a number, got {value!r}", "write it as a number")
    return list(value) if isinstance(value, tuple | list) else [value] * axes


def _without_leading_axes(tensor: Any, axes: int, call: str) -> Any:
    """Return the tensor without its batch and channel axes.

    Raises:
        WatchError: `tensor` is not a tensor, has a batch or channel axis of another size than 1, or is too large.
    """
    if not expressions.is_tensor(tensor):
        raise WatchError(
            f"the arguments of `{call}` must be tensors, got {type(tensor).__name__}", "watch a call on tensors"
        )
    leading_sizes = list(tensor.shape[: max(tensor.dim() - axes, 0)])
    if any(size != 1 for size in leading_sizes) or tensor.dim() < axes or tensor.numel() > 64:
        size = "x".join(map(str, tensor.shape))
        raise WatchError(
            f"cannot draw a tensor of {size} in `{call}`",
            "use one picture with one channel and at most 64 pixels",
        )
    return tensor.reshape(tensor.shape[-axes:])


def draw(recording: dict[str, Any], keys: Keys) -> Drawing:
    """Draw a frame for each element of the output. The frames show the forward pass or, with `arrives:`, the backward pass."""
    frames = []
    for number, output in enumerate(recording["outputs"]):
        caption = _backward_caption(recording, output) if recording["arrives"] else _forward_caption(recording, output)
        panels = _backward_panels(recording, number) if recording["arrives"] else _forward_panels(recording, number)
        label = say("Output {number} of {last}", number=number + 1, last=len(recording["outputs"]))
        frames.append(Frame(label, caption, panels))
    if recording["arrives"]:
        alt_text = say(
            "{call}, one output at a time. The complete gradient of the input: {cells}.",
            call=recording["call"],
            cells=expressions.join_cells(recording["outputs"][-1]["so far"]),
        )
    else:
        alt_text = say(
            "{call}, one output at a time. The complete output: {cells}.",
            call=recording["call"],
            cells=expressions.join_cells(recording["result"]["cells"]),
        )
    return Drawing(alt_text, frames, slider_label=say("Output"))


def _element(tensor: dict[str, Any], index: list[int]) -> str:
    """Return an element of a recorded tensor, as sentences show it."""
    row, column = cell_position(index)
    return expressions.plain_numbers(tensor["cells"][row * (tensor["shape"] or [1])[-1] + column])


def _is_inside(tensor: dict[str, Any], index: list[int]) -> bool:
    """Return whether an index is within the tensor, not in its padding."""
    return all(0 <= i < size for i, size in zip(index, tensor["shape"], strict=True))


def _forward_caption(recording: dict[str, Any], output: dict[str, Any]) -> str:
    source, kernel = recording["input"], recording["kernel"]
    pixels = [(_element(source, at) if _is_inside(source, at) else "0") for at in output["seen"]]
    value = _element(recording["result"], output["at"])
    if kernel:
        weights = map(expressions.plain_numbers, kernel["cells"])
        terms = " + ".join(f"{weight}·{pixel}" for weight, pixel in zip(weights, pixels, strict=True))
        if recording["biased"]:
            return say("`{terms}` and the bias gives `{value}`.", terms=terms, value=value)
        return say("`{terms}` gives `{value}`.", terms=terms, value=value)
    cells = ", ".join(_element(source, at) for at in output["seen"] if _is_inside(source, at))
    if "max" in recording["call"]:
        return say("The largest of `{cells}` is `{value}`.", cells=cells, value=value)
    return say("The mean of `{cells}` is `{value}`.", cells=cells, value=value)


def _backward_caption(recording: dict[str, Any], output: dict[str, Any]) -> str:
    error = _element(recording["arrives"], output["at"])
    source = recording["input"]
    shares = {
        tuple(at): _element({**source, "cells": output["share"]}, at) for at in output["seen"] if _is_inside(source, at)
    }
    if float(error) == 0:
        return say("the error of this output is `{error}`, so it adds nothing.", error=error)
    if "max" in recording["call"]:
        winner = next((list(at) for at, value in shares.items() if float(value)), output["seen"][0])
        return say(
            "the error `{error}` of this output goes only to `{name}[{position}]`, the largest element of its window.",
            error=error,
            name=source["name"],
            position=", ".join(map(str, winner)),
        )
    cells = ", ".join(shares.values())
    if recording["kernel"]:
        return say(
            "the error `{error}` of this output, times the kernel, is added to its window: `{cells}`.",
            error=error,
            cells=cells,
        )
    return say(
        "the error `{error}` of this output is divided equally among the cells of its window: `{cells}`.",
        error=error,
        cells=cells,
    )


def _window_panel(
    recording: dict[str, Any], output: dict[str, Any], cells: list[str], note: str, name: str, width: float
) -> Panel:
    """Draw the input with its padding, and in it the window of an output. `cells` are the texts of the cells."""
    source, padding = recording["input"], recording["padding"]
    picture = Picture()
    heading(picture, 0, 14, name, note)
    rows, columns = cell_position(padding)
    shape = [size + 2 * p for size, p in zip(source["shape"], padding, strict=True)]
    whole = Grid({"name": name, "shape": shape, "cells": []}, 0, title_height(name, note), width)
    window = {(cell_position(at)[0] + rows, cell_position(at)[1] + columns) for at in output["seen"]}
    inner = Grid({**source, "name": name, "cells": cells}, columns * width, whole.y + rows * whole.height, width)
    for at in sorted(whole.positions(), key=lambda at: at in window):
        input_position = (at[0] - rows, at[1] - columns)
        if input_position in inner.positions():
            inner.cell(picture, input_position, "f-a f-now" if at in window else "", inner.text(input_position))
        else:
            whole.cell(picture, at, "f-pale f-now" if at in window else "f-pale", None)
    corners = [whole.corner(at) for at in window]
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    right, bottom = max(x for x, _ in corners) + width, max(y for _, y in corners) + whole.height
    picture.rect(left - 1, top - 1, right - left + 2, bottom - top + 2, "f-frame", 6)
    return Panel(picture, name, say("{name}: {values}.", name=note, values=expressions.join_cells(cells)))


def _grid_panel(
    tensor: dict[str, Any],
    name: str,
    note: str,
    width: float,
    current_index: list[int] | None,
    last_known: int | None = None,
) -> Panel:
    picture = Picture()
    heading(picture, 0, 14, name, note)
    grid = Grid(tensor, 0, title_height(name, note), width)
    current_cell = cell_position(current_index) if current_index is not None else None
    for number, at in sorted(enumerate(grid.positions()), key=lambda pair: pair[1] == current_cell):
        is_known = last_known is None or number <= last_known
        grid.cell(
            picture,
            at,
            "f-b f-now" if at == current_cell else ("" if is_known else "f-pale"),
            grid.text(at) if is_known else None,
        )
    known_cells = tensor["cells"][: len(tensor["cells"]) if last_known is None else last_known + 1]
    return Panel(picture, name, say("{name}: {values}.", name=note or name, values=expressions.join_cells(known_cells)))


def _forward_panels(recording: dict[str, Any], number: int) -> list[Panel | str]:
    output, source, kernel, result = (
        recording["outputs"][number],
        recording["input"],
        recording["kernel"],
        recording["result"],
    )
    width = cell_width(source["cells"], result["cells"], kernel["cells"] if kernel else [])
    input_note = say("with padding") if any(recording["padding"]) else say("input")
    panels: list[Panel | str] = [_window_panel(recording, output, source["cells"], input_note, source["name"], width)]
    if kernel:
        panels += ["×", _grid_panel(kernel, kernel["name"], say("kernel"), width, None)]
    return [*panels, "→", _grid_panel(result, say("output"), "", width, output["at"], number)]


def _backward_panels(recording: dict[str, Any], number: int) -> list[Panel | str]:
    output, arrives, kernel = recording["outputs"][number], recording["arrives"], recording["kernel"]
    width = cell_width(arrives["cells"], recording["outputs"][-1]["so far"], kernel["cells"] if kernel else [])
    note = say("error of the output")
    panels: list[Panel | str] = [_grid_panel(arrives, arrives["name"], note, width, output["at"])]
    if kernel:
        panels += ["×", _grid_panel(kernel, kernel["name"], say("kernel"), width, None)]
    name = f"{recording['input']['name']}.grad"
    return [*panels, "→", _window_panel(recording, output, output["so far"], say("accumulated so far"), name, width)]

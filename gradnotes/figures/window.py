"""`window`: a kernel over its input, one output at a time; or where that output's error goes."""

from __future__ import annotations

import ast
import importlib
from typing import Any

from gradnotes.figures import watching
from gradnotes.figures.cells import Grid, cell_width, heading, place, title_height
from gradnotes.figures.drawing import Drawing, Frame, Panel
from gradnotes.figures.svg import Picture
from gradnotes.figures.watching import Keys, Namespace, WatchError

CALLS = {f"{name}{n}d": n for name in ("conv", "max_pool", "avg_pool") for n in (1, 2)}
CONV = ("input", "weight", "bias", "stride", "padding", "dilation")
POOL = ("input", "kernel_size", "stride", "padding")
MOST = 12  # outputs


def record(keys: Keys, namespace: Namespace) -> dict[str, Any]:
    """Input, kernel and result; for each output which cells it saw, and with `arrives` what it sends back to them."""
    call = watching.call(keys["watch"])
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    if name not in CALLS:
        raise WatchError(f"`{name}` cannot be drawn as a window", f"watch a call of one of {', '.join(CALLS)}")
    conv, axes = name.startswith("conv"), CALLS[name]
    given = dict(zip(CONV if conv else POOL, call.args, strict=False)) | {
        one.arg or "": one.value for one in call.keywords
    }
    values = {key: watching.value(part, namespace) for key, part in given.items()}
    x = _flat(values.pop("input"), axes, keys["watch"])
    kernel = _flat(values["weight"], axes, keys["watch"]) if conv else None
    size = list(kernel.shape) if kernel is not None else _pair(values["kernel_size"], axes)
    stride = _pair(values.get("stride") or (1 if conv else size), axes)
    padding, dilation = _pair(values.get("padding", 0), axes), _pair(values.get("dilation", 1), axes)
    torch = importlib.import_module("torch")
    leaf = x.detach().clone().requires_grad_()
    with torch.enable_grad():
        result = watching.value(call.func, namespace)(leaf[None, None], **values)[0, 0]
    if result.numel() > MOST:
        raise WatchError(
            f"`{keys['watch']}` has {result.numel()} outputs, and {MOST} can be drawn", "take a smaller example"
        )
    arrives = (
        _flat(watching.value(keys["arrives"], namespace), axes, keys["arrives"]).detach() if "arrives" in keys else None
    )
    outputs, total = [], torch.zeros_like(x.detach())
    for at in _places(list(result.shape)):
        one = torch.zeros_like(result.detach())
        one[at] = arrives[at] if arrives is not None else 1
        (share,) = torch.autograd.grad(result, leaf, one, retain_graph=True)
        total = total + share
        origin = [i * s - p for i, s, p in zip(at, stride, padding, strict=True)]
        seen = [[o + k * d for o, k, d in zip(origin, inside, dilation, strict=True)] for inside in _places(size)]
        outputs.append({"at": list(at), "seen": seen, "share": watching.cells(share), "so far": watching.cells(total)})
    described = watching.described
    return {
        "call": name,
        "input": described(_name(given["input"]), x),
        "kernel": described(_name(given["weight"]), kernel) if kernel is not None else None,
        "biased": values.get("bias") is not None,
        "padding": padding,
        "result": described("output", result),
        "arrives": described(_name(ast.parse(keys["arrives"].strip(), mode="eval").body), arrives)
        if arrives is not None
        else None,
        "outputs": outputs,
    }


def _name(part: ast.expr) -> str:
    """The expression without the axes of batch and channel that `[None, None]` gives it."""
    added = isinstance(part, ast.Subscript) and all(
        ast.unparse(one) == "None" for one in getattr(part.slice, "elts", [part.slice])
    )
    return ast.unparse(part.value if added and isinstance(part, ast.Subscript) else part)


def _places(shape: list[int]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for size in shape:
        found = [(*at, i) for at in found for i in range(size)]
    return found


def _pair(value: Any, axes: int) -> list[int]:
    if isinstance(value, str):
        raise WatchError(f"padding {value!r} cannot be drawn", "give it as a number")
    return list(value) if isinstance(value, tuple | list) else [value] * axes


def _flat(found: Any, axes: int, shown: str) -> Any:
    """The tensor without the axes of batch and channels, which have to be of size 1."""
    if not watching.is_tensor(found):
        raise WatchError(f"`{shown}` is given {type(found).__name__}, not a tensor", "watch a call on tensors")
    ahead = list(found.shape[: max(found.dim() - axes, 0)])
    if any(size != 1 for size in ahead) or found.dim() < axes or found.numel() > 64:
        size = "x".join(map(str, found.shape))
        raise WatchError(
            f"a tensor of {size} in `{shown}` cannot be drawn",
            "take one picture with one channel, of at most 64 pixels",
        )
    return found.reshape(found.shape[-axes:])


def draw(recorded: dict[str, Any], keys: Keys) -> Drawing:
    """A frame for each output."""
    frames = []
    for number, output in enumerate(recorded["outputs"]):
        say = _back(recorded, output) if recorded["arrives"] else _forward(recorded, output)
        panels = _back_panels(recorded, number) if recorded["arrives"] else _forward_panels(recorded, number)
        frames.append(Frame(f"Output {number + 1} of {len(recorded['outputs'])}", say, panels))
    end = recorded["outputs"][-1]["so far"] if recorded["arrives"] else recorded["result"]["cells"]
    words = f"{recorded['call']}, one output at a time. {'The gradient of the input' if recorded['arrives'] else 'The output'} in the end: {', '.join(end)}."
    return Drawing(words, frames, moves="Output")


def _at(one: dict[str, Any], at: list[int]) -> str:
    row, column = place(at)
    return one["cells"][row * (one["shape"] or [1])[-1] + column]


def _inside(one: dict[str, Any], at: list[int]) -> bool:
    return all(0 <= i < size for i, size in zip(at, one["shape"], strict=True))


def _forward(recorded: dict[str, Any], output: dict[str, Any]) -> str:
    source, kernel = recorded["input"], recorded["kernel"]
    seen = [(_at(source, at) if _inside(source, at) else "0") for at in output["seen"]]
    value = _at(recorded["result"], output["at"])
    if kernel:
        terms = " + ".join(f"{weight}·{pixel}" for weight, pixel in zip(kernel["cells"], seen, strict=True))
        return f"`{terms}`{' and the bias' if recorded['biased'] else ''} gives `{value}`."
    inside = [_at(source, at) for at in output["seen"] if _inside(source, at)]
    return f"The {'largest' if 'max' in recorded['call'] else 'mean'} of `{', '.join(inside)}` is `{value}`."


def _back(recorded: dict[str, Any], output: dict[str, Any]) -> str:
    error = _at(recorded["arrives"], output["at"])
    source = recorded["input"]
    gets = {tuple(at): _at({**source, "cells": output["share"]}, at) for at in output["seen"] if _inside(source, at)}
    if float(error) == 0:
        return f"its error is `{error}`, so nothing goes back."
    if "max" in recorded["call"]:
        winner = next((list(at) for at, value in gets.items() if float(value)), output["seen"][0])
        return f"its error `{error}` goes to `{recorded['input']['name']}[{', '.join(map(str, winner))}]` alone, the largest of its window."
    how = (
        "to every cell of its window, times the weight"
        if recorded["kernel"]
        else "in equal shares to the cells of its window"
    )
    return f"its error `{error}` goes {how}: `{', '.join(gets.values())}`."


def _window(
    recorded: dict[str, Any], output: dict[str, Any], cells: list[str], soft: str, name: str, wide: float
) -> Panel:
    """The input with its padding, and the window in it."""
    source, padding = recorded["input"], recorded["padding"]
    picture = Picture()
    heading(picture, 0, 14, name, soft)
    rows, columns = place(padding)
    shape = [size + 2 * p for size, p in zip(source["shape"], padding, strict=True)]
    whole = Grid({"name": name, "shape": shape, "cells": []}, 0, title_height(name, soft), wide)
    seen = {(place(at)[0] + rows, place(at)[1] + columns) for at in output["seen"]}
    inner = Grid({**source, "name": name, "cells": cells}, columns * wide, whole.y + rows * whole.high, wide)
    for at in sorted(whole.places(), key=lambda at: at in seen):
        own = (at[0] - rows, at[1] - columns)
        if own in inner.places():
            inner.cell(picture, own, "f-a f-now" if at in seen else "", inner.text(own))
        else:
            whole.cell(picture, at, "f-pale f-now" if at in seen else "f-pale", None)
    corners = [whole.corner(at) for at in seen]
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    right, bottom = max(x for x, _ in corners) + wide, max(y for _, y in corners) + whole.high
    picture.rect(left - 1, top - 1, right - left + 2, bottom - top + 2, "f-frame", 6)
    return Panel(picture, name, f"{soft}: {', '.join(cells)}.")


def _grid(
    one: dict[str, Any], name: str, soft: str, wide: float, now: list[int] | None, known: int | None = None
) -> Panel:
    picture = Picture()
    heading(picture, 0, 14, name, soft)
    grid = Grid(one, 0, title_height(name, soft), wide)
    here = place(now) if now is not None else None
    for number, at in sorted(enumerate(grid.places()), key=lambda pair: pair[1] == here):
        shown = known is None or number <= known
        grid.cell(
            picture, at, "f-b f-now" if at == here else ("" if shown else "f-pale"), grid.text(at) if shown else None
        )
    return Panel(
        picture, name, f"{soft}: {', '.join(one['cells'][: len(one['cells']) if known is None else known + 1])}."
    )


def _forward_panels(recorded: dict[str, Any], number: int) -> list[Panel | str]:
    output, source, kernel, result = (
        recorded["outputs"][number],
        recorded["input"],
        recorded["kernel"],
        recorded["result"],
    )
    wide = cell_width(source["cells"], result["cells"], kernel["cells"] if kernel else [])
    padded = "with padding" if any(recorded["padding"]) else "input"
    panels: list[Panel | str] = [_window(recorded, output, source["cells"], padded, source["name"], wide)]
    if kernel:
        panels += ["×", _grid(kernel, kernel["name"], "kernel", wide, None)]
    return [*panels, "→", _grid(result, "output", "", wide, output["at"], number)]


def _back_panels(recorded: dict[str, Any], number: int) -> list[Panel | str]:
    output, arrives, kernel = recorded["outputs"][number], recorded["arrives"], recorded["kernel"]
    wide = cell_width(arrives["cells"], recorded["outputs"][-1]["so far"], kernel["cells"] if kernel else [])
    panels: list[Panel | str] = [_grid(arrives, arrives["name"], "error of the output", wide, output["at"])]
    if kernel:
        panels += ["×", _grid(kernel, kernel["name"], "kernel", wide, None)]
    name = f"{recorded['input']['name']}.grad"
    return [*panels, "→", _window(recorded, output, output["so far"], "so far", name, wide)]

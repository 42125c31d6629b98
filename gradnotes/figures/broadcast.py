"""`broadcast`: two operands stretched to a common shape; and on the way back the gradients of what was stretched, summed."""

from __future__ import annotations

import ast
import importlib
from typing import Any

from gradnotes.figures import watching
from gradnotes.figures.cells import Grid, cell_width, heading, rows_and_columns, title_height, written
from gradnotes.figures.drawing import BREAK, Drawing, Frame, Panel
from gradnotes.figures.svg import Picture
from gradnotes.figures.watching import Keys, Namespace, WatchError

SIGNS = {ast.Add: "+", ast.Sub: "−", ast.Mult: "×", ast.Div: "÷", ast.Pow: "^"}


def record(keys: Keys, namespace: Namespace) -> dict[str, Any]:
    """The operands as they are and stretched, the result, and with `arrives` or a gradient required the way back."""
    parsed = ast.parse(keys["watch"].strip(), mode="eval").body
    if not isinstance(parsed, ast.BinOp) or type(parsed.op) not in SIGNS:
        raise WatchError(f"`{keys['watch']}` is no operation of two operands", "watch one such as `column - row`")
    sides = (parsed.left, parsed.right)
    names = [ast.unparse(side) for side in sides]
    operands = [watching.tensor(side, namespace) for side in sides]
    torch = importlib.import_module("torch")
    shape = torch.broadcast_shapes(*(one.shape for one in operands))
    wanted = "arrives" in keys or any(one.requires_grad for one in operands)
    leaves = [one.detach().clone().requires_grad_(wanted and one.is_floating_point()) for one in operands]
    stretched = [leaf.expand(shape) for leaf in leaves]
    result = _apply(parsed, stretched)
    if result.dim() > 2 or result.numel() > 64:
        raise WatchError(f"the result has shape {tuple(result.shape)}, too large to be drawn", "take a smaller example")
    found = {
        "sign": SIGNS[type(parsed.op)],
        "operands": [watching.described(name, one) for name, one in zip(names, operands, strict=True)],
        "stretched": [watching.described(name, one) for name, one in zip(names, stretched, strict=True)],
        "result": watching.described(keys["watch"].strip(), result),
        "back": None,
    }
    if wanted and result.requires_grad:
        arrives = watching.value(keys["arrives"], namespace).detach() if "arrives" in keys else torch.ones_like(result)
        asked = [
            number
            for number, one in enumerate(operands)
            if one.requires_grad or not any(o.requires_grad for o in operands)
        ]
        ends = [leaves[number] for number in asked]
        spread = torch.autograd.grad(result, [stretched[n] for n in asked], arrives, retain_graph=True)
        summed = torch.autograd.grad(result, ends, arrives)
        found["back"] = {
            "arrives": watching.described("arrives", arrives),
            "spread": [watching.described(names[n], one) for n, one in zip(asked, spread, strict=True)],
            "summed": [watching.described(names[n], one) for n, one in zip(asked, summed, strict=True)],
        }
    return found


def _apply(parsed: ast.BinOp, stretched: list[Any]) -> Any:
    call = ast.Expression(ast.BinOp(ast.Name("left", ast.Load()), parsed.op, ast.Name("right", ast.Load())))
    return eval(
        compile(ast.fix_missing_locations(call), "<watch>", "eval"), {"left": stretched[0], "right": stretched[1]}
    )


def draw(recorded: dict[str, Any], keys: Keys) -> Drawing:
    """A frame for each direction."""
    operands, stretched, result = recorded["operands"], recorded["stretched"], recorded["result"]
    wide = cell_width(*(one["cells"] for one in [*stretched, result]))
    panels: list[Panel | str] = []
    for number, (own, one) in enumerate(zip(operands, stretched, strict=True)):
        panels += [recorded["sign"]] if number else []
        panels.append(_stretched(one, own["shape"], wide, _soft(own, one)))
    panels += ["=", _plain(result, wide, result["name"], f"shape {written(result['shape'])}", "f-b")]
    words = _forward_words(operands, result)
    frames = [Frame("Forward", words, panels)]
    if recorded["back"]:
        frames.append(_backward(recorded["back"], operands))
    return Drawing(" ".join(frame.say for frame in frames), frames, moves="Direction")


def _soft(own: dict[str, Any], stretched: dict[str, Any]) -> str:
    if own["shape"] == stretched["shape"]:
        return f"shape {written(own['shape'])}"
    return f"{written(own['shape'])} read as {written(stretched['shape'])}"


def _forward_words(operands: list[dict[str, Any]], result: dict[str, Any]) -> str:
    said = [
        f"`{one['name']}` of shape {written(one['shape'])} is stretched to {written(result['shape'])}; the pale cells are borrowed."
        for one in operands
        if one["shape"] != result["shape"]
    ]
    return " ".join(said) or f"Both have shape {written(result['shape'])}: nothing is stretched."


def _backward(back: dict[str, Any], operands: list[dict[str, Any]]) -> Frame:
    shapes = {one["name"]: one["shape"] for one in operands}
    wide = cell_width(back["arrives"]["cells"], *(one["cells"] for one in [*back["spread"], *back["summed"]]))
    panels: list[Panel | str] = [_plain(back["arrives"], wide, "arrives", "at the result", "f-b")]
    grown = [one for one in back["summed"] if one["shape"] != back["arrives"]["shape"]]
    for spread, summed in zip(back["spread"], back["summed"], strict=True):
        name, own = spread["name"], shapes[spread["name"]]
        panels += [BREAK] if len(panels) > 1 else []
        if summed in grown:
            panels += ["→", _stretched(spread, own, wide, "cell by cell")]
            panels += ["Σ", _plain(summed, wide, f"{name}.grad", "the sum", "f-a")]
        elif not grown:
            panels += ["→", _plain(summed, wide, f"{name}.grad", f"shape {written(own)}", "f-a")]
    listed = " and ".join(f"`{one['name']}.grad` is {_listed(one)}" for one in grown or back["summed"])
    said = f"what was stretched forward is summed backward: {listed}." if grown else f"nothing was stretched: {listed}."
    return Frame("Backward", said, panels)


def _listed(one: dict[str, Any]) -> str:
    return f"`{', '.join(one['cells'])}`"


def _borrowed(shape: list[int], common: list[int], at: tuple[int, int]) -> bool:
    """Whether the stretched tensor has this cell from another of its own."""
    own = [1] * (len(common) - len(shape)) + shape
    index = at if len(common) == 2 else at[2 - len(common) :]
    return any(size == 1 and whole > 1 and i > 0 for size, whole, i in zip(own, common, index, strict=True))


def _stretched(one: dict[str, Any], own: list[int], wide: float, soft: str) -> Panel:
    picture = Picture()
    heading(picture, 0, 14, one["name"], soft)
    grid = Grid(one, 0, title_height(one["name"], soft), wide)
    grid.draw(picture, lambda at: "f-pale" if _borrowed(own, one["shape"], at) else "f-a")
    rows = rows_and_columns(one["shape"])
    words = "; ".join(", ".join(one["cells"][r * rows[1] : (r + 1) * rows[1]]) for r in range(rows[0]))
    return Panel(picture, f"{one['name']}: {soft}", f"Row by row: {words}.")


def _plain(one: dict[str, Any], wide: float, name: str, soft: str, style: str) -> Panel:
    picture = Picture()
    heading(picture, 0, 14, name, soft)
    Grid(one, 0, title_height(name, soft), wide).draw(picture, lambda at: style)
    columns = rows_and_columns(one["shape"])[1]
    words = "; ".join(
        ", ".join(one["cells"][start : start + columns]) for start in range(0, len(one["cells"]), columns)
    )
    return Panel(picture, f"{name}: {soft}", f"Row by row: {words}.")

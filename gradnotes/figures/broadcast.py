"""Draw a figure of kind `broadcast`: two operands expanded to one shape, and gradients summed over expanded axes."""

from __future__ import annotations

import ast
import importlib
from typing import Any

from gradnotes.figures import expressions
from gradnotes.figures.expressions import Keys, Namespace, WatchError
from gradnotes.figures.grid import Grid, cell_width, heading, rows_and_columns, shape_text, title_height
from gradnotes.figures.panels import BREAK, Drawing, Frame, Panel
from gradnotes.figures.svg import Picture
from gradnotes.words import say

SIGNS = {ast.Add: "+", ast.Sub: "−", ast.Mult: "×", ast.Div: "÷", ast.Pow: "^"}


def record(keys: Keys, namespace: Namespace) -> dict[str, Any]:
    """Record the operands, the expanded operands and the result.

    Also record the gradients of the operands that require a gradient. If none does, record the gradients of both
    operands if the fence has `arrives:`. This key is the gradient of the result, by default ones.

    Raises:
        WatchError: `watch:` is not a binary operation on tensors, an expression cannot be evaluated, or an operand or
            the result is too large.
    """
    operation = expressions.parse(keys["watch"])
    if not isinstance(operation, ast.BinOp) or type(operation.op) not in SIGNS:
        raise WatchError(
            f"`watch:` must be a binary operation, got `{keys['watch']}`", "watch an expression such as `column - row`"
        )
    sides = (operation.left, operation.right)
    names = [ast.unparse(side) for side in sides]
    operands = [expressions.tensor(side, namespace) for side in sides]
    torch = importlib.import_module("torch")
    shape = torch.broadcast_shapes(*(operand.shape for operand in operands))
    needs_backward = "arrives" in keys or any(operand.requires_grad for operand in operands)
    leaves = [
        operand.detach().clone().requires_grad_(needs_backward and operand.is_floating_point()) for operand in operands
    ]
    expanded_operands = [leaf.expand(shape) for leaf in leaves]
    result = _apply(operation, expanded_operands)
    if result.dim() > 2 or result.numel() > 64:
        raise WatchError(
            f"cannot draw a result of shape {tuple(result.shape)}: the limits are 2 dimensions and 64 elements",
            "use a smaller example",
        )
    recording: dict[str, Any] = {
        "sign": SIGNS[type(operation.op)],
        "operands": [expressions.tensor_record(name, operand) for name, operand in zip(names, operands, strict=True)],
        "stretched": [
            expressions.tensor_record(name, operand) for name, operand in zip(names, expanded_operands, strict=True)
        ],
        "result": expressions.tensor_record(keys["watch"].strip(), result),
        "back": None,
    }
    if needs_backward and result.requires_grad:
        recording["back"] = _record_gradients(
            keys, namespace, names, [operand.requires_grad for operand in operands], leaves, expanded_operands, result
        )
    return recording


def _record_gradients(
    keys: Keys,
    namespace: Namespace,
    names: list[str],
    require_grad: list[bool],
    leaves: list[Any],
    expanded_operands: list[Any],
    result: Any,
) -> dict[str, Any]:
    """Return the gradient of the result, and the gradients of the operands before and after the sum over broadcast dimensions.

    The keys are "arrives", the gradient of the result, and "spread" and "summed", lists of the gradients before and
    after the sum.
    """
    torch = importlib.import_module("torch")
    arrives = expressions.tensor(keys["arrives"], namespace).detach() if "arrives" in keys else torch.ones_like(result)
    numbers = [n for n, is_required in enumerate(require_grad) if is_required or not any(require_grad)]
    expanded_gradients = torch.autograd.grad(
        result, [expanded_operands[n] for n in numbers], arrives, retain_graph=True
    )
    summed_gradients = torch.autograd.grad(result, [leaves[n] for n in numbers], arrives)
    return {
        "arrives": expressions.tensor_record("arrives", arrives),
        "spread": [
            expressions.tensor_record(names[n], grad) for n, grad in zip(numbers, expanded_gradients, strict=True)
        ],
        "summed": [
            expressions.tensor_record(names[n], grad) for n, grad in zip(numbers, summed_gradients, strict=True)
        ],
    }


def _apply(operation: ast.BinOp, expanded_operands: list[Any]) -> Any:
    """Return the result of the operation on the expanded operands."""
    call = ast.Expression(ast.BinOp(ast.Name("left", ast.Load()), operation.op, ast.Name("right", ast.Load())))
    return eval(
        compile(ast.fix_missing_locations(call), "<watch>", "eval"),
        {"left": expanded_operands[0], "right": expanded_operands[1]},
    )


def draw(recording: dict[str, Any], keys: Keys) -> Drawing:
    """Draw a frame for the forward pass and, if gradients were recorded, a frame for the backward pass."""
    operands, expanded_operands, result = recording["operands"], recording["stretched"], recording["result"]
    width = cell_width(*(tensor["cells"] for tensor in [*expanded_operands, result]))
    panels: list[Panel | str] = []
    for number, (operand, expanded_operand) in enumerate(zip(operands, expanded_operands, strict=True)):
        panels += [recording["sign"]] if number else []
        panels.append(
            _expanded_panel(expanded_operand, operand["shape"], width, _shape_note(operand, expanded_operand))
        )
    panels += [
        "=",
        _tensor_panel(result, width, result["name"], say("shape {shape}", shape=shape_text(result["shape"])), "f-b"),
    ]
    caption = _forward_caption(operands, result)
    frames = [Frame(say("Forward"), caption, panels)]
    if recording["back"]:
        frames.append(_backward_frame(recording["back"], operands))
    return Drawing(say(" ").join(frame.caption for frame in frames), frames, slider_label=say("Direction"))


def _shape_note(operand: dict[str, Any], expanded_operand: dict[str, Any]) -> str:
    if operand["shape"] == expanded_operand["shape"]:
        return say("shape {shape}", shape=shape_text(operand["shape"]))
    return say(
        "{shape} expanded to {other}", shape=shape_text(operand["shape"]), other=shape_text(expanded_operand["shape"])
    )


def _forward_caption(operands: list[dict[str, Any]], result: dict[str, Any]) -> str:
    sentences = [
        say(
            "`{name}` of shape {shape} is expanded to {other}; the pale cells are repetitions.",
            name=operand["name"],
            shape=shape_text(operand["shape"]),
            other=shape_text(result["shape"]),
        )
        for operand in operands
        if operand["shape"] != result["shape"]
    ]
    return say(" ").join(sentences) or say(
        "Both have shape {shape}, so neither is expanded.", shape=shape_text(result["shape"])
    )


def _backward_frame(back: dict[str, Any], operands: list[dict[str, Any]]) -> Frame:
    shapes = {tensor["name"]: tensor["shape"] for tensor in operands}
    width = cell_width(back["arrives"]["cells"], *(tensor["cells"] for tensor in [*back["spread"], *back["summed"]]))
    panels: list[Panel | str] = [_tensor_panel(back["arrives"], width, say("gradient"), say("of the result"), "f-b")]
    summed_gradients = [tensor for tensor in back["summed"] if tensor["shape"] != back["arrives"]["shape"]]
    for expanded_gradient, summed_gradient in zip(back["spread"], back["summed"], strict=True):
        name, shape = expanded_gradient["name"], shapes[expanded_gradient["name"]]
        panels += [BREAK] if len(panels) > 1 else []
        if summed_gradient in summed_gradients:
            panels += ["→", _expanded_panel(expanded_gradient, shape, width, say("before the sum"))]
            panels += ["Σ", _tensor_panel(summed_gradient, width, f"{name}.grad", say("the sum"), "f-a")]
        elif not summed_gradients:
            panels += [
                "→",
                _tensor_panel(
                    summed_gradient, width, f"{name}.grad", say("shape {shape}", shape=shape_text(shape)), "f-a"
                ),
            ]
    gradients = say(" and ").join(
        say("`{name}.grad` is {cells}", name=tensor["name"], cells=_format_cells(tensor))
        for tensor in summed_gradients or back["summed"]
    )
    caption = (
        say("axes that were expanded forward are summed backward: {gradients}.", gradients=gradients)
        if summed_gradients
        else say("nothing was expanded, so nothing is summed: {gradients}.", gradients=gradients)
    )
    return Frame(say("Backward"), caption, panels)


def _format_cells(tensor: dict[str, Any]) -> str:
    return f"`{expressions.join_cells(tensor['cells'])}`"


def _is_repeated(shape: list[int], common: list[int], at: tuple[int, int]) -> bool:
    """Return whether cell (row, column) of a tensor expanded from `shape` to `common` is a copy of an earlier cell."""
    padded_shape = [1] * (len(common) - len(shape)) + shape
    index = at if len(common) == 2 else at[2 - len(common) :]
    return any(size == 1 and whole > 1 and i > 0 for size, whole, i in zip(padded_shape, common, index, strict=True))


def _expanded_panel(tensor: dict[str, Any], shape: list[int], width: float, note: str) -> Panel:
    picture = Picture()
    heading(picture, 0, 14, tensor["name"], note)
    grid = Grid(tensor, 0, title_height(tensor["name"], note), width)
    grid.draw(picture, lambda at: "f-pale" if _is_repeated(shape, tensor["shape"], at) else "f-a")
    rows = rows_and_columns(tensor["shape"])
    alt_text = "; ".join(
        expressions.join_cells(tensor["cells"][r * rows[1] : (r + 1) * rows[1]]) for r in range(rows[0])
    )
    return Panel(
        picture, say("{name}: {note}", name=tensor["name"], note=note), say("Row by row: {cells}.", cells=alt_text)
    )


def _tensor_panel(tensor: dict[str, Any], width: float, name: str, note: str, style: str) -> Panel:
    picture = Picture()
    heading(picture, 0, 14, name, note)
    Grid(tensor, 0, title_height(name, note), width).draw(picture, lambda at: style)
    columns = rows_and_columns(tensor["shape"])[1]
    alt_text = "; ".join(
        expressions.join_cells(tensor["cells"][start : start + columns])
        for start in range(0, len(tensor["cells"]), columns)
    )
    return Panel(picture, say("{name}: {note}", name=name, note=note), say("Row by row: {cells}.", cells=alt_text))

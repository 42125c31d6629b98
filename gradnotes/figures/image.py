"""Draw a figure of kind `image`: tensors as pictures, side by side.

Values from 0 to 1 are drawn from white to black. Signed numbers are blue below 0, white at 0 and red above 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gradnotes.figures import expressions
from gradnotes.figures.expressions import Keys, Namespace, WatchError
from gradnotes.figures.panels import BREAK, Drawing, Frame, Panel
from gradnotes.figures.png import data_uri
from gradnotes.figures.svg import WIDE, Picture
from gradnotes.words import say

PANELS, NUMBERS, ALL_NUMBERS = 16, 1024, 8192  # limits: pictures of a step, numbers of a step, numbers of a figure
SIZES = range(8, 33)  # px: allowed sides of a pixel
BLUE, RED = (33, 102, 172), (178, 24, 43)  # the ends of the diverging scale, as in ColorBrewer's RdBu
INK = 0.55  # value above which a pixel is so dark that the number in it is white
CHOOSE = "choose some of them, such as `watch: images[:10]`"


# --- the recording


def record(keys: Keys, namespace: Namespace) -> dict[str, Any]:
    """Record the steps of the figure. Each step has a label and panels, one panel per picture.

    A value that `watch:` names is a tensor with two dimensions (a picture), a tensor with three dimensions (several
    pictures), or a dict {label: picture}. With `along:`, `watch:` names one list or dict of such values, one per step.

    Raises:
        WatchError: a value is not a picture or has a number that cannot be drawn, there are too many pictures or
            numbers, or a key of the fence is wrong.
    """
    names = expressions.expressions(keys["watch"])
    signed_names = (
        names if keys.get("signed") == "all" else expressions.expressions(keys["signed"]) if "signed" in keys else []
    )
    for name in signed_names:
        expressions.check_choice(name, names, "picture")
    values = [(name, expressions.value(name, namespace), name in signed_names) for name in names]
    steps = _split_steps(values) if "along" in keys else [("", values)]
    labels = [text.strip() for text in keys["labels"].split(";")] if "labels" in keys else None
    step_records: list[dict[str, Any]] = [
        {"label": label, "panels": _split_panels(items, labels)} for label, items in steps
    ]
    _check_limits(keys["watch"], step_records)
    numbers = expressions.value(keys["numbers"], namespace) if "numbers" in keys else None
    if numbers is not None:
        _add_numbers(step_records[0]["panels"][0], keys["numbers"], numbers)
    return {"steps": step_records}


def _split_steps(values: list[tuple[str, Any, bool]]) -> list[tuple[str, list[tuple[str, Any, bool]]]]:
    """Split the watched list or dict into steps. Return (label, watched values) of each step.

    Raises:
        WatchError: there is more than one watched value, or the value is not a list or dict with at least two steps.
    """
    name, steps, is_signed = values[0]
    if len(values) > 1 or not isinstance(steps, list | tuple | Mapping) or len(steps) < 2:
        raise WatchError(
            "with `along:`, `watch:` must name exactly one list or dict with at least two steps",
            "collect the pictures in the snippet as {step: picture}",
        )
    pairs = steps.items() if isinstance(steps, Mapping) else enumerate(steps)
    return [(str(label), [(name, value, is_signed)]) for label, value in pairs]


def _split_panels(items: list[tuple[str, Any, bool]], labels: list[str] | None) -> list[dict[str, Any]]:
    panels = [
        {"name": name, "label": label, "signed": is_signed, "rows": _picture_rows(name, picture)}
        for item in items
        for name, label, picture, is_signed in _pictures(*item)
    ]
    if not panels:
        raise WatchError(f"`{items[0][0]}` has no picture", "watch a tensor or dict with at least one picture")
    if labels is not None:
        if len(labels) != len(panels):
            raise WatchError(
                f"`labels:` must name {len(panels)} pictures, got {len(labels)}", "separate them by semicolons"
            )
        panels = [panel | {"label": label} for panel, label in zip(panels, labels, strict=True)]
    for panel in panels:
        _check_range(panel)
    return panels


def _pictures(name: str, value: Any, is_signed: bool) -> Iterator[tuple[str, str, Any, bool]]:
    """Yield (name, label, tensor, is signed) of each picture in a watched value."""
    if isinstance(value, Mapping):
        for label, picture in value.items():
            yield str(label), str(label), picture, is_signed
    elif expressions.is_tensor(value) and value.dim() == 3:
        for index, picture in enumerate(value):
            yield f"{name}[{index}]", str(index), picture, is_signed
    else:
        yield name, name, value, is_signed


def _picture_rows(name: str, picture: Any) -> list[list[float]]:
    if not expressions.is_tensor(picture):
        raise WatchError(f"`{name}` must be a tensor, got {type(picture).__name__}", "watch a tensor")
    if picture.dim() != 2 or not picture.numel():
        message = f"`{name}` must have two dimensions and at least one element; its shape is {tuple(picture.shape)}"
        raise WatchError(message, "reshape it, such as `picture.reshape(8, 8)`")
    rows = [[float(f"{float(number):.4g}") for number in row] for row in picture.detach().tolist()]
    if not all(math.isfinite(number) for row in rows for number in row):
        raise WatchError(f"`{name}` holds a number that is not finite", "watch finite numbers that can be drawn")
    return rows


def _check_range(panel: dict[str, Any]) -> None:
    if panel["signed"]:
        return
    for number in (number for row in panel["rows"] for number in row):
        if not 0 <= number <= 1:
            raise WatchError(
                f"gray values must be from 0 to 1, got {number:g} in `{panel['name']}`",
                "divide the picture by its largest value, or name the picture in `signed:`",
            )


def _check_limits(watch: str, steps: list[dict[str, Any]]) -> None:
    counts = [sum(len(panel["rows"]) * len(panel["rows"][0]) for panel in step["panels"]) for step in steps]
    most = max(len(step["panels"]) for step in steps)
    if most > PANELS:
        raise WatchError(f"`{watch}` has {most} pictures, the limit is {PANELS}", CHOOSE)
    if max(counts) > NUMBERS:
        raise WatchError(f"`{watch}` has {max(counts)} numbers, the limit is {NUMBERS}", CHOOSE)
    if sum(counts) > ALL_NUMBERS:
        raise WatchError(
            f"`{watch}` has {sum(counts)} numbers in all steps together, the limit is {ALL_NUMBERS}",
            "keep fewer steps",
        )


def _add_numbers(panel: dict[str, Any], name: str, numbers: Any) -> None:
    """Add `numbers` to a panel, to be displayed in the cells of its picture. Zeros are left out.

    Raises:
        WatchError: `numbers` is not a tensor with the shape of the picture.
    """
    shape = [len(panel["rows"]), len(panel["rows"][0])]
    if not expressions.is_tensor(numbers) or list(numbers.shape) != shape:
        raise WatchError(
            f"`numbers: {name}` must be a tensor with the shape of the picture, {shape[0]}x{shape[1]}",
            "name a tensor of that shape in `numbers:`",
        )
    panel["numbers"] = [[f"{number:g}" if number else "" for number in row] for row in numbers.tolist()]


# --- the drawing


@dataclass(frozen=True)
class _Style:
    """The settings that all panels of a figure share."""

    size: int  # px: the side of a pixel
    scale: float  # the signed number that is drawn in full red; its negative is drawn in full blue
    row_title: str
    column_title: str


def draw(recording: dict[str, Any], keys: Keys) -> Drawing:
    """Draw a panel for each picture, and a frame for each step.

    Raises:
        WatchError: `size:` is not allowed, or a picture would be wider than a phone.
    """
    steps = recording["steps"]
    panels = [panel for step in steps for panel in step["panels"]]
    scale = (
        max((abs(n) for panel in panels if panel["signed"] for row in panel["rows"] for n in row), default=0.0) or 1.0
    )
    style = _Style(_pixel_size(keys, steps[0]["panels"]), scale, keys.get("rows", ""), keys.get("columns", ""))
    frames = []
    for step in steps:
        frame_panels: list[Panel | str] = [
            Panel(_draw_picture(panel, style), panel["label"], describe(panel)) for panel in step["panels"]
        ]
        if any(panel["signed"] for panel in step["panels"]):
            colors = say(
                "Colors go from {low}, blue, through 0, white, to {high}, red.",
                low=signed_text(-scale),
                high=signed_text(scale),
            )
            frame_panels += [BREAK, Panel(_draw_legend(scale), say("Scale"), colors)]
        label = f"{keys['along']} {step['label']}" if "along" in keys else ""
        frames.append(Frame(label, _describe_step(step["panels"]) if label else "", frame_panels))
    alt_text = say(" ").join(describe(panel) for panel in steps[-1]["panels"])
    return Drawing(alt_text, frames, slider_label=keys.get("along", "").capitalize())


def _pixel_size(keys: Keys, panels: list[dict[str, Any]]) -> int:
    widest = max(len(panel["rows"][0]) for panel in panels)
    if "size" not in keys:
        available = WIDE if len(panels) == 1 else WIDE / min(len(panels), 3) - 12 if len(panels) < 5 else WIDE / 4 - 12
        return max(SIZES[0], min(20, int(available / widest)))
    size = int(keys["size"]) if keys["size"].isdigit() else 0
    if size not in SIZES:
        raise WatchError(f"`size:` must be from {SIZES[0]} to {SIZES[-1]}, got {keys['size']}", "correct the number")
    if size * widest > WIDE:
        raise WatchError(
            f"{widest} columns of {size} px are wider than a phone, {WIDE:g} px", f"write `size: {int(WIDE / widest)}`"
        )
    return size


def color_of(fraction: float) -> tuple[int, int, int]:
    """Return the color of a number on the scale from -1 (blue) to 1 (red) as (red, green, blue), each from 0 to 255."""
    end = RED if fraction > 0 else BLUE
    red, green, blue = (round(255 + min(1.0, abs(fraction)) * (channel - 255)) for channel in end)
    return red, green, blue


def _draw_picture(panel: dict[str, Any], style: _Style) -> Picture:
    picture, size, rows = Picture(), style.size, panel["rows"]
    width, height = len(rows[0]) * size, len(rows) * size
    if panel["signed"]:
        pixels: list[list[tuple[int, ...]]] = [[color_of(number / style.scale) for number in row] for row in rows]
    else:
        pixels = [[(round(255 * (1 - number)),) for number in row] for row in rows]
    values = " ".join(f"{number:.3g}" for row in rows for number in row)
    with picture.group("f-picture", data_columns=len(rows[0]), data_values=values):
        picture.image(0, 0, width, height, data_uri(pixels))
    if panel["signed"]:
        _draw_signs(picture, rows, style)
    if "numbers" in panel:
        _draw_numbers(picture, panel, style)
    picture.rect(0, 0, width, height, "f-paper", 0)
    if style.row_title or style.column_title:
        _draw_titles(picture, rows, style)
    else:
        picture.text(width / 2, height + 16, panel["label"], "f-name", 12, anchor="middle", is_monospace=False)
    return picture


def _draw_signs(picture: Picture, rows: list[list[float]], style: _Style) -> None:
    """Draw + or - in cells of at least a third of the scale, for readers who cannot distinguish the colors."""
    half, arm = style.size / 2, style.size * 0.22
    for i, row in enumerate(rows):
        for j, number in enumerate(row):
            fraction = number / style.scale
            if abs(fraction) < 1 / 3:
                continue
            x, y = j * style.size + half, i * style.size + half
            kind = "f-plus-minus f-light" if abs(fraction) > 0.6 else "f-plus-minus"
            picture.line([(x - arm, y), (x + arm, y)], kind)
            if fraction > 0:
                picture.line([(x, y - arm), (x, y + arm)], kind)


def _draw_numbers(picture: Picture, panel: dict[str, Any], style: _Style) -> None:
    size = min(12.0, style.size * 0.5)
    for i, (row, texts) in enumerate(zip(panel["rows"], panel["numbers"], strict=True)):
        for j, (number, text) in enumerate(zip(row, texts, strict=True)):
            is_dark = not panel["signed"] and number > INK
            x, y = (j + 0.5) * style.size, (i + 0.5) * style.size + size * 0.36
            if text:
                kind = "f-value f-count f-light" if is_dark else "f-value f-count"
                picture.text(x, y, text, kind, size, anchor="middle", is_monospace=False)


def _draw_titles(picture: Picture, rows: list[list[float]], style: _Style) -> None:
    """Number the rows and columns, and write the titles of both axes."""
    for i in range(len(rows)):
        picture.text(-6, (i + 0.5) * style.size + 4, str(i), "f-soft", 11, anchor="end")
    for j in range(len(rows[0])):
        picture.text((j + 0.5) * style.size, -6, str(j), "f-soft", 11, anchor="middle")
    picture.text(0, -22, say("columns: {title}", title=style.column_title), "f-soft", 12, is_monospace=False)
    picture.text(0, -38, say("rows: {title}", title=style.row_title), "f-soft", 12, is_monospace=False)


def _draw_legend(scale: float) -> Picture:
    """Draw the color bar of the signed numbers, from `-scale` to `scale`."""
    picture = Picture()
    picture.image(0, 0, 189, 10, data_uri([[color_of(n / 10) for n in range(-10, 11)]]))
    picture.rect(0, 0, 189, 10, "f-paper", 0)
    low, high = signed_text(-scale), signed_text(scale)
    picture.text(0, 24, low, "f-soft", 11, is_monospace=False)
    picture.text(94.5, 24, "0", "f-soft", 11, anchor="middle", is_monospace=False)
    picture.text(189, 24, high, "f-soft", 11, anchor="end", is_monospace=False)
    return picture


def signed_text(number: float) -> str:
    """Format a number with three significant digits and a typographic minus sign."""
    return f"{number:.3g}".replace("-", "−")


def describe(panel: dict[str, Any]) -> str:
    """Return a sentence about a picture: size, smallest and largest number and, if signed, their positions."""
    rows = panel["rows"]
    numbers = [number for row in rows for number in row]
    size = say("{rows} by {columns}", rows=len(rows), columns=len(rows[0]))
    if not panel["signed"]:
        return say(
            "{label} ({size}), values from {low:.3g} to {high:.3g}.",
            label=panel["label"],
            size=size,
            low=min(numbers),
            high=max(numbers),
        )
    positions = [
        say("row {row}, column {column}", row=n // len(rows[0]), column=n % len(rows[0]))
        for n in (_index_of(numbers, max), _index_of(numbers, min))
    ]
    return say(
        "{label} ({size}), from {low} to {high}; largest at {largest}, smallest at {smallest}.",
        label=panel["label"],
        size=size,
        low=signed_text(min(numbers)),
        high=signed_text(max(numbers)),
        largest=positions[0],
        smallest=positions[1],
    )


def _index_of(numbers: list[float], extreme: Any) -> int:
    return numbers.index(extreme(numbers))


def _describe_step(panels: list[dict[str, Any]]) -> str:
    """Return a sentence about the pictures of one step."""
    numbers = [number for panel in panels for row in panel["rows"] for number in row]
    if len(panels) == 1:
        return describe(panels[0])
    return say(
        "{number} pictures, with numbers from {low} to {high}.",
        number=len(panels),
        low=signed_text(min(numbers)),
        high=signed_text(max(numbers)),
    )

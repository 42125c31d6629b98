"""Draw a figure of kind `amount`: memory, counts or time as bars. An amount that is a dict is drawn in parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gradnotes.figures import expressions
from gradnotes.figures.expressions import Keys, Namespace, WatchError
from gradnotes.figures.panels import Drawing, Frame, Panel
from gradnotes.figures.svg import WIDE, Picture, width_of
from gradnotes.words import say

ROW, MAX_ROWS, STYLES = 34.0, 16, 6  # height of a row in px, limit of rows, limit of parts


def record(keys: Keys, namespace: Namespace) -> dict[str, Any]:
    """Record the label and the parts of each bar. The amount of a tensor is its size in bytes.

    Raises:
        WatchError: `watch:` is not a dict or a list of pairs, is empty or has more than MAX_ROWS rows, or an amount is
            neither a tensor nor a number of at least 0.
    """
    amounts = expressions.value(keys["watch"], namespace)
    pairs = list(amounts.items()) if isinstance(amounts, Mapping) else amounts
    if not isinstance(pairs, list | tuple) or not all(
        isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs
    ):
        raise WatchError(
            f"`{keys['watch']}` must be a dict or a list of pairs", "store the counts as {label: number} in the snippet"
        )
    if not pairs:
        raise WatchError(f"`{keys['watch']}` has no amount", "store at least one count as {label: number}")
    if len(pairs) > MAX_ROWS:
        raise WatchError(
            f"cannot draw `{keys['watch']}`: it has {len(pairs)} rows, the limit is {MAX_ROWS}", "use a smaller example"
        )
    rows = [{"label": str(label), "parts": _row_parts(label, value)} for label, value in pairs]
    return {"rows": rows, "unit": keys.get("unit", "")}


def _row_parts(label: Any, value: Any) -> list[dict[str, Any]]:
    parts = value.items() if isinstance(value, Mapping) else [("", value)]
    return [{"part": str(name), "amount": _as_amount(label, amount)} for name, amount in parts]


def _as_amount(label: Any, value: Any) -> int | float:
    if expressions.is_tensor(value):
        return value.numel() * value.element_size()
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise WatchError(
            f"the amount of {label!r} must be a tensor or a number of at least 0, got {value!r}", "correct the snippet"
        )
    return value


def format_amount(amount: int | float) -> str:
    """Format an integer with thousands separators, and a float with up to six digits."""
    return f"{amount:,}" if isinstance(amount, int) else f"{amount:g}"


def draw(recording: dict[str, Any], keys: Keys) -> Drawing:
    """Draw a bar for each recorded row. A part has the same color and pattern in all bars.

    Raises:
        WatchError: the bars have more than STYLES different parts.
    """
    # a Chinese page has its own unit, but shares the recording of the English page
    rows, unit = recording["rows"], keys.get("unit", recording["unit"])
    parts = list(dict.fromkeys(part["part"] for row in rows for part in row["parts"]))
    if len(parts) > STYLES:
        raise WatchError(f"cannot draw {len(parts)} parts, the limit is {STYLES}", "combine some of them")
    totals = [sum(part["amount"] for part in row["parts"]) for row in rows]
    picture = Picture()
    y = _draw_legend(picture, parts) if parts != [""] else 0.0
    largest = max(totals) or 1
    label_width = max(width_of(format_amount(total)) for total in totals) + 10
    for row, total in zip(rows, totals, strict=True):
        picture.text(0, y + 11, row["label"], "f-code", 12)
        x = 0.0
        for part in row["parts"]:
            width = part["amount"] / largest * (WIDE - label_width)
            if width:
                with picture.group(f"f-part f-part-{parts.index(part['part'])}", data_amount=part["amount"]):
                    picture.rect(x, y + 16, width, 16, "", 2)
                    if parts.index(part["part"]) in (1, 3, 5):
                        _draw_hatching(picture, x, y + 16, width, 16, parts.index(part["part"]))
            x += width
        picture.text(x + 6, y + 28.5, format_amount(total), "f-value")
        y += ROW + 8
    alt_text = say(" ").join(_describe_row(row, total, unit) for row, total in zip(rows, totals, strict=True))
    return Drawing(
        alt_text,
        [Frame("", "", [Panel(picture, say("Amounts in {unit}", unit=unit) if unit else say("Amounts"), alt_text)])],
    )


def _describe_row(row: dict[str, Any], total: int | float, unit: str) -> str:
    parts_text = [f"{part['part']} {format_amount(part['amount'])}" for part in row["parts"] if part["part"]]
    amount = f"{format_amount(total)} {unit}".rstrip() + (f" ({', '.join(parts_text)})" if parts_text else "")
    return say("{name}: {values}.", name=row["label"], values=amount)


def _draw_legend(picture: Picture, parts: list[str]) -> float:
    x, y = 0.0, 0.0
    for number, part in enumerate(parts):
        width = 22 + width_of(part, 12) + 14
        if x and x + width > WIDE:
            x, y = 0.0, y + 20
        with picture.group(f"f-part f-part-{number}"):
            picture.rect(x, y, 16, 12, "", 2)
            if number in (1, 3, 5):
                _draw_hatching(picture, x, y, 16, 12, number)
        picture.text(x + 22, y + 10.5, part, "f-code", 12)
        x += width
    return y + 26


def _draw_hatching(picture: Picture, x: float, y: float, width: float, height: float, number: int) -> None:
    """Hatch a bar of part 1, 3 or 5, each part in another direction, so that parts differ not only in color."""
    start = x + 5.0
    while start + (height if number != 5 else 0) < x + width:
        ends = {1: (0, height), 3: (height, 0), 5: (0, 0)}[number]
        picture.line([(start + ends[0], y + height - 1), (start + ends[1], y + 1)], "f-hatch")
        start += 8.0

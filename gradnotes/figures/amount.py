"""`amount`: memory, counts or time as bars, in parts where the program counted parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gradnotes.figures import watching
from gradnotes.figures.drawing import Drawing, Frame, Panel
from gradnotes.figures.svg import WIDE, Picture, width_of
from gradnotes.figures.watching import Keys, Namespace, WatchError

ROW, MOST, STYLES = 34.0, 16, 6


def record(keys: Keys, namespace: Namespace) -> dict[str, Any]:
    """Rows of (label, parts); a tensor counts its bytes."""
    found = watching.value(keys["watch"], namespace)
    pairs = list(found.items()) if isinstance(found, Mapping) else found
    if (
        not isinstance(pairs, list | tuple)
        or not pairs
        or not all(isinstance(one, list | tuple) and len(one) == 2 for one in pairs)
    ):
        raise WatchError(
            f"`{keys['watch']}` is no dict and no list of pairs", "let the snippet keep its counts as {label: number}"
        )
    if len(pairs) > MOST:
        raise WatchError(f"`{keys['watch']}` has {len(pairs)} rows, and {MOST} can be drawn", "take a smaller example")
    rows = [{"label": str(label), "parts": _parts(label, value)} for label, value in pairs]
    return {"rows": rows, "unit": keys.get("unit", "")}


def _parts(label: Any, value: Any) -> list[dict[str, Any]]:
    parts = value.items() if isinstance(value, Mapping) else [("", value)]
    return [{"part": str(name), "amount": _number(label, one)} for name, one in parts]


def _number(label: Any, value: Any) -> int | float:
    if watching.is_tensor(value):
        return value.numel() * value.element_size()
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise WatchError(f"the amount of {label!r} is {value!r}", "give a number that is not below 0, or a tensor")
    return value


def shown(amount: int | float) -> str:
    return f"{amount:,}" if isinstance(amount, int) else f"{amount:g}"


def draw(recorded: dict[str, Any], keys: Keys) -> Drawing:
    """A bar for each row; the same part has the same colour and pattern in all of them."""
    rows, unit = recorded["rows"], recorded["unit"]
    parts = list(dict.fromkeys(one["part"] for row in rows for one in row["parts"]))
    if len(parts) > STYLES:
        raise WatchError(f"{len(parts)} parts, and {STYLES} can be told apart", "add some of them up")
    totals = [sum(one["amount"] for one in row["parts"]) for row in rows]
    picture = Picture()
    y = _legend(picture, parts) if parts != [""] else 0.0
    most = max(totals) or 1
    ends = max(width_of(shown(total)) for total in totals) + 10
    for row, total in zip(rows, totals, strict=True):
        picture.text(0, y + 11, row["label"], "f-code", 12)
        x = 0.0
        for one in row["parts"]:
            wide = one["amount"] / most * (WIDE - ends)
            if wide:
                with picture.group(f"f-part f-part-{parts.index(one['part'])}", data_amount=one["amount"]):
                    picture.rect(x, y + 16, wide, 16, "", 2)
                    if parts.index(one["part"]) in (1, 3, 5):
                        _hatch(picture, x, y + 16, wide, 16, parts.index(one["part"]))
            x += wide
        picture.text(x + 6, y + 28.5, shown(total), "f-value")
        y += ROW + 8
    words = " ".join(_words(row, total, unit) for row, total in zip(rows, totals, strict=True))
    return Drawing(words, [Frame("", "", [Panel(picture, f"Amounts{f' in {unit}' if unit else ''}", words)])])


def _words(row: dict[str, Any], total: int | float, unit: str) -> str:
    named = [f"{one['part']} {shown(one['amount'])}" for one in row["parts"] if one["part"]]
    return f"{row['label']}: {shown(total)} {unit}".rstrip() + (f" ({', '.join(named)})." if named else ".")


def _legend(picture: Picture, parts: list[str]) -> float:
    x, y = 0.0, 0.0
    for number, part in enumerate(parts):
        wide = 22 + width_of(part, 12) + 14
        if x and x + wide > WIDE:
            x, y = 0.0, y + 20
        with picture.group(f"f-part f-part-{number}"):
            picture.rect(x, y, 16, 12, "", 2)
            if number in (1, 3, 5):
                _hatch(picture, x, y, 16, 12, number)
        picture.text(x + 22, y + 10.5, part, "f-code", 12)
        x += wide
    return y + 26


def _hatch(picture: Picture, x: float, y: float, wide: float, high: float, number: int) -> None:
    """Strokes within the bar, leaning one way or the other: the part can be told without its colour."""
    at = x + 5.0
    while at + (high if number != 5 else 0) < x + wide:
        lean = {1: (0, high), 3: (high, 0), 5: (0, 0)}[number]
        picture.line([(at + lean[0], y + high - 1), (at + lean[1], y + 1)], "f-hatch")
        at += 8.0

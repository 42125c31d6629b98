"""Draw a figure of kind `timeline`: the statements that save, write and check tensors, with their version counters."""

from __future__ import annotations

from typing import Any

from gradnotes.figures import expressions
from gradnotes.figures.expressions import Keys, Namespace, WatchError
from gradnotes.figures.history import TensorHistory
from gradnotes.figures.panels import Drawing, Frame, Panel
from gradnotes.figures.svg import WIDE, Picture, width_of
from gradnotes.words import say

# px: width of a lane, height of a statement's first effect, height of each further effect
LANE, ROW, EXTRA_ROW = 34.0, 50.0, 34.0


def record(keys: Keys, namespace: Namespace, history: TensorHistory) -> dict[str, Any]:
    """Record the statements that create, write, save or check the watched tensors.

    Raises:
        WatchError: an expression in `watch:` cannot be evaluated or is not a tensor, or no node saves these tensors.
    """
    names = expressions.expressions(keys["watch"])
    for name in names:
        expressions.tensor(name, namespace, dimensions=99, elements=10**9)
    events = [event for event in history.events if any(event[key] for key in ("made", "written", "saved", "checked"))]
    if not any(event["saved"] for event in events):
        raise WatchError(
            f"no node of the run saves {' or '.join(names)}", "watch a tensor that an operation saves for backward"
        )
    return {"names": names, "events": [{**event, "code": history.lines[event["line"] - 1].strip()} for event in events]}


def draw(recording: dict[str, Any], keys: Keys) -> Drawing:
    """Draw a vertical lane for each tensor, with signs for effects, and the statements to the right of the lanes."""
    names = recording["names"]
    picture = Picture()
    left = len(names) * LANE + 12
    for number, name in enumerate(names):
        picture.text(number * LANE + LANE / 2, 12, name, "f-name", anchor="middle")
    rows = _effect_rows(recording)
    heights, y = [], 42.0
    for number, (event, *_) in enumerate(rows):
        y += 0.0 if not number else ROW if event is not rows[number - 1][0] else EXTRA_ROW
        heights.append(y)
    for number, name in enumerate(names):
        tensor_heights = [high for high, (_, tensor, *_) in zip(heights, rows, strict=True) if tensor == name]
        if tensor_heights:
            picture.line(
                [(number * LANE + LANE / 2, tensor_heights[0]), (number * LANE + LANE / 2, tensor_heights[-1])],
                "f-lane",
            )
    previous_event = None
    for y, (event, name, kind, version, text) in zip(heights, rows, strict=True):
        _draw_sign(picture, names.index(name) * LANE + LANE / 2, y, kind, version)
        if event is not previous_event:
            picture.text(left, y - 5, _shorten(event["code"], WIDE - left - 4), "f-code", 12)
        picture.text(left, y + (11 if event is not previous_event else 4), text, f"f-{kind}", 12, is_monospace=False)
        previous_event = event
    alt_text = say(" ").join(_sentence(event, name, kind, text) for event, name, kind, _, text in rows)
    return Drawing(
        alt_text,
        [Frame("", "", [Panel(picture, say("Versions of {names}", names=say(" and ").join(names)), alt_text)])],
    )


Row = tuple[dict[str, Any], str, str, int, str]  # event, tensor, kind, version, text


def _effect_rows(recording: dict[str, Any]) -> list[Row]:
    """Return one row per effect of a statement, in the order of the statements."""
    rows: list[Row] = []
    for event in recording["events"]:
        for kind in ("made", "written", "saved", "checked"):
            rows += [(event, effect["name"], *_describe_effect(kind, effect)) for effect in event[kind]]
    return rows


def _describe_effect(kind: str, effect: dict[str, Any]) -> tuple[str, int, str]:
    """Return (kind, version, text) of an effect. The kind of a check is its result, `right` or `wrong`."""
    if kind == "made":
        return (
            kind,
            effect["version"],
            say("{name} is created, at version {version}", name=effect["name"], version=effect["version"]),
        )
    if kind == "written":
        return (
            kind,
            effect["version"],
            say("written: version {before} → {version}", before=effect["before"], version=effect["version"]),
        )
    if kind == "saved":
        return (
            kind,
            effect["version"],
            say("saved by {operation} at version {version}", operation=effect["operation"], version=effect["version"]),
        )
    if effect["right"]:
        return "right", effect["found"], say("{operation} finds it unchanged", operation=effect["operation"])
    return (
        "wrong",
        effect["found"],
        say("expected version {expected}, found {actual}: error", expected=effect["expected"], actual=effect["found"]),
    )


def _sentence(event: dict[str, Any], name: str, kind: str, text: str) -> str:
    values = {"line": event["line"], "code": event["code"], "text": text}
    if kind == "made":
        return say("Line {line}, {code}: {text}.", **values)
    return say("Line {line}, {code}: {name} {text}.", name=name, **values)


def _shorten(code: str, width: float) -> str:
    """Return the code. If it is wider than `width` px, cut it and add an ellipsis."""
    while width_of(code, 12) > width:
        code = code[:-2].rstrip() + "…"
    return code


def _draw_sign(picture: Picture, x: float, y: float, kind: str, version: int) -> None:
    """Draw the sign of an effect: a shape that depends on its kind, with the version number in it."""
    with picture.group(f"f-sign f-is-{kind}", data_version=version):
        if kind == "written":
            picture.rect(x - 11, y - 11, 22, 22, "", 3)
        elif kind in ("right", "wrong"):
            picture.line([(x, y - 14), (x + 14, y), (x, y + 14), (x - 14, y), (x, y - 14)], "f-shape")
        else:
            picture.circle(x, y, 11, "")
            if kind == "saved":
                picture.circle(x, y, 14, "f-ring")
        picture.text(x, y + 4.5, str(version), "f-value", anchor="middle")
        if kind in ("right", "wrong"):
            picture.text(x + 9, y - 9, "✓" if kind == "right" else "✗", f"f-{kind}", 12, is_monospace=False)

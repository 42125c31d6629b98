"""`timeline`: save, write and check in the order of the statements, each with the version of the tensor."""

from __future__ import annotations

from typing import Any

from gradnotes.figures import watching
from gradnotes.figures.drawing import Drawing, Frame, Panel
from gradnotes.figures.story import Story
from gradnotes.figures.svg import WIDE, Picture, width_of
from gradnotes.figures.watching import Keys, Namespace, WatchError

LANE, ROW, FURTHER = 34.0, 50.0, 34.0  # a statement, and what else it did


def record(keys: Keys, namespace: Namespace, story: Story) -> dict[str, Any]:
    """The statements that did something to the watched tensors."""
    names = watching.expressions(keys["watch"])
    for name in names:
        watching.tensor(name, namespace, dimensions=99, elements=10**9)
    events = [one for one in story.events if any(one[key] for key in ("made", "written", "saved", "checked"))]
    if not any(one["saved"] for one in events):
        raise WatchError(
            f"no node of the run saves {' or '.join(names)}", "watch a tensor that an operation keeps for backward"
        )
    return {"names": names, "events": [{**one, "code": story.lines[one["line"] - 1].strip()} for one in events]}


def draw(recorded: dict[str, Any], keys: Keys) -> Drawing:
    """A lane for each tensor from top to bottom, and beside it the statements."""
    names = recorded["names"]
    picture = Picture()
    left = len(names) * LANE + 12
    for number, name in enumerate(names):
        picture.text(number * LANE + LANE / 2, 12, name, "f-name", anchor="middle")
    rows = _rows(recorded)
    heights, y = [], 42.0
    for number, (event, *_) in enumerate(rows):
        y += 0.0 if not number else ROW if event is not rows[number - 1][0] else FURTHER
        heights.append(y)
    for number, name in enumerate(names):
        own = [high for high, (_, of, *_) in zip(heights, rows, strict=True) if of == name]
        if own:
            picture.line([(number * LANE + LANE / 2, own[0]), (number * LANE + LANE / 2, own[-1])], "f-lane")
    before = None
    for y, (event, name, kind, version, said) in zip(heights, rows, strict=True):
        _sign(picture, names.index(name) * LANE + LANE / 2, y, kind, version)
        if event is not before:
            picture.text(left, y - 5, _cut(event["code"], WIDE - left - 4), "f-code", 12)
        picture.text(left, y + (11 if event is not before else 4), said, f"f-{kind}", 12, mono=False)
        before = event
    words = " ".join(_sentence(event, name, kind, said) for event, name, kind, _, said in rows)
    return Drawing(words, [Frame("", "", [Panel(picture, f"Versions of {' and '.join(names)}", words)])])


Row = tuple[dict[str, Any], str, str, int, str]  # event, tensor, kind, version, text


def _rows(recorded: dict[str, Any]) -> list[Row]:
    rows: list[Row] = []
    for event in recorded["events"]:
        for one in event["made"]:
            rows.append(
                (event, one["name"], "made", one["version"], f"{one['name']} is made, at version {one['version']}")
            )
        for one in event["written"]:
            rows.append(
                (event, one["name"], "written", one["version"], f"written: version {one['before']} → {one['version']}")
            )
        for one in event["saved"]:
            rows.append(
                (
                    event,
                    one["name"],
                    "saved",
                    one["version"],
                    f"saved by {one['operation']} at version {one['version']}",
                )
            )
        for one in event["checked"]:
            right = f"as {one['operation']} saved it"
            wrong = f"expected {one['expected']}, found {one['found']}: raises"
            rows.append(
                (
                    event,
                    one["name"],
                    "right" if one["right"] else "wrong",
                    one["found"],
                    right if one["right"] else wrong,
                )
            )
    return rows


def _sentence(event: dict[str, Any], name: str, kind: str, said: str) -> str:
    return f"Line {event['line']}, {event['code']}: {name if kind != 'made' else ''} {said}.".replace(":  ", ": ")


def _cut(code: str, room: float) -> str:
    while width_of(code, 12) > room:
        code = code[:-2].rstrip() + "…"
    return code


def _sign(picture: Picture, x: float, y: float, kind: str, version: int) -> None:
    """Each kind has a shape of its own, with the version in it."""
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
            picture.text(x + 9, y - 9, "✓" if kind == "right" else "✗", f"f-{kind}", 12, mono=False)

"""The fence that draws a figure from a recorded run: panels, description and what the slider needs, as HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

from snippetcheck.kinds import Kind
from snippetcheck.pages import Fence
from snippetcheck.settings import find_root
from snippetcheck.snippet import Snippet

from gradnotes.fences import recorded
from gradnotes.fences.kinds import shows
from gradnotes.fences.markup import Page, as_attributes, inline
from gradnotes.fences.problems import FenceError, close_match
from gradnotes.fences.project import Project, anchor
from gradnotes.figures import graph
from gradnotes.figures.drawing import BREAK, Drawing, Frame
from gradnotes.figures.kinds import KINDS
from gradnotes.figures.watching import WatchError
from gradnotes.problems import InputError

FURTHER = tuple(dict.fromkeys(key for kind in KINDS.values() for key in kind.keys))


def _wrong(keys: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What is wrong with the keys alone."""
    kind = KINDS.get(keys["kind"])
    if kind is None:
        yield f"no kind of figure {keys['kind']!r}", close_match(keys["kind"], KINDS, f"there are: {', '.join(KINDS)}")
        return
    for key in keys:
        if key in FURTHER and key not in kind.keys:
            takes = ", ".join(f"`{one}:`" for one in kind.keys) or "none but `watch:`"
            yield (
                f"a figure of kind {keys['kind']} takes no `{key}:`",
                f"take it out; of the further keys it takes {takes}",
            )
    if "watch" not in keys and not kind.without_watch:
        yield f"a figure of kind {keys['kind']} has to know what to watch", "name tensors of the snippet in `watch:`"


def _check(fence: Fence, snippets: Mapping[str, Snippet]) -> Iterator[tuple[str, str]]:
    yield from _wrong(fence.keys)
    if fence.keys["file"] not in snippets:
        yield f"no snippet {fence.keys['file']!r}", "write it, or correct the name"


def _values(fence: Fence, snippets: Mapping[str, Snippet]) -> Iterator[str]:
    """The recorded numbers in each picture; those of axes and positions are none."""
    project = _project(find_root(fence.page))
    project.memo.begin()
    try:
        shown = figure(project, Page(fence.page.name, set()), fence.keys)
    except InputError:
        return  # the page says it
    for picture in shown.split("</svg>"):
        yield " ".join(_VALUE.findall(picture))


_VALUE = re.compile(r'<text class="f-value[^>]*>([^<]*)<')


@cache
def _project(root: Path) -> Project:
    return Project(root)


@shows(Kind("figure", ("kind", "file"), ("watch", "region", "caption", *FURTHER), check=_check, prints=_values))
def figure(project: Project, page: Page, keys: dict[str, str]) -> str:
    """The drawing, from the values of a run that printed what the snippet says."""
    for message, remedy in _wrong(keys):
        raise FenceError(message, remedy)
    one = project.snippet(keys["file"])
    run = recorded.of_snippet(project, one, recorded.question(one, keys))
    found = run["watched"]
    try:
        if "error" in found:
            raise WatchError(found["error"], found["remedy"])
        if keys["kind"] == "graph":
            found = graph.joined(found, run["passes"], keys)
        drawing = KINDS[keys["kind"]].draw(found, keys)
    except WatchError as error:
        raise FenceError(f"{one.name}: {error.message}", error.remedy) from None
    identifier = page.id_for(f"figure-{anchor(one.name).removeprefix('snippet-')}")
    return as_html(drawing, identifier, keys["kind"], keys.get("caption", ""))


def as_html(drawing: Drawing, identifier: str, kind: str, caption: str) -> str:
    """The `<figure>`; assets/figures.js adds the slider, without which all frames, or all sentences, are there."""
    numbers = iter(range(1, 1000))
    several = len(drawing.frames) > 1
    frames = [_frame(one, lambda: f"{identifier}-{next(numbers)}", several) for one in drawing.frames]
    told = [f"<li>{inline(one)}</li>" for one in drawing.marks]
    moves = several or len(told) > 1
    for shown, first in ((frames, 0), (told, drawing.first)):
        if moves and len(shown) > 1:
            shown[first] = shown[first].replace(">", " data-now>", 1)
    attributes = {
        "id": identifier,
        "data-kind": kind,
        "data-moves": drawing.moves if moves else None,
        "data-first": str(drawing.first) if moves else None,
    }
    return (
        f'<figure class="drawn"{as_attributes(attributes)}>{_BAR if moves else ""}'
        f'<div class="figure-frames{" figure-several" if several else ""}" data-unsearched>{"".join(frames)}</div>'
        + (f'<ol class="figure-says" start="0" data-unsearched>{"".join(told)}</ol>' if told else "")
        + (f"<figcaption>{inline(caption)}</figcaption>" if caption else "")
        + "</figure>"
    )


_BAR = '<div class="figure-bar"></div>'  # the room of the slider


def _frame(frame: Frame, name: Callable[[], str], labelled: bool) -> str:
    panels, sign = "", ""
    for one in frame.panels:
        if one == BREAK:
            panels += '<span class="figure-break"></span>'
        elif isinstance(one, str):
            sign = f'<span class="figure-sign">{html.escape(one)}</span>'
        else:  # what stands before a picture stays with it where a line is full
            panels += f'<span class="figure-panel">{sign}{one.picture.finish(name(), one.title, one.words)}</span>'
            sign = ""
    label = f"<b>{inline(frame.label)}:</b> " if labelled else ""
    say = f"<p>{label}{inline(frame.say)}</p>" if labelled or frame.say else ""
    return f'<div class="figure-frame" data-label="{html.escape(frame.label)}"><div class="figure-panels">{panels}</div>{say}</div>'

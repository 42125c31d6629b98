"""Render the `figure` fence: a drawing of values from a recorded run, with text alternative and data of the slider."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup
from snippetcheck.fence_types import FenceType
from snippetcheck.pages import Fence
from snippetcheck.settings import find_root
from snippetcheck.snippet import Snippet

from gradnotes.fences import recorded
from gradnotes.fences.registry import renders
from gradnotes.figures import graph
from gradnotes.figures.expressions import WatchError
from gradnotes.figures.panels import BREAK, Drawing, Panel
from gradnotes.figures.types import KINDS
from gradnotes.links import anchor
from gradnotes.markup import Page
from gradnotes.problems import FenceError, InputError, close_match
from gradnotes.project import Project
from gradnotes.templating import render
from gradnotes.words import say_label

KIND_KEYS = tuple(dict.fromkeys(key for kind in KINDS.values() for key in kind.keys))


def _key_problems(keys: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Check the keys of a figure fence, without a recording. Yield (message, remedy) for each mistake."""
    kind = KINDS.get(keys["kind"])
    if kind is None:
        yield (
            f"unknown kind of figure {keys['kind']!r}",
            close_match(keys["kind"], KINDS),
        )
        return
    for key in keys:
        if key in KIND_KEYS and key not in kind.keys:
            allowed_keys = ", ".join(f"`{name}:`" for name in kind.keys or ["watch"])
            yield (
                f"a figure of kind {keys['kind']} has no key `{key}:`",
                f"remove it; this kind takes {allowed_keys}",
            )
    if "watch" not in keys and not kind.is_watch_optional:
        yield f"a figure of kind {keys['kind']} needs `watch:`", "name tensors of the snippet in `watch:`"


def _check_fence(fence: Fence, snippets: Mapping[str, Snippet]) -> Iterator[tuple[str, str]]:
    """Yield (message, remedy) for each mistake in a figure fence. The ledger calls this."""
    yield from _key_problems(fence.keys)
    if fence.keys["file"] not in snippets:
        yield f"no snippet {fence.keys['file']!r}", "create it or correct the name"


def _printed_values(fence: Fence, snippets: Mapping[str, Snippet]) -> Iterator[str]:
    """Yield a text per picture of a figure: its values, separated by spaces, without labels of axes and positions.

    The ledger looks up quoted numbers in these texts.
    """
    project = _project(find_root(fence.page))
    project.memo.begin()
    try:
        html_text = render_figure(project, Page(fence.page.name, set()), fence.keys)
    except InputError:
        return  # rendering the page reports the error
    for picture in html_text.split("</svg>"):
        yield " ".join(_VALUE.findall(picture))


_VALUE = re.compile(r'<text class="f-value[^>]*>([^<]*)<')


@cache
def _project(root: Path) -> Project:
    """Return the project at `root`, shared by all fences that the ledger checks."""
    return Project(root)


@renders(
    FenceType(
        "figure",
        ("kind", "file"),
        ("watch", "region", "caption", *KIND_KEYS),
        check=_check_fence,
        prints=_printed_values,
        prose=("caption",),
    )
)
def render_figure(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render the figure. Its values come from a run of the snippet that printed the snippet's expected output."""
    drawing = draw_figure(project, keys, page.original)
    identifier = figure_id(page, keys)
    return as_html(drawing, identifier, keys["kind"], keys.get("caption", ""))


def figure_id(page: Page, keys: Mapping[str, str]) -> str:
    """Reserve and return the HTML id of a figure."""
    return page.id_for(anchor(keys["file"], "figure"))


def draw_figure(project: Project, keys: Mapping[str, str], original: Mapping[str, str] | None = None) -> Drawing:
    """Draw the figure of a fence. `original` are the keys of the English fence that a Chinese fence translates.

    Raises:
        FenceError: a key is wrong, or the snippet has nothing that can be drawn.
    """
    for message, remedy in _key_problems(keys):
        raise FenceError(message, remedy)
    snippet = project.snippet(keys["file"])
    english = original or keys  # the keys that decide the recording, which both languages share
    run = recorded.load_recording(project, snippet, recorded.figure_question(snippet, english))
    values = _translate_labels(run["watched"], _labels(english, keys)) if original else run["watched"]
    try:
        if "error" in values:
            raise WatchError(values["error"], values["remedy"])
        if keys["kind"] == "graph":
            values = graph.join_pass(values, run["passes"], keys)
        return KINDS[keys["kind"]].draw(values, keys)
    except WatchError as error:
        raise FenceError(f"{snippet.name}: {error.message}", error.remedy) from None


def _labels(english: Mapping[str, str], keys: Mapping[str, str]) -> dict[str, str]:
    """Map the English `labels:` of pictures to the labels in the page's language."""
    pairs = zip(english.get("labels", "").split(";"), keys.get("labels", "").split(";"), strict=False)
    return {label.strip(): translation.strip() for label, translation in pairs if label.strip()}


def _translate_labels(value: Any, labels: Mapping[str, str]) -> Any:
    """Translate each `label` in a recording: with `labels`, else with the words of the site (`gradnotes.words`)."""
    if isinstance(value, dict):
        return {
            key: labels.get(item) or say_label(item) if key == "label" else _translate_labels(item, labels)
            for key, item in value.items()
        }
    return [_translate_labels(item, labels) for item in value] if isinstance(value, list) else value


def as_html(drawing: Drawing, identifier: str, kind: str, caption: str) -> Markup:
    """Render a drawing as a `<figure>`.

    JavaScript adds the slider; without JavaScript, all frames and sentences are visible.
    """
    numbers = itertools.count(1)

    def finish(panel: Panel) -> Markup:
        return Markup(panel.picture.finish(f"{identifier}-{next(numbers)}", panel.title, panel.alt_text))

    return render("figure", drawing=drawing, id=identifier, kind=kind, caption=caption, line_break=BREAK, finish=finish)

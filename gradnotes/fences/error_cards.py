"""Render the `card` fence: an error message, its cause and its repair, in the words of the page that explains it."""

from __future__ import annotations

import re
from functools import partial

from markupsafe import Markup
from snippetcheck.fence_types import FenceType

from gradnotes.fences.errors import snippet_messages
from gradnotes.fences.prose import prose, without_links
from gradnotes.fences.registry import renders
from gradnotes.links import Link, address, anchor, link
from gradnotes.markup import Page
from gradnotes.problems import FenceError, close_match
from gradnotes.project import Project
from gradnotes.templating import render

_GAP = " ... "
_ITEM = "\n- "
_QUOTES = (("Cause", "cause"), ("Repair", "repair"))  # label and key
_SENTENCE_END = re.compile(r"(?<=[.!?])(?=\s+[A-Z`*(]|\s*$)", re.MULTILINE)


@renders(FenceType("card", ("snippet", "cause", "repair"), ("message", "page")))
def render_card(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render the card of the first message of a snippet, or of the first that contains `message`.

    `cause` and `repair` quote the page of the snippet, or `page`: the first words of a sentence, or the first and
    the last words of a passage, as in `A node saves ... with a wrong one.`

    Raises:
        FenceError: there is no such message, or the page does not contain these words.
    """
    name = keys["snippet"]
    texts = snippet_messages(project, name)
    text = next((text for text in texts if keys.get("message", "") in text), None)
    if text is None:
        raise FenceError(f"{name} shows no such message", close_match(keys.get("message", ""), texts, "name another"))
    source = keys.get("page") or project.page_of(name)
    if source is None:
        raise FenceError(f"no page shows {name}", "add `page:` with the page that explains the message")
    kind, _, message = text.removesuffix(" ...").partition(": ")
    target = link(address(source), page.path)
    if not keys.get("page"):
        target += f"#{anchor(name)}"
    return render(
        "card",
        id=page.id_for(anchor(name).replace("snippet", "card", 1)),
        kind=kind,
        message=message,
        quotes=[(label, _quote(project, source, keys[key]).split(_ITEM)) for label, key in _QUOTES],
        prose=partial(prose, project, page),
        source=Link(target, project.title(source)),
    )


def _quote(project: Project, page: str, words: str) -> str:
    """Return the sentence of a page that begins with `words`. For `A ... B`, return the passage from `A` to `B`."""
    quote = _find_passage(project, page, words)
    return quote[0].upper() + quote[1:]  # a passage may begin within a sentence


def _find_passage(project: Project, page: str, words: str) -> str:
    text = project.memoize(("sentences", page), lambda: _plain_text(project, page))
    first, _, last = words.partition(_GAP)
    start = text.find(first)
    if start < 0:
        raise FenceError(f"{page} does not contain {first!r}", "quote the page as it is now")
    if last:
        end = text.find(last, start)
        if end < 0:
            raise FenceError(f"{page} does not contain {last!r} after {first!r}", "quote the page as it is now")
        passage = text[start : end + len(last)]
        return passage if passage[-1] in ".!?" else f"{passage}."
    match = _SENTENCE_END.search(text, start)
    return text[start : match.end() if match else len(text)]


def _plain_text(project: Project, page: str) -> str:
    """Return the prose of a page: a line for each paragraph and item, an item after `- `, without fences, links and bold type."""
    lines = project.text(page).split("\n")
    for fence in project.fences(page):
        if fence.is_delimited:
            lines[fence.line - 1 : fence.last_line] = [""] * (fence.last_line - fence.line + 1)
    paragraphs = re.split(r"\n\s*\n|\n(?=\s*- )", "\n".join(lines))
    return "\n".join(without_links(" ".join(paragraph.split())) for paragraph in paragraphs)

"""Render the `card` fence: an error message with its cause and repair, quoted from the page that explains the error.

A card on a Chinese page quotes the Chinese page. If the page has no Chinese, the card translates the English quotes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from markupsafe import Markup
from snippetcheck.fence_types import FenceType

from gradnotes.fences.errors import snippet_messages
from gradnotes.fences.prose import link_to, prose, without_links
from gradnotes.fences.registry import renders
from gradnotes.links import anchor
from gradnotes.markup import Page
from gradnotes.problems import FenceError, close_match
from gradnotes.project import Project
from gradnotes.templating import render
from gradnotes.translation import edition, sources
from gradnotes.words import say, translatable

_GAP = " ... "
_ITEM = "\n- "
_QUOTES = {"cause": translatable("Cause"), "repair": translatable("Repair")}  # key -> label
_SENTENCE_END = re.compile(r"(?<=[.!?])(?=\s+[A-Z`*(]|\s*$)|(?<=[。！？])", re.MULTILINE)


@renders(FenceType("card", ("snippet", "cause", "repair"), ("message", "page")))
def render_card(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render a card for an error or warning of the snippet `snippet:`.

    The card is about the first error or warning whose text contains `message:`; without `message:`, about the first.
    `cause:` and `repair:` quote the page `page:`, by default the page that embeds the snippet. Each of these keys gives
    the first words of the sentence to quote, or the first and the last words of a passage, as in `A node saves ... with
    a wrong one.` The card leads to the snippet or, if there is a `page:`, to this page or its section, as in `page:
    a/b.md#section`.

    A card on a Chinese page quotes the Chinese page. If the page has no Chinese, the keys are whole Chinese texts.

    Raises:
        FenceError: the snippet is missing or malformed, or has no such message; there is no `page:` and no page embeds
            the snippet; or the page does not contain the words.
    """
    name = keys["snippet"]
    texts = snippet_messages(project, name)
    text = next((text for text in texts if keys.get("message", "") in text), None)
    if text is None:
        raise FenceError(
            f"no error or warning of {name} contains {keys.get('message', '')!r}",
            close_match(keys.get("message", ""), texts, "name a message of the snippet"),
        )
    source = _explaining_page(project, keys)
    kind, _, message = text.removesuffix(" ...").partition(": ")
    section = keys["page"].partition("#")[2] if "page" in keys else anchor(name)
    return render(
        "card",
        id=page.id_for(anchor(name, "card")),
        kind=kind,
        message=message,
        quotes=[(say(_QUOTES[key]), text.split(_ITEM)) for key, text in _quotes(project, page.path, keys).items()],
        prose=partial(prose, project, page),
        source=link_to(project, page, f"{source}#{section}"),
    )


def _explaining_page(project: Project, keys: Mapping[str, str]) -> str:
    """Return the English page that explains the message of a card, without a section."""
    source = keys.get("page", "").partition("#")[0] or project.page_of(keys["snippet"])
    if not source:
        raise FenceError(f"no page embeds {keys['snippet']}", "add `page:` with the page that explains the message")
    return source


def _quotes(project: Project, page: str, keys: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of a card on `page` by key, `cause` and `repair`."""
    source = _explaining_page(project, keys)
    quoted_page = edition.page_in_edition(project, source, page)
    is_quote = sources.is_chinese(quoted_page) == sources.is_chinese(page)
    return {key: _quote(project, quoted_page, keys[key]) if is_quote else keys[key] for key in _QUOTES}


def quotes_by_line(project: Project, page: str) -> dict[int, dict[str, str]]:
    """Return the texts of each card on `page`, by the line of its fence.

    Raises:
        FenceError: a text of a card can't be found, see `render_card`. The message begins with the line of the card.
    """
    quotes = {}
    for fence in project.fences(page):
        if fence.kind == "card" and not fence.problem:
            try:
                quotes[fence.line] = _quotes(project, page, fence.keys)
            except FenceError as error:
                raise FenceError(f"card in line {fence.line}: {error.message}", error.remedy) from None
    return quotes


def _quote(project: Project, page: str, words: str) -> str:
    """Quote a page from `words` to the end of the sentence or, if `words` is `A ... B`, from `A` to `B`."""
    quote = _find_passage(project, page, words)
    return quote[0].upper() + quote[1:]  # a passage may begin within a sentence


def _find_passage(project: Project, page: str, words: str) -> str:
    text = project.memoize(("sentences", page), lambda: _plain_text(project, page))
    first, _, last = words.partition(_GAP)
    start = text.find(first)
    if start < 0:
        raise FenceError(f"{page} does not contain {first!r}", "copy words from the page")
    if last:
        end = text.find(last, start)
        if end < 0:
            raise FenceError(f"{page} does not contain {last!r} after {first!r}", "copy words from the page")
        passage = text[start : end + len(last)]
        return passage if passage[-1] in ".!?。！？" else f"{passage}{'。' if sources.is_chinese(page) else '.'}"
    match = _SENTENCE_END.search(text, start + 1)
    return text[start : match.end() if match else len(text)]


def _plain_text(project: Project, page: str) -> str:
    """Return the prose of a page: a line per paragraph or list item. The line of a list item begins with `- `.

    Fences, the targets of links, and the asterisks of bold and italic type are removed.
    """
    lines = project.text(page).split("\n")
    for fence in project.fences(page):
        if fence.is_delimited:
            lines[fence.line - 1 : fence.last_line] = [""] * (fence.last_line - fence.line + 1)
    paragraphs = re.split(r"\n\s*\n|\n(?=\s*- )", "\n".join(lines))
    return "\n".join(without_links(" ".join(paragraph.split())) for paragraph in paragraphs)

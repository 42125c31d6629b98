"""Render the `ideas` fence, and look up which section teaches an idea of docs/inventory.yml.

The fence lists the ideas of some lines of a note, each with a link to the section that teaches it.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from markdown.extensions.toc import slugify, unique
from markupsafe import Markup
from snippetcheck.fence_types import FenceType
from snippetcheck.pages import embeds_snippet

from gradnotes import front_matter, inputs
from gradnotes.fences.registry import renders
from gradnotes.links import Link, address, anchor, link, snippet_link
from gradnotes.markup import Page
from gradnotes.notes import chinese, erratum
from gradnotes.notes.inventory import INVENTORY, Idea, load_ideas
from gradnotes.notes.passage import Passage
from gradnotes.problems import FenceError
from gradnotes.project import Project
from gradnotes.templating import render

_HEADING = re.compile(r"#{2,4} +(?P<name>.*?)(?: *\{[:#]? *#?(?P<id>[\w-]+) *\})? *$")
_FOLD = re.compile(r'[?]{3}\+? \w+ "(?:More: )?(?P<title>.*)" *$')


@renders(FenceType("ideas", ("at",)))
def render_ideas(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render the ideas whose passages begin in the lines `at:` of a note, in the order of the note.

    Without such ideas, return "".
    """
    lines = Passage.read(keys["at"], "this fence")
    items = []
    for name, passage, idea in ideas_within(project, page, lines):
        english, in_chinese = idea.sentences(passage)
        corrections = _corrections(project, page, lines, idea)
        links = _teaching_links(project, page, idea)
        item = {"id": name, "english": english, "chinese": in_chinese, "lines": passage.line_phrase}
        items.append({**item, **links, "corrections": corrections})
    count = sum(len(item["corrections"]) for item in items)
    tiers = {"tiers": erratum.TIERS, "chinese_tiers": chinese.TIERS}
    return render("ideas", items=items, correction_count=count, **tiers) if items else Markup()


def ideas_within(project: Project, page: Page, lines: Passage) -> Iterator[tuple[str, Passage, Idea]]:
    """Yield (HTML id, passage, idea) for each passage that begins in `lines`, in the order of the note."""
    inventory = load_ideas(project.docs / INVENTORY)
    matches = [
        (passage, idea)
        for idea in inventory
        for passage in idea.at
        if passage.note == lines.note and lines.first <= passage.first <= lines.last
    ]
    for passage, idea in sorted(matches, key=lambda pair: pair[0]):
        yield page.id_for(f"idea-{idea.id}"), passage, idea


def _teaching_links(project: Project, page: Page, idea: Idea) -> dict[str, Any]:
    """Return where an idea is taught: `section`, a link, and `example`, a link or None if there is no example.

    `page_title` is the title of the section's page, or None if the section has the same title.

    Raises:
        FenceError: no page teaches the idea, or its entry in docs/inventory.yml names a missing section.
    """
    section, example = project.memoize(("section of idea", idea), partial(locate_idea, project, idea))
    if section is None:
        raise FenceError(f"{idea.source}: no page teaches {idea.id}", "add the id to `covers` of a snippet or a page")
    page_path, heading_id, title = section
    target = link(address(page_path), page.path) + (f"#{heading_id}" if heading_id else "")
    page_title = project.title(page_path)
    return {
        "section": Link(target, title),
        "page_title": page_title if title != page_title else None,
        "example": snippet_link(project, example, page.path) if example else None,
    }


def locate_idea(project: Project, idea: Idea) -> tuple[tuple[str, str, str] | None, str | None]:
    """Return the section that teaches an idea, as (page, anchor, title) or None, and an example, a snippet or None.

    The example is, if possible, in that section, else on its page, else on another page.

    Raises:
        FenceError: `section:` of the idea names a page or a section that does not exist.
    """
    examples = project.memoize("examples of ideas", lambda: _examples_by_idea(project)).get(idea.id, [])
    example = examples[0] if examples else None
    if idea.section:
        page, _, name = idea.section.partition("#")
        examples_on_page = [
            example_name for example_name in examples if project.pages_by_snippet()[example_name] == page
        ]
        examples_in_section = [
            example_name
            for example_name in examples_on_page
            if _heading_above(project, page, _fence_line(project, page, example_name))[1] == name
        ]
        example = next(iter(examples_in_section + examples_on_page), example)
        if not inputs.is_file(project.docs / page):
            raise FenceError(
                f"{idea.source}: no page {page!r} for {idea.id}", "write `section: page.md#anchor`, relative to docs/"
            )
        for _, title, heading_id in sections(project, page):
            if heading_id == name:
                return (page, name, title), example
        if name:
            raise FenceError(f"{idea.source}: no section {name!r} on {page} for {idea.id}", "use the id of a heading")
        return (page, "", project.title(page)), example
    if example:
        page = project.pages_by_snippet()[example]
        line = _fence_line(project, page, example)
        title, name = _heading_above(project, page, line)
        if fold := _fold_title(project, page, line):
            title, name = fold, anchor(example)
        return (page, name, title), example
    covering_page = project.memoize("pages of ideas", lambda: _pages_by_idea(project)).get(idea.id)
    return ((covering_page, "", project.title(covering_page)) if covering_page else None), None


def _fence_line(project: Project, page: str, example: str) -> int:
    """Return the line of the first fence on a page that embeds an example."""
    return next(f.line for f in project.fences(page) if embeds_snippet(f) and f.keys["file"] == example)


def _heading_above(project: Project, page: str, line: int) -> tuple[str, str]:
    """Return (heading, anchor) of the section that contains a line of a page; above all headings, (page title, "")."""
    above = [(title, name) for at, title, name in sections(project, page) if at < line]
    return above[-1] if above else (project.title(page), "")


def _fold_title(project: Project, page: str, line: int) -> str | None:
    """Return the title of the fold (`??? note "More: Title"`) that contains a line, without "More: ", or None."""
    above = project.text(page).splitlines()[: line - 1]
    opening = next((text for text in reversed(above) if text and not text[0].isspace()), "")
    match = _FOLD.match(opening)
    return match["title"][:1].upper() + match["title"][1:] if match else None


def sections(project: Project, page: str) -> list[tuple[int, str, str]]:
    """Return (line, text, anchor) of each heading of a page, of levels 2 to 4."""

    def load() -> list[tuple[int, str, str]]:
        text = project.text(page)
        return project.cache.get(("sections", text), lambda: _parse_headings(project, page, text))

    return project.memoize(("sections", page), load)


def _parse_headings(project: Project, page: str, text: str) -> list[tuple[int, str, str]]:
    fenced_lines = {n for fence in project.fences(page) for n in range(fence.line, fence.last_line + 1)}
    headings, used_ids = [], set[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if number not in fenced_lines and (match := _HEADING.match(line)):
            title = re.sub(r"</?\w[^>]*>|\\", "", match["name"])
            headings.append((number, title, match["id"] or unique(slugify(title.replace("`", ""), "-"), used_ids)))
    return headings


def _examples_by_idea(project: Project) -> dict[str, list[str]]:
    """Map the id of each idea to the snippets that cover it. Malformed snippets are left out.

    The order is that in which the pages, sorted by path, first embed the snippets. Those of checkpoint pages come last.
    """
    examples: dict[str, list[str]] = {}
    pages = project.pages_by_snippet()
    for name in sorted(pages, key=lambda name: pages[name].endswith("/checkpoint.md")):
        with contextlib.suppress(FenceError):  # rendering the page reports the malformed snippet
            for idea_id in project.snippet(name).manifest.covers:
                examples.setdefault(idea_id, []).append(name)
    return examples


def _pages_by_idea(project: Project) -> dict[str, str]:
    """Map the id of each idea to the first page that has the id in `covers` of its front matter."""
    pages: dict[str, str] = {}
    for page in project.pages():
        for idea_id in front_matter.read(project.docs, page).values.get("covers", ()):
            pages.setdefault(idea_id, page)
    return pages


def page_of_proof(project: Project, entry: erratum.Erratum) -> str:
    """Return the page that embeds the proof of a correction, a snippet.

    Raises:
        FenceError: the snippet is missing or malformed, or no page embeds it.
    """
    project.snippet(entry.proof)  # raises FenceError if the snippet is missing or malformed
    page = project.page_of(entry.proof)
    if page is None:
        remedy = "embed the snippet in a page"
        raise FenceError(f"{entry.source}: no page embeds the proof {entry.proof}", remedy)
    return page


def _corrections(project: Project, page: Page, passage: Passage, idea: Idea) -> list[tuple[erratum.Erratum, str]]:
    """Return (correction, its address on the page of the proof) for the corrections of an idea in the note of `passage`."""
    return [
        (entry, f"{link(address(page_of_proof(project, entry)), page.path)}#erratum-{entry.id}")
        for entry in erratum.read_errata(project)
        if idea.id in entry.corrects and any(at.note == passage.note for at in entry.at)
    ]

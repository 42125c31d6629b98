"""Read the ideas of the five notes, docs/inventory.yml, and render the `ideas` fence.

The fence lists the ideas of some lines of a note, each with a link to the section that teaches it.
"""

from __future__ import annotations

import contextlib
import html
import re
from collections.abc import Iterator
from functools import partial

from markdown.extensions.toc import slugify, unique
from snippetcheck.kinds import FenceType
from snippetcheck.pages import embeds_snippet

from gradnotes import front_matter, inputs
from gradnotes.fences.registry import renders
from gradnotes.links import address, anchor, link, link_to_snippet
from gradnotes.markup import Page, inline
from gradnotes.notes import chinese, erratum
from gradnotes.notes.inventory import INVENTORY, Idea, load_ideas
from gradnotes.notes.passage import Passage
from gradnotes.problems import FenceError
from gradnotes.project import Project

_HEADING = re.compile(r"#{2,4} +(?P<name>.*?)(?: *\{[:#]? *#?(?P<id>[\w-]+) *\})? *$")
_FOLD = re.compile(r'[?]{3}\+? \w+ "(?:More: )?(?P<title>.*)" *$')


@renders(FenceType("ideas", ("at",)))
def render_ideas(project: Project, page: Page, keys: dict[str, str]) -> str:
    """Render the ideas that begin in these lines of a note, in its order: a list, folded on a narrow screen."""
    requested = Passage.read(keys["at"], "this fence")
    items, correction_count = [], 0
    for name, passage, idea in ideas_within(project, page, requested):
        corrections = _render_corrections(project, page, requested, idea)
        correction_count += len(corrections)
        english, in_chinese = idea.sentences(passage)
        sentences = f'<p lang="zh-Hans">{inline(in_chinese)}</p>' if in_chinese else ""
        sentences += f"<p data-unsearched>{inline(english)}</p>"
        links = " · ".join([*_teaching_links(project, page, idea), passage.line_phrase])
        items.append(
            f'<li id="{html.escape(name)}">{sentences}<p class="idea-links" data-unsearched>{links}</p>{"".join(corrections)}</li>'
        )
    if not items:
        return ""
    return f'<details class="idea-fold">{_fold_summary(len(items), correction_count)}<ul class="ideas">{"".join(items)}</ul></details>'


def _fold_summary(idea_count: int, correction_count: int) -> str:
    """Render the number of ideas and corrections, in Chinese and English."""
    chinese, english = f"{idea_count} 个要点", f"{idea_count} idea{'s' * (idea_count > 1)}"
    if correction_count:
        chinese, english = (
            f"{chinese}，{correction_count} 处更正",
            f"{english}, {correction_count} correction{'s' * (correction_count > 1)}",
        )
    return f'<summary data-unsearched><span lang="zh-Hans">{chinese}</span> {english}</summary>'


def ideas_within(project: Project, page: Page, requested: Passage) -> Iterator[tuple[str, Passage, Idea]]:
    """Yield (id on the page, passage, idea) for each idea with a passage that begins in `requested`, in note order."""
    inventory = load_ideas(project.docs / INVENTORY)
    matches = [
        (passage, idea)
        for idea in inventory
        for passage in idea.at
        if passage.note == requested.note and requested.first <= passage.first <= requested.last
    ]
    for passage, idea in sorted(matches, key=lambda pair: pair[0]):
        yield page.id_for(f"idea-{idea.id}"), passage, idea


def _teaching_links(project: Project, page: Page, idea: Idea) -> list[str]:
    """Return links to the section that teaches an idea and to its first example."""
    links = []
    section, example = project.memoize(("place", idea), partial(locate_idea, project, idea))
    if section is None:
        raise FenceError(f"{idea.source}: no page teaches {idea.id}", "cover it with a snippet or a page")
    page_path, heading_id, title = section
    target = link(address(page_path), page.path) + (f"#{heading_id}" if heading_id else "")
    page_note = "" if title == project.title(page_path) else f" ({inline(project.title(page_path))})"
    links.append(f'<a href="{html.escape(target)}">{inline(title)}</a>{page_note}')
    if example:
        links.append(f"example: {link_to_snippet(project, example, page.path)}")
    return links


def locate_idea(project: Project, idea: Idea) -> tuple[tuple[str, str, str] | None, str | None]:
    """Return the section that teaches an idea, as (page, anchor, title), and the snippet nearest to it.

    Either is None if it does not exist.
    """
    examples = project.memoize("examples of ideas", lambda: _examples_by_idea(project)).get(idea.id, [])
    example = examples[0] if examples else None
    if idea.section:
        page, _, name = idea.section.partition("#")
        on_page = [example_name for example_name in examples if project.pages_by_snippet()[example_name] == page]
        in_section = [
            example_name
            for example_name in on_page
            if _heading_above(project, page, _fence_line(project, page, example_name))[1] == name
        ]
        example = next(iter(in_section + on_page), example)
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
    """Return the line of the fence that embeds an example."""
    return next(f.line for f in project.fences(page) if embeds_snippet(f) and f.keys["file"] == example)


def _heading_above(project: Project, page: str, line: int) -> tuple[str, str]:
    """Return the heading above a line of a page and its anchor, or the page's title if there is none."""
    above = [(title, name) for at, title, name in sections(project, page) if at < line]
    return above[-1] if above else (project.title(page), "")


def _fold_title(project: Project, page: str, line: int) -> str | None:
    """Return the title of the fold that contains a line of a page, without "More: ", or None."""
    above = project.text(page).splitlines()[: line - 1]
    opening = next((text for text in reversed(above) if text and not text[0].isspace()), "")
    match = _FOLD.match(opening)
    return match["title"][:1].upper() + match["title"][1:] if match else None


def sections(project: Project, page: str) -> list[tuple[int, str, str]]:
    """Return the headings of a page: line, text and anchor."""

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
    """Map each idea to the snippets that cover it, in page order, checkpoints last."""
    examples: dict[str, list[str]] = {}
    pages = project.pages_by_snippet()
    for name in sorted(pages, key=lambda name: pages[name].endswith("/checkpoint.md")):
        with contextlib.suppress(FenceError):  # rendering the page reports it
            for idea_id in project.snippet(name).manifest.covers:
                examples.setdefault(idea_id, []).append(name)
    return examples


def _pages_by_idea(project: Project) -> dict[str, str]:
    """Map each idea to the first page with it in the `covers` of its front matter."""
    pages: dict[str, str] = {}
    for page in project.pages():
        for idea_id in front_matter.read(project.docs, page).values.get("covers", ()):
            pages.setdefault(idea_id, page)
    return pages


def page_of_proof(project: Project, entry: erratum.Erratum) -> str:
    """Return the page that shows the proof of a correction.

    Raises:
        FenceError: no page does.
    """
    project.snippet(entry.proof)  # a missing snippet is reported first
    page = project.page_of(entry.proof)
    if page is None:
        remedy = "embed it with a snippet fence on the page it belongs to"
        raise FenceError(f"{entry.source}: no page shows the proof {entry.proof}", remedy)
    return page


def render_today(entry: erratum.Erratum) -> str:
    """Render the current facts, and the line to write instead."""
    return inline(entry.now) + (f" Today: <code>{html.escape(entry.instead)}</code>." if entry.instead else "")


def today_in_chinese(entry: erratum.Erratum) -> str:
    """Render what holds today, in Chinese, and what to write instead."""
    line = entry.zh.instead or entry.instead
    return inline(entry.zh.now) + (f"现在写：<code>{html.escape(line)}</code>。" if line else "")


def _render_corrections(project: Project, page: Page, passage: Passage, idea: Idea) -> list[str]:
    """Render the corrections of an idea that concern this note."""
    boxes = []
    for entry in project.errata_list():
        if idea.id in entry.corrects and any(at.note == passage.note for at in entry.at):
            target = f"{link(address(page_of_proof(project, entry)), page.path)}#erratum-{entry.id}"
            proof = f'<a href="{html.escape(target)}">'
            boxes.append(
                '<div class="idea-correction" data-unsearched>'
                f'<p lang="zh-Hans"><strong>{chinese.TIERS[entry.tier]}。</strong>{today_in_chinese(entry)}{proof}证明</a></p>'
                f"<details><summary>English</summary><p><strong>{erratum.TIERS[entry.tier]}.</strong> {render_today(entry)}"
                f" {proof}Proof</a></p></details></div>"
            )
    return boxes

"""Render the corrections of the notes (docs/notes/).

Each correction is at the end of the page with the snippet that proves it. The `errata` fence lists all corrections.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from markupsafe import Markup
from snippetcheck.fence_types import FenceType

from gradnotes import inputs, reading_order
from gradnotes.fences import ideas
from gradnotes.fences.registry import renders
from gradnotes.links import Link, link, link_language, snippet_link
from gradnotes.markup import Page
from gradnotes.notes import chinese, erratum, inventory
from gradnotes.notes.passage import NOTES
from gradnotes.project import Project
from gradnotes.templating import render


def render_page_corrections(project: Project, page: Page) -> Markup:
    """Render a fold with the corrections whose proof, a snippet, is on this page. If there are none, return ""."""
    entries = [entry for entry in erratum.read_errata(project) if project.page_of(entry.proof) == page.source]
    if not entries:
        return Markup()
    return render(
        "corrections",
        corrections=[
            (
                page.id_for(f"erratum-{entry.id}"),
                entry,
                _passage_links(project, page, entry),
                _proof(project, page, entry),
            )
            for entry in entries
        ],
        is_chinese=page.is_chinese,
        tiers=chinese.TIERS if page.is_chinese else erratum.TIERS,
    )


@renders(FenceType("errata"))
def render_errata(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render a table that counts corrections, and a fold with the corrections of each part of the course.

    The table has a row per part and a column per tier. (The tier of a correction says how serious it is.) In a fold,
    the corrections of the most serious tier come first.
    """
    order = list(erratum.TIERS)
    entries = sorted(erratum.read_errata(project), key=lambda entry: order.index(entry.tier))
    counts = Counter((entry.part, entry.tier) for entry in entries)
    parts = [
        {
            "name": name,
            "title": _part_title(project, name),
            "counts": [str(counts[name, tier]) for tier in order],
            "id": page.id_for(f"part-{name}"),
            "corrections": [
                (entry, _passage_links(project, page, entry), _proof(project, page, entry))
                for entry in entries
                if entry.part == name
            ],
        }
        for name in _sort_parts(project, {entry.part for entry in entries})
    ]
    totals = [str(sum(entry.tier == tier for entry in entries)) for tier in order]
    return render("errata", parts=parts, totals=totals, tiers=erratum.TIERS)


def _passage_links(project: Project, page: Page, entry: erratum.Erratum) -> list[Link]:
    """Return a link for each passage that `entry` corrects in a note.

    The link leads to the page of the note, and there to a corrected idea if the passage contains one.
    """
    corrected_ideas = [
        idea for idea in inventory.load_ideas(project.docs / inventory.INVENTORY) if idea.id in entry.corrects
    ]
    links = []
    for passage in entry.at:
        note = f"notes/{NOTES[passage.note]}.html"
        target = link(note, page.path)
        idea = next(
            (candidate for candidate in corrected_ideas if any(passage.overlaps(at) for at in candidate.at)), None
        )
        target += f"#idea-{idea.id}" if idea else ""
        links.append(Link(target, str(passage).capitalize(), link_language(note, page.path)))
    return links


def _proof(project: Project, page: Page, entry: erratum.Erratum) -> Link:
    """Return a link to the snippet that proves a correction. Raise FenceError if no page embeds the snippet."""
    ideas.page_of_proof(project, entry)
    return snippet_link(project, entry.proof, page.path)


def _part_title(project: Project, part: str) -> str:
    """Return the title in the index.md of a part. Without index.md, return its name as words, such as "In place"."""
    index = f"{part}/index.md"
    has_index = inputs.is_file(project.docs / index)
    return project.title(index) if has_index else part.replace("-", " ").capitalize()


def _sort_parts(project: Project, parts: Iterable[str]) -> list[str]:
    """Return parts in the order of docs/index.md. Parts that it does not list come last, by name."""
    order = reading_order.parts(project.docs)
    return sorted(parts, key=lambda part: (order.index(part) if part in order else len(order), part))

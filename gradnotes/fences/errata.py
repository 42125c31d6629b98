"""Render the corrections of the notes: folded at the end of the page that proves them, and all in one list."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable

from snippetcheck.kinds import FenceType

from gradnotes import inputs, reading_order
from gradnotes.fences import ideas
from gradnotes.fences.registry import renders
from gradnotes.links import link, link_to_snippet
from gradnotes.markup import Page, fold, inline, table
from gradnotes.notes import chinese, erratum, inventory
from gradnotes.notes.passage import NOTES
from gradnotes.project import Project
from gradnotes.words import say


def render_page_corrections(project: Project, page: Page) -> str:
    """Render a fold with the corrections that this page proves, or nothing."""
    entries = [entry for entry in project.errata_list() if project.page_of(entry.proof) == page.source]
    if not entries:
        return ""
    summary = say(
        "For readers of the notes: 1 correction", "For readers of the notes: {count} corrections", count=len(entries)
    )
    boxes = "".join(_render_box(project, page, entry) for entry in entries)
    return f'<details class="corrections" data-unsearched><summary>{summary}</summary>{boxes}</details>'


def _render_box(project: Project, page: Page, entry: erratum.Erratum) -> str:
    """Render one correction."""
    at = _passage_links(project, page, entry)
    name = html.escape(page.id_for(f"erratum-{entry.id}"))
    claim, today = inline(entry.zh.note), ideas.today_in_chinese(entry)
    tier = chinese.TIERS[entry.tier] if page.is_chinese else erratum.TIERS[entry.tier]
    if not page.is_chinese:
        claim, today = inline(entry.note) + _in_chinese(claim), ideas.render_today(entry) + _in_chinese(today)
    proof = say("Proof: {link}", link=_proof_link(project, page, entry))
    return (
        f'<div class="erratum" role="note" id="{name}" aria-label="{tier}">'
        f'<p class="erratum-kind">{tier}</p><dl>'
        f"<div><dt>{at}</dt><dd>{claim}</dd></div>"
        f"<div><dt>PyTorch 2.13</dt><dd>{today}</dd></div></dl>"
        f'<p class="erratum-proof">{proof}</p></div>'
    )


@renders(FenceType("errata"))
def render_errata(project: Project, page: Page, keys: dict[str, str]) -> str:
    """Render all corrections, folded part by part with the count of each tier, the most serious first."""
    order = list(erratum.TIERS)
    entries = sorted(project.errata_list(), key=lambda entry: order.index(entry.tier))
    parts = _in_reading_order(project, {entry.part for entry in entries})
    folds = []
    for name in parts:
        part_entries = [entry for entry in entries if entry.part == name]
        rows = [
            (
                erratum.TIERS[entry.tier],
                f"{inline(entry.note)} ({_passage_links(project, page, entry)}){_in_chinese(inline(entry.zh.note))}",
                ideas.render_today(entry) + _in_chinese(ideas.today_in_chinese(entry)),
                _proof_link(project, page, entry),
            )
            for entry in part_entries
        ]
        heads = ("What happens", "The notes say", "PyTorch 2.13", "Proof")
        table_html = table(heads, rows, None, [entry.id for entry in part_entries])
        folds.append(
            fold(f"{inline(_part_title(project, name))}: {len(part_entries)}", table_html, page.id_for(f"part-{name}"))
        )
    ask = "Show those with these words"
    return f'{_count_table(project, entries, parts)}<div data-filter="{ask}" data-choices="What happens">{"".join(folds)}</div>'


def _count_table(project: Project, entries: list[erratum.Erratum], parts: list[str]) -> str:
    """Render the number of corrections of each tier in each part; a part links to its table."""
    counted = Counter((entry.part, entry.tier) for entry in entries)
    rows = [
        (
            f'<a href="#part-{name}">{inline(_part_title(project, name))}</a>',
            *[str(counted[name, tier]) for tier in erratum.TIERS],
        )
        for name in parts
    ]
    rows.append(("All", *[str(sum(counted[name, tier] for name in parts)) for tier in erratum.TIERS]))
    return table(("Part", *erratum.TIERS.values()), rows, None, style="counts")


def _in_chinese(text: str) -> str:
    """Return the HTML of a Chinese text that follows its English."""
    return f'<span class="in-chinese" lang="zh-Hans" data-unsearched>{text}</span>'


def _passage_links(project: Project, page: Page, entry: erratum.Erratum) -> str:
    """Render the passages of a correction, each as a link to the mirror of its note."""
    corrected = [idea for idea in inventory.load_ideas(project.docs / inventory.INVENTORY) if idea.id in entry.corrects]
    links = []
    for passage in entry.at:
        target = link(f"notes/{NOTES[passage.note]}.html", page.path)
        idea = next((candidate for candidate in corrected if any(passage.overlaps(at) for at in candidate.at)), None)
        target += f"#idea-{idea.id}" if idea else ""
        links.append(f'<a href="{html.escape(target)}">{str(passage).capitalize()}</a>')
    return ", ".join(links)


def _proof_link(project: Project, page: Page, entry: erratum.Erratum) -> str:
    """Render a link to the proof; raise FenceError if no page shows it."""
    ideas.page_of_proof(project, entry)
    return link_to_snippet(project, entry.proof, page.path)


def _part_title(project: Project, part: str) -> str:
    """Return the title of a part, from the index.md of its folder if there is one."""
    index = f"{part}/index.md"
    has_index = inputs.is_file(project.docs / index)
    return project.title(index) if has_index else part.replace("-", " ").capitalize()


def _in_reading_order(project: Project, parts: Iterable[str]) -> list[str]:
    """Sort parts in the order of docs/index.md; unlisted ones follow, by name."""
    order = reading_order.parts(project.docs)
    return sorted(parts, key=lambda part: (order.index(part) if part in order else len(order), part))

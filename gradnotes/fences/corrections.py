"""What no longer holds of the notes: folded at the end of the page that proves it, and all of it in one list."""

from __future__ import annotations

import html
from collections import Counter

from snippetcheck.kinds import Kind

from gradnotes.fences import errata, notes
from gradnotes.fences.kinds import shows
from gradnotes.fences.markup import Page, folded, inline, table
from gradnotes.fences.passages import NOTES
from gradnotes.fences.project import Project, link


def of_page(project: Project, page: Page) -> str:
    """A fold with the corrections whose proof this page shows; nothing if it has none."""
    found = [entry for entry in project.errata_list() if project.page_of(entry.proof) == page.path]
    if not found:
        return ""
    many = f"{len(found)} correction{'s' * (len(found) > 1)}"
    boxes = "".join(_box(project, page, entry) for entry in found)
    return f'<details class="corrections" data-unsearched><summary>For readers of the notes: {many}</summary>{boxes}</details>'


def _box(project: Project, page: Page, entry: errata.Erratum) -> str:
    at = _at(project, page, entry)
    name = html.escape(page.id_for(f"erratum-{entry.id}"))
    return (
        f'<div class="erratum" role="note" id="{name}" aria-label="{errata.TIERS[entry.tier]}">'
        f'<p class="erratum-kind">{errata.TIERS[entry.tier]}</p><dl>'
        f"<div><dt>{at}</dt><dd>{inline(entry.note)}{_in_chinese(inline(entry.zh.note))}</dd></div>"
        f"<div><dt>PyTorch 2.13</dt><dd>{notes.today(entry)}{_in_chinese(notes.today_in_chinese(entry))}</dd></div></dl>"
        f'<p class="erratum-proof">Proof: {_proof(project, page, entry)}</p></div>'
    )


@shows(Kind("errata"))
def errata_table(project: Project, page: Page, keys: dict[str, str]) -> str:
    """All corrections, folded part by part, with how many of each tier a part has; the gravest come first."""
    order = list(errata.TIERS)
    entries = sorted(project.errata_list(), key=lambda entry: order.index(entry.tier))
    parts = project.in_reading_order({entry.part for entry in entries})
    folds = []
    for name in parts:
        shown = [entry for entry in entries if entry.part == name]
        rows = [
            (
                errata.TIERS[entry.tier],
                f"{inline(entry.note)} ({_at(project, page, entry)}){_in_chinese(inline(entry.zh.note))}",
                notes.today(entry) + _in_chinese(notes.today_in_chinese(entry)),
                _proof(project, page, entry),
            )
            for entry in shown
        ]
        heads = ("What happens", "The notes say", "PyTorch 2.13", "Proof")
        listed = table(heads, rows, None, [entry.id for entry in shown])
        folds.append(folded(f"{inline(project.part_title(name))}: {len(shown)}", listed, page.id_for(f"part-{name}")))
    ask = "Show those with these words"
    return f'{_counts(project, entries, parts)}<div data-filter="{ask}" data-choices>{"".join(folds)}</div>'


def _counts(project: Project, entries: list[errata.Erratum], parts: list[str]) -> str:
    """How many corrections of each tier each part has; a part leads to its table."""
    counted = Counter((entry.part, entry.tier) for entry in entries)
    rows = [
        (
            f'<a href="#part-{name}">{inline(project.part_title(name))}</a>',
            *[str(counted[name, tier]) for tier in errata.TIERS],
        )
        for name in parts
    ]
    rows.append(("All", *[str(sum(counted[name, tier] for name in parts)) for tier in errata.TIERS]))
    return table(("Part", *errata.TIERS.values()), rows, None, style="counts")


def _in_chinese(text: str) -> str:
    """HTML below its English."""
    return f'<span class="in-chinese" lang="zh-Hans" data-unsearched>{text}</span>'


def _at(project: Project, page: Page, entry: errata.Erratum) -> str:
    """The passages, each as a link to what the mirror of its note has of it."""
    corrected = [idea for idea in notes.ideas(project.docs / notes.FILE) if idea.id in entry.corrects]
    found = []
    for passage in entry.at:
        target = link(f"notes/{NOTES[passage.note]}.html", page.path)
        idea = next((one for one in corrected if any(passage.meets(p) for p in one.at)), None)
        target += f"#idea-{idea.id}" if idea else ""
        found.append(f'<a href="{html.escape(target)}">{str(passage).capitalize()}</a>')
    return ", ".join(found)


def _proof(project: Project, page: Page, entry: errata.Erratum) -> str:
    """A link to where the proof stands; an error if no page shows it."""
    notes.page_of_proof(project, entry)
    return project.example(entry.proof, page.path)

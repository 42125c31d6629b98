"""The fences that show what no longer holds of the notes: one claim beside the text, or all of them."""

from __future__ import annotations

import html
from collections import Counter

from snippetcheck.kinds import Kind

from gradnotes.fences import errata
from gradnotes.fences.kinds import shows
from gradnotes.fences.markup import Page, inline, table
from gradnotes.fences.problems import FenceError, close_match
from gradnotes.fences.project import Project, address, anchor, link


@shows(Kind("erratum", ("id",)))
def erratum(project: Project, page: Page, keys: dict[str, str]) -> str:
    """One claim of the notes beside what happens now, with the proof."""
    entry = project.erratum(keys["id"])
    return (
        f'<div class="erratum" role="note" id="{html.escape(page.id_for("erratum-" + entry.id))}"'
        f' aria-label="{errata.KINDS[entry.kind]}">'
        f'<p class="erratum-kind">{errata.KINDS[entry.kind]}</p><dl>'
        f"<div><dt>The notes say</dt><dd>{inline(entry.note)}</dd></div>"
        f"<div><dt>PyTorch 2.13</dt><dd>{inline(entry.now)}</dd></div></dl>"
        f'<p class="erratum-proof">Proof: {_proof(project, page, entry)}</p></div>'
    )


@shows(Kind("errata", optional=("part",)))
def errata_table(project: Project, page: Page, keys: dict[str, str]) -> str:
    """All claims, with how many of each kind a part has, or those of one part; in each part what is wrong comes first."""
    entries = list(errata.load(project.errata).values())
    order = list(errata.KINDS)
    entries.sort(key=lambda entry: order.index(entry.kind))
    parts = project.in_reading_order({entry.part for entry in entries})
    part = keys.get("part")
    if part is not None and part not in parts:
        raise FenceError(f"no part {part!r} in errata/", close_match(part, parts, f"add errata/{part}.yml"))
    shown = [part] if part else parts
    tables = []
    for name in shown:
        rows = [
            (entry.kind, inline(entry.note), inline(entry.now), _proof(project, page, entry), _ids(entry))
            for entry in entries
            if entry.part == name
        ]
        caption = None if part else project.part_title(name)
        ids = [entry.id for entry in entries if entry.part == name]
        heads = ("Kind", "The notes say", "PyTorch 2.13", "Proof", "Entry")
        tables.append(table(heads, rows, caption, ids, label=None if part else page.id_for(f"part-{name}")))
    return "".join(tables if part else [_counts(project, entries, parts), *tables])


def _counts(project: Project, entries: list[errata.Erratum], parts: list[str]) -> str:
    """How many claims of each kind each part has; a part leads to its table."""
    counted = Counter((entry.part, entry.kind) for entry in entries)
    rows = [
        (
            f'<a href="#part-{name}">{inline(project.part_title(name))}</a>',
            *[str(counted[name, kind]) for kind in errata.KINDS],
        )
        for name in parts
    ]
    rows.append(("All", *[str(sum(counted[name, kind] for name in parts)) for kind in errata.KINDS]))
    return table(("Part", *[kind.capitalize() for kind in errata.KINDS]), rows, None, style="counts")


def _ids(entry: errata.Erratum) -> str:
    """The ids of the inventory that an erratum corrects."""
    breakable = (html.escape(name).replace(".", ".<wbr>") for name in entry.corrects)
    return ", ".join(f"<code>{name}</code>" for name in breakable)


def _proof(project: Project, page: Page, entry: errata.Erratum) -> str:
    """A link to where the proof stands; an error if no page shows it."""
    proof = project.snippet(entry.proof)
    shown_on = project.page_of(entry.proof)
    if shown_on is None:
        where = f"errata/{entry.path.name}:{entry.line}"
        remedy = "embed it with a snippet fence on the page it belongs to"
        raise FenceError(f"{where}: no page shows the proof {entry.proof}", remedy)
    target = anchor(proof.name) if shown_on == page.path else f"{link(address(shown_on), page.path)}#"
    href = f"#{target}" if shown_on == page.path else target + anchor(proof.name)
    return f'<a href="{html.escape(href)}">{inline(proof.title)}</a>'

"""What each fence shows, as HTML. One function a fence; each is given the page it stands on."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from step_viewer import record, view

from snippet_fences import code, errata, evidence, glossary, modules, notes, symbols
from snippet_fences.book import Book, address, anchor, link
from snippet_fences.problems import FenceError, close_match


@dataclass(frozen=True)
class Page:
    """The page a fence stands on, as far as a fence needs to know it."""

    path: str  # below docs/
    ids: set[str]  # ids given on it so far

    def id_for(self, name: str) -> str:
        """`name`, or `name-2` and so on if the page has it already."""
        chosen, number = name, 1
        while chosen in self.ids:
            number += 1
            chosen = f"{name}-{number}"
        self.ids.add(chosen)
        return chosen


def inline(text: str) -> str:
    """Text with `code` in it, as HTML."""
    parts = re.split(r"`([^`]+)`", text)
    marked = [f"<code>{html.escape(p)}</code>" if i % 2 else html.escape(p) for i, p in enumerate(parts)]
    return "".join(marked)


def snippet(book: Book, page: Page, keys: dict[str, str]) -> str:
    """A snippet, or a region of it: title, program, what it prints, and when it last ran."""
    one = book.snippet(keys["file"])
    region = keys.get("region")
    if region is not None and region not in one.regions:
        remedy = close_match(region, one.regions, f"write `# region: {region}` in {one.name}")
        raise FenceError(f"no region {region!r} in {one.name}", remedy)
    head = one.manifest.last_line or one.title_last_line
    first, last = one.regions[region] if region else (head + 1, len(one.lines))
    ran = evidence.line(one, evidence.records(book.root))
    runs_here = "reference_impl" in one.manifest.engines and not one.manifest.needs
    goes_on = bool(region) and anchor(one.name) in page.ids  # the page has shown another part of it already
    title = f"The same program: {region}" if goes_on else one.title
    attributes = {
        "id": page.id_for(anchor(one.name) + (f"-{region}" if goes_on else "")),
        "data-file": one.name,
        "data-source": one.text,
        "data-part": f"{first}-{last}" if region else None,
        "data-runs": "here" if runs_here else None,
    }
    address_of_file = html.escape(link(f"snippets/{one.name}", page.path))
    name = one.name.rpartition("/")[2]
    part = " (a part of it; the copy is the whole program)" if region else ""
    return (
        f'<figure class="snippet"{_attributes(attributes)}>'
        f'<figcaption><span class="snippet-title">{inline(title)}</span>'
        f'<span class="snippet-tools">{_button("run", title) if runs_here else ""}{_button("copy", title)}'
        f'<a href="{address_of_file}" download="{html.escape(name)}"'
        f' title="Download {html.escape(name)}">.py</a></span></figcaption>'
        f"{code.snippet_block(one, first, last, book.kept)}"
        f'<p class="ran ran-{ran.state}"><span>{inline(ran.text)}{part}</span></p></figure>'
    )


def _button(name: str, title: str) -> str:
    """A button that assets/site.js brings to life; without JavaScript it is not shown."""
    label = html.escape(f"{name.capitalize()}: {title.replace('`', '')}")
    return f'<button type="button" data-{name} aria-label="{label}">{name.capitalize()}</button>'


def engine(book: Book, page: Page, keys: dict[str, str]) -> str:
    """The source of a symbol of the engine, with its file and lines."""
    found = symbols.find(keys["symbol"], book.root)
    where = found.path.relative_to(book.root).as_posix()
    title = found.symbol.removeprefix("reference_impl.")
    attributes = {"id": page.id_for("engine-" + title.replace(".", "-").replace("_", "-"))}
    href = book.source_link(found.symbol, page.path)
    place = f"{html.escape(where)}:{found.first}"
    shown = f'<a href="{html.escape(href)}">{place}</a>' if href else f"<span>{place}</span>"
    return (
        f'<figure class="engine-source"{_attributes(attributes)}>'
        f'<figcaption><span class="snippet-title"><code>{html.escape(title)}</code></span>'
        f'<span class="snippet-tools">{_button("copy", title)}{shown}</span>'
        f"</figcaption>{code.block(found.text, 'python', book.kept)}</figure>"
    )


def illustrative(book: Book, source: str, language: str, reason: str) -> str:
    """A block that is not run, labelled as such; of plain text, such as a formula, nobody expects it."""
    return (
        f'<figure class="illustrative"><figcaption>{"" if language == "text" else "Not run: "}{inline(reason)}</figcaption>'
        f"{code.block(source, language, book.kept)}</figure>"
    )


def erratum(book: Book, page: Page, keys: dict[str, str]) -> str:
    """One claim of the notes beside what happens now, with the proof."""
    entry = book.erratum(keys["id"])
    return (
        f'<div class="erratum" role="note" id="{html.escape(page.id_for("erratum-" + entry.id))}"'
        f' aria-label="{errata.KINDS[entry.kind]}">'
        f'<p class="erratum-kind">{errata.KINDS[entry.kind]}</p><dl>'
        f"<div><dt>The notes say</dt><dd>{inline(entry.note)}</dd></div>"
        f"<div><dt>PyTorch 2.13</dt><dd>{inline(entry.now)}</dd></div></dl>"
        f'<p class="erratum-proof">Proof: {_proof(book, page, entry)}</p></div>'
    )


def errata_table(book: Book, page: Page, keys: dict[str, str]) -> str:
    """All claims, or those of one part, in reading order; in each part what is wrong comes first."""
    entries = list(errata.load(book.errata).values())
    order = list(errata.KINDS)
    entries.sort(key=lambda entry: order.index(entry.kind))
    parts = book.in_reading_order({entry.part for entry in entries})
    part = keys.get("part")
    if part is not None and part not in parts:
        raise FenceError(f"no part {part!r} in errata/", close_match(part, parts, f"add errata/{part}.yml"))
    shown = [part] if part else parts
    tables = []
    for name in shown:
        rows = [
            (entry.kind, inline(entry.note), inline(entry.now), _proof(book, page, entry), _ids(entry))
            for entry in entries
            if entry.part == name
        ]
        caption = None if part else book.part_title(name)
        ids = [entry.id for entry in entries if entry.part == name]
        tables.append(_table(("Kind", "The notes say", "PyTorch 2.13", "Proof", "Entry"), rows, caption, ids))
    return "".join(tables)


def _ids(entry: errata.Erratum) -> str:
    """The ids of the inventory that an erratum corrects."""
    breakable = (html.escape(name).replace(".", ".<wbr>") for name in entry.corrects)
    return ", ".join(f"<code>{name}</code>" for name in breakable)


def notes_list(book: Book, page: Page, keys: dict[str, str]) -> str:
    """The headings of one note, in order, each with the pages that teach what stands under it.

    A page that teaches half of it or more comes first, the list of references last."""
    covered = notes.pages_of(book)
    out: list[str] = []
    depth = -1
    for heading in notes.headings(keys["note"], book.docs):
        step = min(heading.depth, depth + 1)
        out.append("<ul>" if step > depth else "</li>" + "</ul></li>" * (depth - step))
        depth = step
        found = Counter(place for name in heading.ids for place in covered.get(name, ()))
        most = {place for place, count in found.items() if 2 * count >= len(heading.ids)}
        where = [place for place in found if place != page.path]
        where.sort(key=lambda place: (place == "references.md", place not in most))
        links = ", ".join(
            f'<a href="{html.escape(link(address(place), page.path))}">{html.escape(book.title(place))}</a>'
            for place in where
        )
        links = links or ("see above" if found else "")
        out.append(f"<li>{html.escape(heading.name)}{': ' + links if links else ''}")
    return f'<div class="notes-map">{"".join(out)}{"</li></ul>" * (depth + 1)}</div>'


def _proof(book: Book, page: Page, entry: errata.Erratum) -> str:
    """A link to where the proof stands; an error if no page shows it."""
    proof = book.snippet(entry.proof)
    shown_on = book.page_of(entry.proof)
    if shown_on is None:
        where = f"errata/{entry.path.name}:{entry.line}"
        remedy = "embed it with a snippet fence on the page it belongs to"
        raise FenceError(f"{where}: no page shows the proof {entry.proof}", remedy)
    target = anchor(proof.name) if shown_on == page.path else f"{link(address(shown_on), page.path)}#"
    href = f"#{target}" if shown_on == page.path else target + anchor(proof.name)
    return f'<a href="{html.escape(href)}">{inline(proof.title)}</a>'


def steps(book: Book, page: Page, keys: dict[str, str]) -> str:
    """The backward pass of a snippet, drawn, with its steps."""
    one = book.snippet(keys["file"])
    if "reference_impl" not in one.manifest.engines:
        remedy = "name a snippet that runs on reference_impl: its engine makes the record"
        raise FenceError(f"{one.name} has no recorded pass", remedy)
    try:
        recorded = record.passes(book.snippets / one.name, book.root)
    except record.RecordError as error:
        raise FenceError(f"{one.name} could not be recorded: {error}", "run it on reference_impl") from None
    wanted = keys.get("call", "1")
    if not wanted.isdigit() or not 1 <= int(wanted) <= len(recorded):
        remedy = f"give `call:` a number from 1 to {len(recorded)}" if recorded else "let it call backward"
        raise FenceError(f"{one.name} has no backward pass {wanted}", remedy)
    trace = recorded[int(wanted) - 1]
    identifier = page.id_for("steps-" + anchor(one.name).removeprefix("snippet-"))
    caption = f"Step through line {trace['line']}: {one.lines[trace['line'] - 1].strip()}"
    return view.figure(trace, identifier, caption, lambda symbol: book.source_link(symbol, page.path))


def glossary_list(book: Book, page: Page, keys: dict[str, str]) -> str:
    """All terms with their definitions."""
    terms = glossary.read(book.docs / "glossary.yml").terms
    rows = sorted(terms.items(), key=lambda item: item[0].lower())
    out = [f"<div><dt>{html.escape(term)}</dt><dd>{inline(text)}</dd></div>" for term, text in rows]
    return f'<dl class="glossary">{"".join(out)}</dl>'


def errors(book: Book, page: Page, keys: dict[str, str]) -> str:
    """Every error and warning that a snippet shows, each with the example that shows it."""
    rows: dict[str, tuple[str, str]] = {}
    for name, shown_on in book.shown().items():
        try:
            one = book.snippet(name)
        except FenceError:
            continue  # the page that shows it says what is wrong
        href = html.escape(f"{link(address(shown_on), page.path)}#{anchor(name)}")
        example = f'<a href="{href}">{inline(one.title)}</a>'
        for statement in one.statements:
            raised = [(e.type, e.message) for e in (statement.error,) if e]
            for kind, message in raised + [(w.category, w.message) for w in statement.warnings]:
                text = f"{kind}: {message}" if message else kind
                rows.setdefault(text, (f"<code>{html.escape(text)}</code>", example))
    ordered = [rows[text] for text in sorted(rows, key=str.lower)]
    return _table(("Message", "Example"), ordered, None)


def module(book: Book, page: Page, keys: dict[str, str]) -> str:
    """A module of the engine: each definition with its text beside its code."""
    path = book.root / keys["file"]
    if not path.is_file():
        raise FenceError(f"no module {keys['file']!r}", "name a file of the engine, from the project's folder")
    source = path.read_text(encoding="utf-8")
    defined = set(re.findall(r"def (\w+)\(", source))
    taught = {name: where for name, where in book.taught().items() if name in defined}
    titles = json.dumps({name: book.title(where) for name, where in taught.items()}, sort_keys=True)
    pages = json.dumps(taught, sort_keys=True)
    decided_by = ("module", page.path, source, book.engine_names(), pages, titles)
    return book.kept.get(decided_by, lambda: _module(book, page, path, taught))


def _module(book: Book, page: Page, path: Path, taught: dict[str, str]) -> str:
    name = modules.module_name(path, book.root)
    text, parts = modules.parts(path)
    known = modules.names(path, book.root)
    out = [f'<div class="module"><div class="module-intro">{modules.prose(text)}</div>']
    for part in parts:
        label = f' id="{page.id_for(part.name)}"' if part.name else ""
        heading = f"<h2{label}><code>{html.escape(part.name)}</code></h2>" if part.name else ""
        where = taught.get(part.name) if part.kind == "def" and ".ops." in name else None
        shown = ""
        if where:
            href = html.escape(link(address(where), page.path))
            shown = f'<p class="taught">Taught in <a href="{href}">{html.escape(book.title(where))}</a></p>'
        code_of = modules.linked(part, known, name, lambda symbol: book.source_link(symbol, page.path))
        out.append(
            f'<section><div class="module-text">{heading}{modules.prose(part.text) if part.text else ""}{shown}</div>'
            f'<div class="module-code" data-unsearched><pre tabindex="0"><code>{code_of}</code></pre></div></section>'
        )
    return "".join([*out, "</div>"])


LONG = 60  # rows; a longer table of evidence is folded, so that what comes after it is found


def evidence_table(book: Book, page: Page, keys: dict[str, str]) -> str:
    """Columns of the rows of a JSON file under docs/evidence or .cache: `columns: key as Heading, ...`.

    `where: key=value` keeps the rows that have it; `missing: text` is shown where the file is not
    there yet. A long table is folded, with the number of its rows and of what is true in them. The file `runs` is what the records of the snippets add up to.
    """
    data: Any
    if keys["file"] == "runs":
        data = evidence.summary(book.root, map(book.snippet, sorted(book.shown())))
    else:
        path = next((f / keys["file"] for f in book.evidence if (f / keys["file"]).is_file()), None)
        if path is None and "missing" in keys:
            return f'<p class="no-evidence">{inline(keys["missing"])}</p>'
        if path is None:
            names = [p.name for folder in book.evidence for p in folder.glob("*.json")]
            remedy = close_match(keys["file"], names, "run what writes it, or say what is `missing:`")
            raise FenceError(f"no evidence file {keys['file']!r}", remedy)
        data = json.loads(path.read_text(encoding="utf-8"))
    for step in filter(None, keys.get("rows", "").split(".")):
        if not isinstance(data, dict) or step not in data:
            steps_there = list(data) if isinstance(data, dict) else []
            raise FenceError(f"no {step!r} in {keys['file']}", close_match(step, steps_there, "see the file"))
        data = data[step]
    rows = _records(data, keys["file"])
    columns = [tuple(part.strip() for part in c.split(" as ", 1)) for c in keys["columns"].split(",")]
    known = {key for row in rows for key in row}
    wanted, _, value = (part.strip() for part in keys.get("where", "").partition("="))
    for name in [column[0] for column in columns] + ([wanted] if wanted else []):
        if rows and name not in known:
            raise FenceError(f"no column {name!r}", close_match(name, known, "see the file"))
    if wanted:
        rows = [row for row in rows if _cell(row.get(wanted)) == value]
    body = [tuple(_cell(row.get(column[0])) for column in columns) for row in rows]
    table = _table([column[-1] for column in columns], body, keys.get("caption"))
    if len(rows) <= LONG:
        return table
    verdicts = [(c[-1], [row.get(c[0]) for row in rows]) for c in columns]
    counts = "".join(
        f"; {inline(head)}: {sum(values)}" for head, values in verdicts if all(isinstance(v, bool) for v in values)
    )
    return f'<details class="long-table"><summary>All {len(rows)} rows{counts}</summary>{table}</details>'


def _records(data: Any, name: str) -> list[dict[str, Any]]:
    """A list of records as it is; a mapping of records as a list, its key in the column `name`."""
    if isinstance(data, dict):
        pairs = data.items()
        return [{"name": key, **(v if isinstance(v, dict) else {"value": v})} for key, v in pairs]
    if isinstance(data, list) and all(isinstance(row, dict) for row in data):
        return data
    raise FenceError(f"the rows of {name} are no records", "give `rows:` the path to a list of records")


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return html.escape(f"{value:.4g}")
    if isinstance(value, dict):
        return inline("; ".join(f"{key}: {entry}" for key, entry in value.items()))
    if isinstance(value, list):
        return inline(", ".join(map(str, value)))
    return inline(str(value))


def _table(heads: Iterable[str], rows: Iterable[tuple[str, ...]], caption: str | None, ids: Iterable[str] = ()) -> str:
    """A table whose cells know their column, so that a narrow screen can stack them."""
    heads, ids = list(heads), list(ids)
    kind = "stacking wide" if len(heads) > 4 else "stacking"
    out = [f'<div class="table-frame" tabindex="0"><table class="{kind}">']
    if caption:
        out.append(f"<caption>{inline(caption)}</caption>")
    out.append("<thead><tr>" + "".join(f'<th scope="col">{inline(h)}</th>' for h in heads) + "</tr></thead>")
    out.append("<tbody>")
    for number, row in enumerate(rows):
        label = f' id="row-{html.escape(ids[number])}"' if ids else ""
        cells = (f'<td data-head="{html.escape(h)}">{c}</td>' for h, c in zip(heads, row, strict=True))
        out.append(f"<tr{label}>{''.join(cells)}</tr>")
    out.append("</tbody></table></div>")
    return "".join(out)


def _attributes(values: Mapping[str, str | None]) -> str:
    pairs = ((name, value) for name, value in values.items() if value is not None)
    return "".join(f' {n}="{html.escape(v).replace(chr(10), "&#10;")}"' for n, v in pairs)


FIGURES: dict[str, Callable[[Book, Page, dict[str, str]], str]] = {
    "snippet": snippet,
    "engine": engine,
    "erratum": erratum,
    "errata": errata_table,
    "notes": notes_list,
    "evidence": evidence_table,
    "steps": steps,
    "module": module,
    "errors": errors,
    "glossary": glossary_list,
}

"""What each fence shows, as HTML. One function a fence; each is given the page it stands on."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

from snippetcheck.kinds import SNIPPET, Kind
from snippetcheck.shown import span
from snippetcheck.snippet import Snippet

from gradnotes import inputs
from gradnotes.fences import code, glossary, modules, recorded, symbols, verdicts
from gradnotes.fences.kinds import shows
from gradnotes.fences.markup import Page, as_attributes, inline
from gradnotes.fences.problems import FenceError, close_match
from gradnotes.fences.project import Project, address, anchor, link
from gradnotes.steps import editing, view


def runs_in_the_page(one: Snippet) -> bool:
    """Whether the example has a Run button: the browser has the engine, and nothing that a manifest can ask for."""
    return "reference_impl" in one.manifest.engines and not one.manifest.needs


@shows(SNIPPET)
def snippet(project: Project, page: Page, keys: dict[str, str]) -> str:
    """A snippet, or a region of it: title, program, what it prints, and when it last ran."""
    return snippet_figure(project, page, keys)


def shown_lines(project: Project, keys: dict[str, str]) -> tuple[Snippet, int, int]:
    """The snippet of a fence, and the first and the last of its lines that are shown. Raises FenceError."""
    one = project.snippet(keys["file"])
    region = keys.get("region")
    if region is not None and region not in one.regions:
        remedy = close_match(region, one.regions, f"write `# region: {region}` in {one.name}")
        raise FenceError(f"no region {region!r} in {one.name}", remedy)
    return (one, *span(one, region))


def snippet_figure(
    project: Project,
    page: Page,
    keys: dict[str, str],
    covered: tuple[range, ...] = (),
    asked: str = "",
    practice: str = "",
) -> str:
    """The figure of a snippet; with `covered` lines and what is `asked` of them it is a prediction that is remembered as `practice`."""
    one, first, last = shown_lines(project, keys)
    region = keys.get("region")
    ran = verdicts.line(one, verdicts.records(project.root), project.made_with())
    runs_here = runs_in_the_page(one)
    goes_on = bool(region) and anchor(one.name) in page.ids  # the page has shown another part of it already
    title = f"The same program: {region}" if goes_on else one.title
    attributes = {
        "id": page.id_for(anchor(one.name) + (f"-{region}" if goes_on else "")),
        "data-file": one.name,
        "data-source": one.text,
        "data-part": f"{first}-{last}" if region else None,
        "data-omitted": _ranges(editing.left_out(one)),
        "data-runs": "here" if runs_here else None,
        "data-practice": practice or None,
    }
    address_of_file = html.escape(link(f"snippets/{one.name}", page.path))
    name = one.name.rpartition("/")[2]
    label = '<span class="predict-label">Predict</span>' if asked else ""
    part = " (a part of it; the copy is the whole program)" if region else ""
    return (
        f'<figure class="snippet{" predict" if asked else ""}"{as_attributes(attributes)}>'
        f'<figcaption>{label}<span class="snippet-title">{inline(title)}</span>'
        f'<span class="snippet-tools">{_button("run", title) if runs_here else ""}{_button("copy", title)}'
        f'<a href="{address_of_file}" download="{html.escape(name)}"'
        f' title="Download {html.escape(name)}">.py</a></span></figcaption>'
        f"{code.snippet_block(one, first, last, project.cache, covered)}{asked}"
        f"{_status(ran, part)}</figure>"
    )


def _status(ran: verdicts.Line, part: str) -> str:
    """Return the status under a snippet: a tick that opens to its words, or the words at once where something is wrong."""
    words = f"<span>{inline(ran.text)}{part}</span>"
    if ran.state == "passed":
        return f'<details class="ran ran-passed"><summary>Checked</summary>{words}</details>'
    return f'<p class="ran ran-{ran.state}">{words}</p>'


def _ranges(numbers: list[int]) -> str:
    """Numbers in rising order as "1-4 7"."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][-1] == number - 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    return " ".join("-".join(map(str, part)) for part in parts)


def _button(name: str, title: str) -> str:
    """A button that assets/site.js brings to life; without JavaScript it is not shown."""
    label = html.escape(f"{name.capitalize()}: {title.replace('`', '')}")
    return f'<button type="button" data-{name} aria-label="{label}">{name.capitalize()}</button>'


@shows(Kind("engine", ("symbol",)))
def engine(project: Project, page: Page, keys: dict[str, str]) -> str:
    """The source of a symbol of the engine, with its file and lines."""
    found = symbols.find(keys["symbol"], project.root)
    where = found.path.relative_to(project.root).as_posix()
    title = found.symbol.removeprefix("reference_impl.")
    attributes = {"id": page.id_for("engine-" + title.replace(".", "-").replace("_", "-"))}
    href = project.source_link(found.symbol, page.path)
    place = f"{html.escape(where)}:{found.first}"
    shown = f'<a href="{html.escape(href)}">{place}</a>' if href else f"<span>{place}</span>"
    return (
        f'<figure class="engine-source"{as_attributes(attributes)}>'
        f'<figcaption><span class="snippet-title"><code>{html.escape(title)}</code></span>'
        f'<span class="snippet-tools">{_button("copy", title)}{shown}</span>'
        f"</figcaption>{code.block(found.text, 'python', project.cache)}</figure>"
    )


def illustrative(project: Project, source: str, language: str, reason: str) -> str:
    """A block that is not run, labelled as such; of plain text, such as a formula, nobody expects it."""
    return (
        f'<figure class="illustrative"><figcaption>{"" if language == "text" else "Not run: "}{inline(reason)}</figcaption>'
        f"{code.block(source, language, project.cache)}</figure>"
    )


@shows(Kind("steps", ("file",), ("call",)))
def steps(project: Project, page: Page, keys: dict[str, str]) -> str:
    """The backward pass of a snippet, drawn, with its steps."""
    one = project.snippet(keys["file"])
    passes = recorded.of_snippet(project, one)["passes"]
    wanted = keys.get("call", "1")
    if not wanted.isdigit() or not 1 <= int(wanted) <= len(passes):
        remedy = f"give `call:` a number from 1 to {len(passes)}" if passes else "let it call backward"
        raise FenceError(f"{one.name} has no backward pass {wanted}", remedy)
    identifier = page.id_for("steps-" + anchor(one.name).removeprefix("snippet-"))
    (shown,) = view.figures(
        passes, identifier, lambda symbol: project.source_link(symbol, page.path), one.name, int(wanted) - 1
    )
    return shown


@shows(Kind("glossary"))
def glossary_list(project: Project, page: Page, keys: dict[str, str]) -> str:
    """All terms with their definitions."""
    terms = glossary.read(project.docs / "glossary.yml").terms
    rows = sorted(terms.items(), key=lambda item: item[0].lower())
    out = [f"<div><dt>{html.escape(term)}</dt><dd>{inline(text)}</dd></div>" for term, text in rows]
    return f'<dl class="glossary">{"".join(out)}</dl>'


@shows(Kind("module", ("file",)))
def module(project: Project, page: Page, keys: dict[str, str]) -> str:
    """A module of the engine: each definition with its text beside its code."""
    path = project.below(project.root, keys["file"])
    if path is None:
        raise FenceError(f"no module {keys['file']!r}", "name a file of the engine, from the project's folder")
    source = inputs.read_text(path, keys["file"])
    defined = set(re.findall(r"def (\w+)\(", source))
    taught = {name: where for name, where in project.taught().items() if name in defined}
    titles = json.dumps({name: project.title(where) for name, where in taught.items()}, sort_keys=True)
    pages = json.dumps(taught, sort_keys=True)
    decided_by = ("module", page.path, source, project.engine_names(), pages, titles)
    return project.cache.get(decided_by, lambda: _module(project, page, path, source, taught))


def _module(project: Project, page: Page, path: Path, source: str, taught: dict[str, str]) -> str:
    name = modules.module_name(path, project.root)
    text, parts = modules.parts(source, path.relative_to(project.root).as_posix())
    known = modules.names(source, path, project.root)
    out = [f'<div class="module"><div class="module-intro">{modules.prose(text)}</div>']
    for part in parts:
        label = f' id="{page.id_for(part.name)}"' if part.name else ""
        heading = f"<h2{label}><code>{html.escape(part.name)}</code></h2>" if part.name else ""
        where = taught.get(part.name) if part.kind == "def" and ".ops." in name else None
        shown = ""
        if where:
            href = html.escape(link(address(where), page.path))
            shown = f'<p class="taught">Taught in <a href="{href}">{html.escape(project.title(where))}</a></p>'
        code_of = modules.linked(part, known, name, lambda symbol: project.source_link(symbol, page.path))
        out.append(
            f'<section><div class="module-text">{heading}{modules.prose(part.text) if part.text else ""}{shown}</div>'
            f'<div class="module-code" data-unsearched><pre tabindex="0"><code>{code_of}</code></pre></div></section>'
        )
    return "".join([*out, "</div>"])

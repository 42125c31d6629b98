"""Render the `snippet`, `engine`, `steps`, `glossary` and `module` fences, and illustrative blocks."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

from snippetcheck.kinds import SNIPPET, FenceType
from snippetcheck.snippet import Snippet, excerpt_span

from gradnotes import inputs
from gradnotes.fences import code, glossary, modules, recorded, symbols, verdicts
from gradnotes.fences.kinds import renders
from gradnotes.fences.markup import Page, as_attributes, inline
from gradnotes.fences.problems import FenceError, close_match
from gradnotes.fences.project import Project, address, anchor, link
from gradnotes.steps import editing, view
from gradnotes.words import say


def runs_in_the_page(snippet: Snippet) -> bool:
    """Return whether an example has a Run button: the browser has only the engine, and none of `needs`."""
    return "reference_impl" in snippet.manifest.engines and not snippet.manifest.needs


@renders(SNIPPET)
def render_snippet_fence(project: Project, page: Page, keys: dict[str, str]) -> str:
    """Render a snippet or a region of it: title, program, output and status."""
    return render_snippet(project, page, keys)


def displayed_lines(project: Project, keys: dict[str, str]) -> tuple[Snippet, int, int]:
    """Return the snippet of a fence, and the first and last line to display.

    Raises:
        FenceError: there is no such snippet or region.
    """
    snippet = project.snippet(keys["file"])
    region = keys.get("region")
    if region is not None and region not in snippet.regions:
        remedy = close_match(region, snippet.regions, f"write `# region: {region}` in {snippet.name}")
        raise FenceError(f"no region {region!r} in {snippet.name}", remedy)
    return (snippet, *excerpt_span(snippet, region))


def render_snippet(
    project: Project,
    page: Page,
    keys: dict[str, str],
    covered: tuple[range, ...] = (),
    question_html: str = "",
    practice: str = "",
) -> str:
    """Render the figure of a snippet.

    A prediction hides the lines in `covered` and adds the form `question_html`; the browser saves its answer under
    `practice`.
    """
    snippet, first, last = displayed_lines(project, keys)
    region = keys.get("region")
    status = verdicts.status_line(snippet, verdicts.load_evidence(project.root), project.made_with())
    runs_here = runs_in_the_page(snippet)
    is_continued = bool(region) and anchor(snippet.name) in page.ids  # an earlier fence displays another part of it
    title = project.snippet_title(snippet.name, page.path)
    if is_continued:
        title = say("The same program: {region}", region=region)
    attributes = {
        "id": page.id_for(anchor(snippet.name) + (f"-{region}" if is_continued else "")),
        "data-file": snippet.name,
        "data-source": snippet.text,
        "data-part": f"{first}-{last}" if region else None,
        "data-omitted": _ranges(editing.hidden_lines(snippet)),
        "data-runs": "here" if runs_here else None,
        "data-practice": practice or None,
    }
    address_of_file = html.escape(link(f"snippets/{snippet.name}", page.path))
    name = snippet.name.rpartition("/")[2]
    label = f'<span class="predict-label">{say("Predict")}</span>' if question_html else ""
    part_note = say(" (a part of it; the copy is the whole program)") if region else ""
    return (
        f'<figure class="snippet{" predict" if question_html else ""}"{as_attributes(attributes)}>'
        f'<figcaption>{label}<span class="snippet-title">{inline(title)}</span>'
        f'<span class="snippet-tools">{_button("run", title) if runs_here else ""}{_button("copy", title)}'
        f'<a href="{address_of_file}" download="{html.escape(name)}"'
        f' title="{html.escape(say("Download {name}", name=name))}">.py</a></span></figcaption>'
        f"{code.snippet_block(snippet, first, last, project.cache, covered)}{question_html}"
        f"{_status(status, part_note)}</figure>"
    )


def _status(status: verdicts.StatusLine, part: str) -> str:
    """Render the status under a snippet: a tick that opens to its text, or the text at once if something is wrong."""
    text = f"<span>{inline(status.text)}{part}</span>"
    if status.state == "passed":
        return f'<details class="ran ran-passed"><summary>{say("Checked")}</summary>{text}</details>'
    return f'<p class="ran ran-{status.state}">{text}</p>'


def _ranges(numbers: list[int]) -> str:
    """Format ascending numbers as ranges, such as "1-4 7"."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][-1] == number - 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    return " ".join("-".join(map(str, part)) for part in parts)


def _button(name: str, title: str) -> str:
    """Render a button that assets/site.js activates; without JavaScript it is hidden."""
    words = say(name.capitalize())
    label = html.escape(say("{action}: {title}", action=words, title=title.replace("`", "")))
    return f'<button type="button" data-{name} aria-label="{label}">{words}</button>'


@renders(FenceType("engine", ("symbol",)))
def render_engine(project: Project, page: Page, keys: dict[str, str]) -> str:
    """Render the source of an engine symbol, with its file and lines."""
    source = symbols.find(keys["symbol"], project.root)
    file = source.path.relative_to(project.root).as_posix()
    title = source.symbol.removeprefix("reference_impl.")
    attributes = {"id": page.id_for("engine-" + title.replace(".", "-").replace("_", "-"))}
    href = project.source_link(source.symbol, page.path)
    location = f"{html.escape(file)}:{source.first}"
    location_html = f'<a href="{html.escape(href)}">{location}</a>' if href else f"<span>{location}</span>"
    return (
        f'<figure class="engine-source"{as_attributes(attributes)}>'
        f'<figcaption><span class="snippet-title"><code>{html.escape(title)}</code></span>'
        f'<span class="snippet-tools">{_button("copy", title)}{location_html}</span>'
        f"</figcaption>{code.block(source.text, 'python', project.cache)}</figure>"
    )


def render_illustrative(project: Project, source: str, language: str, reason: str) -> str:
    """Render a block that is not run, with its reason. Plain text, such as a formula, is not labelled "Not run"."""
    return (
        f'<figure class="illustrative"><figcaption>{"" if language == "text" else say("Not run: ")}{inline(reason)}</figcaption>'
        f"{code.block(source, language, project.cache)}</figure>"
    )


@renders(FenceType("steps", ("file",), ("call",)))
def render_steps(project: Project, page: Page, keys: dict[str, str]) -> str:
    """Render the backward pass of a snippet, drawn, with its steps."""
    snippet = project.snippet(keys["file"])
    passes = recorded.load_recording(project, snippet)["passes"]
    call = keys.get("call", "1")
    if not call.isdigit() or not 1 <= int(call) <= len(passes):
        if not passes:
            raise FenceError(f"{snippet.name} has no backward pass", "name a snippet that calls backward")
        raise FenceError(
            f"`call:` must be from 1 to {len(passes)}, got {call}", f"choose a backward pass of {snippet.name}"
        )
    identifier = page.id_for("steps-" + anchor(snippet.name).removeprefix("snippet-"))
    (figure_html,) = view.figures(
        passes, identifier, lambda symbol: project.source_link(symbol, page.path), snippet.name, int(call) - 1
    )
    return figure_html


@renders(FenceType("glossary"))
def render_glossary(project: Project, page: Page, keys: dict[str, str]) -> str:
    """Render all terms with their definitions."""
    terms = glossary.read(project.docs / "glossary.yml").terms
    rows = sorted(terms.items(), key=lambda item: item[0].lower())
    out = [f"<div><dt>{html.escape(term)}</dt><dd>{inline(text)}</dd></div>" for term, text in rows]
    return f'<dl class="glossary">{"".join(out)}</dl>'


@renders(FenceType("module", ("file",)))
def render_module(project: Project, page: Page, keys: dict[str, str]) -> str:
    """Render a module of the engine: each definition with its docstring beside its code."""
    path = project.find_below(project.root, keys["file"])
    if path is None:
        raise FenceError(f"no module {keys['file']!r}", "name a file of the engine relative to the project folder")
    source = inputs.read_text(path, keys["file"])
    defined_names = set(re.findall(r"def (\w+)\(", source))
    pages = {name: page_path for name, page_path in project.pages_by_operation().items() if name in defined_names}
    titles = json.dumps({name: project.title(page_path) for name, page_path in pages.items()}, sort_keys=True)
    cache_key = (
        "module",
        page.path,
        source,
        project.engine_outline_fingerprint(),
        json.dumps(pages, sort_keys=True),
        titles,
    )
    return project.cache.get(cache_key, lambda: _render_module(project, page, path, source, pages))


def _render_module(project: Project, page: Page, path: Path, source: str, pages: dict[str, str]) -> str:
    """Render the parts of a module. `pages` maps an operation to the page about it."""
    module_name = modules.module_name(path, project.root)
    intro, parts = modules.split_module(source, path.relative_to(project.root).as_posix())
    dotted_names = modules.dotted_names_of(source, path, project.root)
    out = [f'<div class="module"><div class="module-intro">{modules.render_docstring(intro)}</div>']
    for part in parts:
        id_attribute = f' id="{page.id_for(part.name)}"' if part.name else ""
        heading = f"<h2{id_attribute}><code>{html.escape(part.name)}</code></h2>" if part.name else ""
        page_path = pages.get(part.name) if part.kind == "def" and ".ops." in module_name else None
        link_html = ""
        if page_path:
            href = html.escape(link(address(page_path), page.path))
            link_html = f'<p class="taught">Taught in <a href="{href}">{html.escape(project.title(page_path))}</a></p>'
        code_html = modules.link_code(
            part, dotted_names, module_name, lambda symbol: project.source_link(symbol, page.path)
        )
        block_html = f'<pre tabindex="0"><code>{code_html}</code></pre>'
        if part.kind == "import":
            block_html = f'<details class="module-imports"><summary>Imports</summary>{block_html}</details>'
        out.append(
            f'<section><div class="module-text">{heading}{modules.render_docstring(part.text) if part.text else ""}{link_html}</div>'
            f'<div class="module-code" data-unsearched>{block_html}</div></section>'
        )
    return "".join([*out, "</div>"])

"""Render a snippet: its code, its output, and the line that says where it ran."""

from __future__ import annotations

import html

from snippetcheck.kinds import SNIPPET
from snippetcheck.snippet import Snippet, excerpt_span

from gradnotes.browser import edited_program
from gradnotes.evidence import run_status
from gradnotes.fences import highlight
from gradnotes.fences.registry import renders
from gradnotes.links import anchor, link
from gradnotes.markup import Page, as_attributes, inline
from gradnotes.problems import FenceError, close_match
from gradnotes.project import Project
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
    status = run_status.status_line(snippet, run_status.load_evidence(project.root), project.made_with())
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
        "data-omitted": _ranges(edited_program.hidden_lines(snippet)),
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
        f'<span class="snippet-tools">{tool_button("run", title) if runs_here else ""}{tool_button("copy", title)}'
        f'<a href="{address_of_file}" download="{html.escape(name)}"'
        f' title="{html.escape(say("Download {name}", name=name))}">.py</a></span></figcaption>'
        f"{highlight.snippet_block(snippet, first, last, project.cache, covered)}{question_html}"
        f"{_status(status, part_note)}</figure>"
    )


def _status(status: run_status.StatusLine, part: str) -> str:
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


def tool_button(name: str, title: str) -> str:
    """Render a button that assets/site.js activates; without JavaScript it is hidden."""
    words = say(name.capitalize())
    label = html.escape(say("{action}: {title}", action=words, title=title.replace("`", "")))
    return f'<button type="button" data-{name} aria-label="{label}">{words}</button>'

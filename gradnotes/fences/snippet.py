"""Render the `snippet` fence: title, code, output, and a status line with the engines that ran it."""

from __future__ import annotations

from markupsafe import Markup
from snippetcheck.fence_types import SNIPPET
from snippetcheck.snippet import Snippet, excerpt_span

from gradnotes.browser import edited_program
from gradnotes.evidence import run_status
from gradnotes.fences import highlight
from gradnotes.fences.registry import renders
from gradnotes.links import anchor, link
from gradnotes.markup import Page
from gradnotes.problems import FenceError, close_match
from gradnotes.project import Project
from gradnotes.templating import render
from gradnotes.translation import edition
from gradnotes.words import say


def runs_in_the_page(snippet: Snippet) -> bool:
    """Return whether a snippet can run in the browser, which has reference_impl but no package that `needs:` names."""
    return "reference_impl" in snippet.manifest.engines and not snippet.manifest.needs


@renders(SNIPPET)
def render_snippet_fence(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render a snippet or a region of it: title, program, output and status."""
    return render_snippet(project, page, keys)


def displayed_lines(project: Project, keys: dict[str, str]) -> tuple[Snippet, int, int]:
    """Return the snippet of a fence, and the first and last line to display.

    Raises:
        FenceError: the snippet or the region does not exist.
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
    question: Markup | None = None,
    practice: str | None = None,
) -> Markup:
    """Render a snippet or a region of it as a `<figure>`.

    For a prediction, the lines in `covered` are hidden, and the form `question` is added. The browser saves the
    reader's answer under the key `practice`.
    """
    snippet, first, last = displayed_lines(project, keys)
    region = keys.get("region")
    # an earlier fence of the page displays another part of this snippet
    is_continued = bool(region) and anchor(snippet.name) in page.ids
    if region is not None and is_continued:
        title = say("The same program: {region}", region=edition.region_name(project, snippet.name, region, page.path))
    else:
        title = edition.snippet_title(project, snippet.name, page.path)
    return render(
        "snippet",
        snippet=snippet,
        id=page.id_for(anchor(snippet.name) + (f"-{region}" if is_continued else "")),
        title=title,
        part=f"{first}-{last}" if region else None,
        omitted=_ranges(edited_program.hidden_lines(snippet)),
        runs_here=runs_in_the_page(snippet),
        file_name=snippet.name.rpartition("/")[2],
        file_href=link(f"snippets/{snippet.name}", page.path),
        code=highlight.snippet_code(snippet, first, last, project.cache, covered),
        status=run_status.status_line(
            snippet, run_status.load_evidence(project.root), run_status.current_fingerprints(project)
        ),
        question=question,
        practice=practice,
    )


def _ranges(numbers: list[int]) -> str:
    """Format ascending numbers as ranges, such as "1-4 7"."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][-1] == number - 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    return " ".join("-".join(map(str, part)) for part in parts)

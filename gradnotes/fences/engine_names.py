"""Render the `names` fence: the names of torch that work in the page, and substitutes for the others."""

from __future__ import annotations

import json

from snippetcheck.kinds import FenceType

from gradnotes.browser import absent_names
from gradnotes.fences.registry import renders
from gradnotes.markup import Page, fold, inline
from gradnotes.problems import FenceError
from gradnotes.project import Project
from gradnotes.recorder import process

_HEAD = "<thead><tr><th>Name</th><th>Here</th></tr></thead>"


@renders(FenceType("names"))
def render_names(project: Project, page: Page, keys: dict[str, str]) -> str:
    """Render a folded table for each namespace of torch. A process that imports the engine lists its names.

    Raises:
        FenceError: the engine cannot be imported.
    """
    text = project.cache.get(("names", project.recorder()), lambda: _list_names(project))
    folds = []
    for where, (present, absent) in json.loads(text).items():
        title = f"<code>{where}</code>, {absent_names.NAMESPACES[where]}: {len(present)} here, {len(absent)} not"
        answers = dict.fromkeys(present, "yes") | {
            name: f"no. {instead}".rstrip(" .") for name, instead in absent.items()
        }
        rows = "".join(
            f"<tr><td><code>{name}</code></td><td>{inline(answers[name])}</td></tr>" for name in sorted(answers)
        )
        table = f'<div class="table-frame" tabindex="0"><table>{_HEAD}<tbody>{rows}</tbody></table></div>'
        folds.append(fold(title, table, page.id_for(where.replace(".", "-").lower())))
    return f'<div data-filter="Show names with these words" data-unsearched>{"".join(folds)}</div>'


def _list_names(project: Project) -> str:
    completed = process.with_engine(project.root, ["gradnotes.browser.absent_names"])
    if completed.returncode:
        raise FenceError(f"cannot import the engine: {process.last_line(completed)}", "run `pytest tests/engine`")
    return completed.stdout

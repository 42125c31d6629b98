"""Render the `names` fence: the names of torch that reference_impl has and lacks, with substitutes."""

from __future__ import annotations

import json

from markupsafe import Markup
from snippetcheck.fence_types import FenceType

from gradnotes.browser import absent_names
from gradnotes.fences.registry import renders
from gradnotes.markup import Page
from gradnotes.problems import FenceError
from gradnotes.project import Project
from gradnotes.recorder import process, shipped
from gradnotes.templating import render
from gradnotes.words import say


@renders(FenceType("names"))
def render_names(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render a folded table for each namespace of torch, such as `torch.nn`, with the names that programs use.

    A separate process imports reference_impl and lists the names.

    Raises:
        FenceError: reference_impl cannot be imported.
    """
    text = project.cache.get(("names", shipped.fingerprint(project)), lambda: _list_names(project))
    namespaces = [
        {
            "name": name,
            "description": absent_names.NAMESPACES[name],
            "id": page.id_for(name.replace(".", "-").lower()),
            "present_count": len(present),
            "absent_count": len(absent),
            "answers": sorted(_answers(present, absent).items()),
        }
        for name, (present, absent) in json.loads(text).items()
    ]
    return render("names", namespaces=namespaces)


def _answers(present: list[str], absent: dict[str, tuple[str, str]]) -> dict[str, str]:
    """Map each name in `present` to "yes", and each name in `absent` to "no" and its substitute, if it has one."""
    substitutes = {
        name: f"{say('no. ')}{absent_names.say_alternative(*instead)}".rstrip(" .。")
        for name, instead in absent.items()
    }
    return dict.fromkeys(present, say("yes")) | substitutes


def _list_names(project: Project) -> str:
    completed_process = process.with_engine(project.root, ["gradnotes.browser.absent_names"])
    if completed_process.returncode:
        raise FenceError(
            f"cannot import the engine: {process.last_line(completed_process)}",
            "run `.venv/bin/python -m pytest tests/engine`",
        )
    return completed_process.stdout

"""The way through a note as data: from which idea one came to a page, and which comes next. assets/note.js shows it.

For each mirror a script of its own, so that it is read from a folder too, and by nobody who comes from elsewhere.
"""

from __future__ import annotations

import json
import re
from functools import partial

from gradnotes import inputs
from gradnotes.fences import notes
from gradnotes.fences.markup import Page
from gradnotes.fences.passages import NOTES, Passage
from gradnotes.fences.project import Project, address
from gradnotes.problems import InputError

_HEADING = re.compile(r'#{1,4} +(?:<span lang="zh-Hans">(?P<zh>.*?)</span> *)?(?P<en>.*)$')


def made(project: Project) -> tuple[dict[str, str], list[InputError]]:
    """For each mirror that there is, `assets/notes/NAME.js`: its path below docs/ -> its text; and what is wrong with the others."""
    texts: dict[str, str] = {}
    errors: list[InputError] = []
    for number, name in NOTES.items():
        mirror = f"notes/{name}.md"
        if not inputs.is_file(project.docs / mirror):
            continue
        try:
            ideas = project.once(("way", mirror), partial(_ideas, project, mirror))
        except InputError as error:
            errors.append(error)
            continue
        way = json.dumps({"number": number, "ideas": ideas}, ensure_ascii=False)
        texts[f"assets/notes/{name}.js"] = f'(gradnotes.notes ??= {{}})["{name}"] = {way};\n'
    return texts, errors


def _ideas(project: Project, mirror: str) -> list[list[str | None]]:
    """In the order of the mirror: id there, its heading in Chinese (or None) and in English, address and title of the section."""
    text = project.text(mirror)
    headings = [(line, m) for line, one in enumerate(text.splitlines(), 1) if (m := _HEADING.match(one))]
    page = Page(mirror, set())
    rows: list[list[str | None]] = []
    for fence in project.fences(mirror, text):
        if fence.kind != "ideas" or fence.problem:
            continue
        above = [match for line, match in headings if line < fence.line]
        asked = Passage.read(fence.keys["at"], mirror)
        for name, _, idea in notes.listed(project, page, asked):
            section, _ = project.once(("place", idea), partial(notes.place, project, idea))
            if section and above:
                where, anchor, title = section
                target = address(where) + (f"#{anchor}" if anchor else "")
                rows.append([name, above[-1]["zh"], above[-1]["en"].replace("\\", ""), target, title.replace("`", "")])
    return rows

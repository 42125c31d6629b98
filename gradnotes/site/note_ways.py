"""The way through a note as data: from which idea one came to a page, and which comes next. assets/note.js shows it.

For each mirror a script of its own, so that it is read from a folder too, and by nobody who comes from elsewhere.
"""

from __future__ import annotations

import json
import re

from gradnotes.fences import notes
from gradnotes.fences.markup import Page
from gradnotes.fences.passages import NOTES, Passage
from gradnotes.fences.project import Project, address

_HEADING = re.compile(r'#{1,4} +(?:<span lang="zh-Hans">(?P<zh>.*?)</span> *)?(?P<en>.*)$')


def made(project: Project) -> dict[str, str]:
    """For each mirror that there is, `assets/notes/NAME.js`: its path below docs/ -> its text."""
    found = {}
    for number, name in NOTES.items():
        if (project.docs / f"notes/{name}.md").is_file():
            way = json.dumps({"number": number, "ideas": _ideas(project, f"notes/{name}.md")}, ensure_ascii=False)
            found[f"assets/notes/{name}.js"] = f'(gradnotes.notes ??= {{}})["{name}"] = {way};\n'
    return found


def _ideas(project: Project, mirror: str) -> list[list[str | None]]:
    """In the order of the mirror: id there, its heading in Chinese (or None) and in English, address and title of the section."""
    text = (project.docs / mirror).read_text(encoding="utf-8")
    headings = [(line, m) for line, one in enumerate(text.splitlines(), 1) if (m := _HEADING.match(one))]
    page = Page(mirror, set())
    rows: list[list[str | None]] = []
    for fence in project.fences(mirror, text):
        if fence.kind != "ideas":
            continue
        above = [match for line, match in headings if line < fence.line]
        asked = Passage.read(fence.keys["at"], mirror)
        for name, _, idea in notes.listed(project, page, asked):
            section, _ = notes.place(project, idea)
            if section and above:
                where, anchor, title = section
                target = address(where) + (f"#{anchor}" if anchor else "")
                rows.append([name, above[-1]["zh"], above[-1]["en"].replace("\\", ""), target, title.replace("`", "")])
    return rows

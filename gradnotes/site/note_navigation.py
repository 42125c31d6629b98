"""Write the order of the ideas in a note for assets/note.js, which links to the previous and the next idea.

The page about a note is called its mirror. A reader who follows a link there to the page that teaches an idea gets
these links on that page. The data of a note is a script and not JSON, because a site without a server cannot load JSON.
"""

from __future__ import annotations

import json
import re
from functools import partial

from gradnotes import inputs
from gradnotes.fences import ideas
from gradnotes.links import address
from gradnotes.markup import Page
from gradnotes.notes.passage import NOTES, Passage
from gradnotes.problems import InputError
from gradnotes.project import Project

_HEADING = re.compile(r'#{1,4} +(?:<span lang="zh-Hans">(?P<zh>.*?)</span> *)?(?P<en>.*)$')


def note_scripts(project: Project) -> tuple[dict[str, str], list[InputError]]:
    """Return the script of each note by its path, `assets/notes/NAME.js`, and an error for each note whose ideas are invalid.

    Notes without a page are left out.
    """
    texts: dict[str, str] = {}
    errors: list[InputError] = []
    for number, name in NOTES.items():
        mirror = f"notes/{name}.md"
        if not inputs.is_file(project.docs / mirror):
            continue
        try:
            rows = project.memoize(("idea rows", mirror), partial(_idea_rows, project, mirror))
        except InputError as error:
            errors.append(error)
            continue
        data = json.dumps({"number": number, "ideas": rows}, ensure_ascii=False)
        texts[f"assets/notes/{name}.js"] = f'(gradnotes.notes ??= {{}})["{name}"] = {data};\n'
    return texts, errors


def _idea_rows(project: Project, mirror: str) -> list[list[str | None]]:
    """Return a row for each idea that a section teaches, in the order of the mirror.

    A row is [HTML id of the idea, Chinese heading above it or None, English heading above it, address of the section
    that teaches it, title of this section].
    """
    text = project.text(mirror)
    headings = [(number, m) for number, line in enumerate(text.splitlines(), 1) if (m := _HEADING.match(line))]
    page = Page(mirror, set())
    rows: list[list[str | None]] = []
    for fence in project.fences(mirror, text):
        if fence.kind != "ideas" or fence.problem:
            continue
        above = [match for line, match in headings if line < fence.line]
        passage = Passage.read(fence.keys["at"], mirror)
        for name, _, idea in ideas.ideas_within(project, page, passage):
            section, _ = project.memoize(("section of idea", idea), partial(ideas.locate_idea, project, idea))
            if section and above:
                page_path, anchor, title = section
                target = address(page_path) + (f"#{anchor}" if anchor else "")
                rows.append([name, above[-1]["zh"], above[-1]["en"].replace("\\", ""), target, title.replace("`", "")])
    return rows

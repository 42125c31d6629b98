"""Generate the pages of the Chinese edition, below zh/, and the words that its templates and scripts need.

A page that is not translated is not generated. Links to it lead to the English page, where assets/site.js tells a
reader who comes from the Chinese edition that a translation is missing.
"""

from __future__ import annotations

from typing import Any

import yaml

from gradnotes import inputs
from gradnotes.links import address
from gradnotes.problems import InputError
from gradnotes.project import Project
from gradnotes.templating import compact_json
from gradnotes.translation import comparison, edition, freshness, sources
from gradnotes.translation.blocks import Block
from gradnotes.translation.sources import PREFIX

WORDS_SCRIPT = "assets/words_zh.js"  # loaded by each Chinese page
RUN_WORDS_SCRIPT = "assets/words_run_zh.js"  # the words that only Python uses: loaded with the sandbox
OUTDATED = "英文原文已有改动"
# kinds of blocks to whose last line the note about a changed English text is appended
_INLINE = ("paragraph", "item", "numbered item", "quotation")


def pages(project: Project) -> dict[str, str]:
    """Return the text of each Chinese page by its path, zh/..., and two scripts with words. Return {} without pages."""
    names = sorted(edition.chinese_pages(project))
    texts = {f"{PREFIX}{name}": project.memoize(("Chinese page", name), lambda: _page(project, name)) for name in names}  # noqa: B023
    if texts:
        titles = {address(name): project.title(f"{PREFIX}{name}") for name in names}
        script_words, other_words = project.memoize("words by script", lambda: _split_words(project))
        texts[WORDS_SCRIPT] = (
            f"globalThis.gradnotesWords={compact_json(script_words)};\nglobalThis.gradnotesPages={compact_json(titles)};\n"
        )
        texts[RUN_WORDS_SCRIPT] = f"Object.assign(gradnotesWords,{compact_json(other_words)});\n"
    return texts


def _split_words(project: Project) -> tuple[dict[str, str], dict[str, str]]:
    """Return two dicts from English to Chinese words: those in scripts of the site or titles of parts, and the rest."""
    assets = project.docs / "assets"
    inputs.note_names(assets)
    code = "\n".join(project.text(f"assets/{path.name}") for path in sorted(assets.glob("*.js")))
    parts = {project.title(page) for page in project.pages() if page.endswith("/index.md")}
    words = edition.chinese_table(project, sources.INTERFACE)
    script_words = {text: words[text] for text in words if text in parts or compact_json(text) in code}
    return script_words, {text: words[text] for text in words if text not in script_words}


def _page(project: Project, name: str) -> str:
    """Return the text of a Chinese page. Its front matter is merged with that of the English page."""
    front = project.front_matter(f"{PREFIX}{name}")
    head = yaml.dump(front.values, sort_keys=False, allow_unicode=True, default_flow_style=None, width=10_000)
    return f"---\n{head}---\n\n{_with_notes(project, name, front.body)}"


def _with_notes(project: Project, name: str, body: str) -> str:
    """Return the body of a Chinese page, with a note at each block whose English has changed since the translation."""
    try:
        page = comparison.read_page(project.root, name)
        outdated_indexes = freshness.outdated_blocks(page, freshness.read_hashes(project.root).get(name, []))
    except InputError:
        return body  # gradnotes.translation.comparison reports the error
    if not outdated_indexes:
        return body
    lines = project.text(f"{PREFIX}{name}").split("\n")
    for index in sorted(outdated_indexes, reverse=True):
        _add_note(lines, page.chinese[index])
    return "\n".join(lines).partition("\n---\n")[2].lstrip("\n")


def _add_note(lines: list[str], block: Block) -> None:
    """Add the note about a changed English text to `lines`.

    Depending on the kind of the block, the note is at the end of its last line, or a paragraph in it, after or before it.
    """
    note = f'<span class="outdated">{OUTDATED}</span>'
    indent = " " * (len(lines[block.line - 1]) - len(lines[block.line - 1].lstrip()))
    if block.kind in _INLINE:
        lines[block.last_line - 1] += f" {note}"
    elif block.kind.startswith(("box", "fold")):
        lines[block.last_line : block.last_line] = ["", f"{indent}    {note}"]
    elif block.kind.startswith(("heading", "table")):
        lines[block.last_line : block.last_line] = ["", f"{indent}{note}", ""]
    else:
        lines[block.line - 1 : block.line - 1] = [f"{indent}{note}", ""]


def template_values(project: Project) -> dict[str, Any]:
    """Return the values for the theme's templates, or {} without Chinese pages.

    `pages` maps English addresses to Chinese titles, `words` English words of the site to Chinese words.
    """
    names = sorted(edition.chinese_pages(project))
    if not names:
        return {}
    words = edition.chinese_table(project, sources.INTERFACE)
    return {
        "pages": {address(name): project.title(f"{PREFIX}{name}") for name in names},
        "words": {text: word for text, word in words.items() if isinstance(word, str)},
    }

"""Mistakes that authors make in a project: edits of a small project, each with the message that must report it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SMALL = Path(__file__).parent / "small_project"
# Fences that need recorded runs
RECORDED_FENCES = re.compile(r"``` (?:figure|steps)\n(?:.*\n)*?```\n|``` exercise\nfile: part/point_at_it.py\n```\n")
LAB = {
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# A lab\n", "\n", "It counts.\n"]},
        {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": ["1"]},
    ],
    "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


def make_project(folder: Path, root: Path) -> Path:
    """Copy small_project/ to `folder`, with a lab, an engine and the theme of this site, but without fences that need recorded runs.

    Return `folder`. `root` is this repository.
    """
    shutil.copytree(SMALL, folder, ignore=shutil.ignore_patterns("expected", "__pycache__", "figures.md"))
    shutil.copytree(root / "overrides", folder / "overrides", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(root / "docs/assets", folder / "docs/assets")
    shutil.copy(root / "mkdocs.yml", folder)
    for name in ("__init__", "core/__init__", "core/node", "core/hooks"):
        target = folder / "reference_impl" / f"{name}.py"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / "reference_impl" / f"{name}.py", target)
    for page in folder.rglob("docs/**/*.md"):
        page.write_text(RECORDED_FENCES.sub("", page.read_text()))
    replace("docs/part/index.md", "[figures, told]", "[told, lab]")(folder)
    (folder / "docs/part/lab.ipynb").write_text(json.dumps(LAB, indent=1))
    (folder / "docs/synonyms.yml").write_text("leaf: [leaves]\n")
    return folder


def _setting_line(start: str) -> int:
    """Return the number of the first line of this site's mkdocs.yml that begins with `start`, after its indentation."""
    lines = (Path(__file__).parents[2] / "mkdocs.yml").read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.lstrip().startswith(start))


Edit = Callable[[Path], object]  # changes files of the project in a folder


def replace(name: str, old: str, new: str) -> Edit:
    """Return an edit that replaces the first occurrence of `old` in a file of the project."""

    def edit(project: Path) -> None:
        text = (project / name).read_text()
        assert old in text, (name, old)
        (project / name).write_text(text.replace(old, new, 1))

    return edit


def write(name: str, content: str | bytes) -> Edit:
    """Return an edit that writes a file, replacing its content."""
    raw = content.encode() if isinstance(content, str) else content

    def edit(project: Path) -> None:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_bytes(raw)

    return edit


def append(name: str, text: str) -> Edit:
    """Return an edit that appends text to a file."""
    return lambda project: (project / name).write_bytes((project / name).read_bytes() + text.encode())


def remove(name: str) -> Edit:
    """Return an edit that removes a file."""
    return lambda project: (project / name).unlink()


def rename(name: str, new: str) -> Edit:
    """Return an edit that renames a file."""
    return lambda project: (project / name).rename(project / new)


def folder(name: str) -> Edit:
    """Return an edit that replaces a file by a folder."""

    def edit(project: Path) -> None:
        (project / name).unlink(missing_ok=True)
        (project / name).mkdir()

    return edit


def combine(first: Edit, second: Edit) -> Edit:
    """Return an edit that makes two edits, one after the other."""

    def edit(project: Path) -> None:
        first(project)
        second(project)

    return edit


@dataclass(frozen=True)
class BrokenEdit:
    """An edit that makes a mistake, and a regular expression for the message that reports it.

    The message names file, line and mistake. After a line break, it says what to do.
    """

    edit: Edit
    pattern: str  # matches the message
    page: str = "part/index.html"  # the page on which `make serve` must display the message
    build_pattern: str = ""  # matches the message of a build, if MkDocs prints another message than `make serve`


INDEX, TOLD, FRONT = "docs/part/index.md", "docs/part/told.md", "title: Part\n"
SUM, REPAIR = "snippets/part/sum.py", "exercises/part/repair_it.py"
INVENTORY, ERRATA, GLOSSARY = "docs/inventory.yml", "docs/errata/part.yml", "docs/glossary.yml"
NOT_UTF8 = "# caf\u00e9\n".encode("latin-1")

EDITS: dict[str, BrokenEdit] = {
    # half-typed and misspelt fences
    "a misspelt snippet": BrokenEdit(
        replace(INDEX, "part/sum.py", "part/sun.py"), r"part/index.md:15: no snippet 'part/sun.py'\n +did you mean part/sum.py"
    ),
    "an opening fence": BrokenEdit(append(INDEX, "\n``` snip\n"), r"part/index.md:\d+: a fence that is never closed\n +close it"),
    "a fence without a key": BrokenEdit(append(INDEX, "\n``` snippet\n```\n"), r"part/index.md:\d+: a snippet fence without `file:`"),
    "half a key": BrokenEdit(append(INDEX, "\n``` snippet\nfil\n```\n"), r"part/index.md:\d+: not a `key: value` line: 'fil'"),
    "a key without a value": BrokenEdit(append(INDEX, "\n``` snippet\nfile:\n```\n"), r"part/index.md:\d+: .*'file' has no value"),
    "a misspelt key": BrokenEdit(append(INDEX, "\n``` snippet\nfiel: part/sum.py\n```\n"), r"index.md:\d+: unknown key 'fiel'"),
    "a misspelt region": BrokenEdit(replace(INDEX, "region: sum", "region: som"), r"index.md:\d+: no region 'som'.*\n +did you mean sum"),
    "a fence that nothing runs": BrokenEdit(append(INDEX, "\n``` python\nprint(1)\n```\n"), r"index.md:\d+: a fence that nothing checks"),
    "a fence without a reason": BrokenEdit(
        append(INDEX, '\n``` {.text illustrative=""}\na\n```\n'), r"index.md:\d+: a fence that nothing checks"
    ),
    "a file outside": BrokenEdit(append(INDEX, "\n``` snippet\nfile: /etc/passwd\n```\n"), r"index.md:\d+: no snippet '/etc/passwd'"),
    "a name that is too long": BrokenEdit(
        append(INDEX, f"\n``` snippet\nfile: {'a' * 300}.py\n```\n"), r"index.md:\d+: no snippet 'aaa"
    ),
    "an unknown symbol of the engine": BrokenEdit(replace(INDEX, "book_engine.twice", "book_engine.twise"), r"index.md:\d+: .*twise"),
    "an unknown kind of figure": BrokenEdit(
        append(INDEX, "\n``` figure\nkind: strids\nfile: part/sum.py\n```\n"), r"index.md:\d+: unknown kind of figure 'strids'\n +did you mean strides"
    ),
    "a wrong answer that is right": BrokenEdit(replace(INDEX, "wrong: 3. ->", "wrong: 5. ->"), r"index.md:\d+: the wrong answer '5\.'"),
    "a misspelt exercise": BrokenEdit(replace(INDEX, "repair_it.py", "repare_it.py"), r"index.md:\d+: no exercise 'part/repare_it.py'"),
    "an unknown passage of the notes": BrokenEdit(replace(TOLD, "at: 2:1-8", "at: 9:1"), r"told.md:\d+: .*'9:1' is not a passage", "part/told.html"),
    "a misspelt column": BrokenEdit(replace(TOLD, "ratio as", "rato as"), r"told.md:\d+: no column 'rato'\n +did you mean ratio", "part/told.html"),
    "half a formula": BrokenEdit(replace(INDEX, r"\frac{\partial L}", r"\frac{\partial L"), r"part/index.md:\d+: "),
    "a broken link": BrokenEdit(append(INDEX, "\n[Gone](gone.md)\n"), r"part/index.md:\d+: broken link 'gone.md'"),
    "a misspelt link": BrokenEdit(append(INDEX, "\n[Told](tolt.md)\n"), r"part/index.md:\d+: broken link 'tolt.md': .*\n +did you mean told.md\?"),
    "a link to a renamed page": BrokenEdit(combine(append(INDEX, "\n[Told](once.md)\n"), replace(TOLD, "title:", "was: [part/once]\ntitle:")), r"part/index.md:\d+: broken link 'once.md': .*\n +the page is now told.md"),
    "a link of a fence to a renamed page": BrokenEdit(combine(replace(INDEX, "wrong: 3. ->", "wrong: 3. -> [Told](once.md)"), replace(TOLD, "title:", "was: [part/once]\ntitle:")), r"part/index.md:\d+: broken link: page 'part/once.md' .*\n +the page is now part/told.md"),
    "a link that stands twice": BrokenEdit(append(INDEX, "\n[Gone](gone.md)\n\n[Gone](gone.md)\n"), r"part/index.md:(\d+): broken link 'gone.md'(?s:.*)part/index.md:(?!\1:)\d+: broken link 'gone.md'"),
    "a link without a suffix": BrokenEdit(append(INDEX, "\n[Told](told)\n"), r"part/index.md:\d+: broken link 'told': not a file\n +did you mean 'told.md'"),
    "a misspelt fence": BrokenEdit(append(INDEX, "\n``` snipet\n```\n"), r"index.md:\d+: a fence that nothing checks: 'snipet'\n +did you mean ``` snippet"),
    "a broken link in a translation": BrokenEdit(write("i18n/zh/part/told.md", "---\ntitle: 说明\ndescription: 说明。\n---\n\n正文。\n\n[没有](gone.md)\n"), r"i18n/zh/part/told.md:8: broken link 'gone.md'"),
    "a broken anchor": BrokenEdit(append(INDEX, "\n[Gone](told.md#gone)\n"), r"part/index.md:\d+: broken link 'told.md#gone'"),
    "half an address": BrokenEdit(append(INDEX, "\n[Gone](http://[)\n"), r"part/index.md:\d+: .*Invalid IPv6 URL"),
    # front matter
    "front matter without an end": BrokenEdit(write(INDEX, "---\ntitle: Part\n\n# Part\n"), r"part/index.md:1: front matter is not closed"),
    "front matter that begins with another line": BrokenEdit(write(INDEX, "--- x\ntitle: Part\n---\n\n# Part\n"), r"part/index.md:1: front matter is not rec"),
    "front matter below a blank line": BrokenEdit(write(INDEX, "\n---\ntitle: Part\n---\n\n# Part\n"), r"part/index.md:2: front matter is not recognized"),
    "front matter that is not YAML": BrokenEdit(replace(INDEX, FRONT, "title: Part: one\n"), r"part/index.md:2: not YAML: "),
    "front matter that is a list": BrokenEdit(write(INDEX, "---\n- title\n---\n\n# Part\n"), r"part/index.md:2: front matter must be"),
    "a misspelt key of a page": BrokenEdit(replace(INDEX, "description:", "descripton:"), r"part/index.md:3: unknown key 'descripton'.*\n +did you mean description"),
    "a title that is a list": BrokenEdit(replace(INDEX, FRONT, "title: [Part]\n"), r"part/index.md:2: `title` must be text"),
    "a title that is a number": BrokenEdit(replace(INDEX, FRONT, "title: 12\n"), r"part/index.md:2: `title` must be text, got 12"),
    "a key of a page without a value": BrokenEdit(replace(INDEX, "minutes: 3", "minutes:"), r"part/index.md:5: `minutes` has no value"),
    "pages that are no list": BrokenEdit(replace(INDEX, "pages: [told, lab]", "pages: told"), r"part/index.md:6: `pages` must be a list of pages"),
    "a path that is a word": BrokenEdit(replace(INDEX, "path: 1", "path: soon"), r"part/index.md:4: `path` must be a whole number"),
    "a negative number on the path": BrokenEdit(replace(INDEX, "path: 1", "path: -1"), r"part/index.md:4: `path` must be a whole number above 0, got -1"),
    "a page that takes no time": BrokenEdit(replace(INDEX, "minutes: 3", "minutes: 0"), r"part/index.md:5: `minutes` must be a whole number above 0, got 0"),
    "two pages with one number on the path": BrokenEdit(replace(TOLD, "description:", "path: 1\ndescription:"), r"part/told.md:3: `path: 1` is also on part/index.md"),
    "a required page that is missing": BrokenEdit(
        replace(INDEX, "path: 1", "path: 1\nneeds: [part/gone]"), r"part/index.md:5: `needs` names 'part/gone', but there is no such page"
    ),
    "a required page with its suffix": BrokenEdit(
        replace(INDEX, "path: 1", "path: 1\nneeds: [part/told.md]"), r"part/index.md:5: `needs` must be a list of pages without suffix, got .*\n +.*without .md"
    ),
    "a page that requires itself": BrokenEdit(
        replace(INDEX, "path: 1", "path: 1\nneeds: [part/index]"), r"part/index.md:5: `needs` names 'part/index', which is this page\n +remove it"
    ),
    "a misspelt template": BrokenEdit(replace(INDEX, "path: 1", "template: hom.html\npath: 1"), r"part/index.md:4: no template 'hom.html'"),
    "a former address of another page": BrokenEdit(replace(INDEX, "path: 1", "was: [part/told]\npath: 1"), r"part/index.md:4: `was: part/told` is the address of part/told.md"),
    "a stretch without a number": BrokenEdit(replace("docs/index.md", "[All of it, 2]", "All of it"), r"index.md:\d+: `stretches` must be a list of pairs", "index.html"),
    "a date that does not exist": BrokenEdit(replace(INDEX, FRONT, "title: 2026-02-31\n"), r"part/index.md:\d+: not YAML: "),
    # pages
    "a page in another encoding": BrokenEdit(write(TOLD, NOT_UTF8), r"part/told.md:1: not UTF-8\n +save the file as UTF-8", "part/told.html"),
    "an empty page": BrokenEdit(write(TOLD, ""), r"part/told.md:1: the page is empty", "part/told.html"),
    "a deleted page": BrokenEdit(remove(TOLD), r"part/index.md:6: no page 'told'\n +create it or remove it"),
    "a renamed page": BrokenEdit(rename(TOLD, "docs/part/tale.md"), r"part/tale.md:1: no `pages` list names this page\n +add it to `pages` in part/index.md"),
    "a page that is not listed": BrokenEdit(write("docs/part/more.md", "---\ntitle: More\n---\n\nText.\n"), r"part/more.md:1: no `pages` list names this page"),
    "a folder called like a page": BrokenEdit(folder(TOLD), r"part/told.md:1: must be a file, got a folder"),
    "a part without its first page": BrokenEdit(remove(INDEX), r"index.md:4: no part 'part'", "index.html"),
    "a site without its first page": BrokenEdit(remove("docs/index.md"), r"index.md:1: the file is missing", "warn-and-relu.html"),
    "a link to a deleted page": BrokenEdit(remove("docs/warn-and-relu.md"), r"index.md:4: no part 'warn-and-relu'", "index.html"),
    # snippets
    "a misspelt manifest key": BrokenEdit(replace(SUM, "# covers", "# cover"), r"snippets/part/sum.py:\d+: unknown manifest key 'cover'"),
    "a snippet that is not Python": BrokenEdit(append(SUM, "print(\n"), r"snippets/part/sum.py:\d+: "),
    "a snippet in another encoding": BrokenEdit(write(SUM, NOT_UTF8), r"snippets/part/sum.py:1: is not UTF-8"),
    "an empty snippet": BrokenEdit(write(SUM, ""), r"snippets/part/sum.py:1: "),
    "a deleted snippet": BrokenEdit(remove(SUM), r"part/index.md:\d+: no snippet 'part/sum.py'"),
    "a folder called like a snippet": BrokenEdit(folder(SUM), r"part/index.md:\d+: no snippet 'part/sum.py'"),
    "a null character": BrokenEdit(append(SUM, "\0"), r"snippets/part/sum.py:\d+: "),
    "a region without an end": BrokenEdit(append(SUM, "# region: more\n"), r"snippets/part/sum.py:\d+: "),
    # exercises
    "a misspelt key of an exercise": BrokenEdit(
        replace(REPAIR, "# exercise: repair", "# exercise: repair\n# hnit: Look."), r"exercises/part/repair_it.py:\d+: unknown key 'hnit'\n +did you mean hint?"
    ),
    "an unknown kind of exercise": BrokenEdit(replace(REPAIR, "# exercise: repair", "# exercise: repare"), r"exercises/part/repair_it.py:\d+: unknown kind"),
    "an empty exercise": BrokenEdit(write(REPAIR, ""), r"exercises/part/repair_it.py:1: "),
    "an exercise in another encoding": BrokenEdit(write(REPAIR, NOT_UTF8), r"exercises/part/repair_it.py:1: not UTF-8"),
    "an exercise that is not Python": BrokenEdit(append(REPAIR, "print(\n"), r"exercises/part/repair_it.py:\d+: "),
    # lists
    "an inventory that is not YAML": BrokenEdit(replace(INVENTORY, 'at: ["2:5-9"]', 'at: ["2:5-9"'), r"inventory.yml:\d+: not YAML: ", "part/told.html"),
    "an inventory that is no list": BrokenEdit(write(INVENTORY, "id: one\n"), r"inventory.yml:1: must be a list of ideas", "part/told.html"),
    "an idea that is a word": BrokenEdit(append(INVENTORY, "- word\n"), r"inventory.yml:9: an idea must be `key: value` lines", "part/told.html"),
    "an idea that is there twice": BrokenEdit(replace(INVENTORY, "- id: theory.later", "- id: theory.two-phases"), r"inventory.yml:5: id 'theory.two-phases' is also in line 1", "part/told.html"),
    "an idea without a sentence": BrokenEdit(replace(INVENTORY, "  en: Another.\n", ""), r"inventory.yml:5: entry theory.later is incomplete", "part/told.html"),
    "an idea with an unknown passage": BrokenEdit(replace(INVENTORY, '"0:1"', '"7:1"'), r"inventory.yml:5: theory.later: '7:1' is not a passage", "part/told.html"),
    "an idea with a missing page": BrokenEdit(replace(INVENTORY, "index.md#sums", "gone.md"), r"inventory.yml:5: no page 'part/gone.md'", "part/told.html"),
    "an inventory in another encoding": BrokenEdit(write(INVENTORY, NOT_UTF8), r"inventory.yml:1: not UTF-8", "part/told.html"),
    "a deleted inventory": BrokenEdit(remove(INVENTORY), r"inventory.yml:1: the file is missing", "part/told.html"),
    "an erratum with an unknown tier": BrokenEdit(replace(ERRATA, "tier: silent", "tier: slient"), r"errata/part.yml:1: unknown tier 'slient'", "part/told.html"),
    "errata that are not YAML": BrokenEdit(append(ERRATA, "- id: [\n"), r"errata/part.yml:\d+: not YAML: ", "part/told.html"),
    "errata that are no list": BrokenEdit(write(ERRATA, "id: one\n"), r"errata/part.yml:1: must be a list of entries", "part/told.html"),
    "errata in another encoding": BrokenEdit(write(ERRATA, NOT_UTF8), r"errata/part.yml:1: not UTF-8", "part/told.html"),
    "a key that is a list": BrokenEdit(append(ERRATA, "- [a]: b\n"), r"errata/part.yml:\d+: not YAML: ", "part/told.html"),
    "a misspelt proof of an erratum": BrokenEdit(replace(ERRATA, "proof: part/sum.py", "proof: part/sun.py"), r"told.md:\d+: no snippet 'part/sun.py'", "part/told.html"),
    "a glossary that is not YAML": BrokenEdit(append(GLOSSARY, "term: with: colon\n"), r"glossary.yml:7: not YAML: ", "part/told.html"),
    "a term that is defined twice": BrokenEdit(append(GLOSSARY, "zebra: One.\nzebra: Two.\n"), r"glossary.yml:8: key 'zebra' is repeated, it is also in line 7", "part/told.html"),
    "a repeated key of a page": BrokenEdit(replace(INDEX, "minutes: 3", "minutes: 3\nminutes: 4"), r"part/index.md:6: key 'minutes' is repeated, it is also in line 5"),
    "a glossary that is a list": BrokenEdit(write(GLOSSARY, "- term\n"), r"glossary.yml:1: must be a mapping of terms", "part/told.html"),
    "a glossary in another encoding": BrokenEdit(write(GLOSSARY, NOT_UTF8), r"glossary.yml:1: not UTF-8", "part/told.html"),
    "synonyms that are a list": BrokenEdit(write("docs/synonyms.yml", "- leaf\n"), r"synonyms.yml:1: must be"),
    "evidence that is not JSON": BrokenEdit(append("docs/evidence/speed.json", "{"), r"speed.json:\d+: not JSON: ", "part/told.html"),
    "a notebook that is not JSON": BrokenEdit(append("docs/part/lab.ipynb", "{"), r"lab.ipynb:\d+: not a notebook: ", "part/lab.html"),
    "a notebook without cells": BrokenEdit(write("docs/part/lab.ipynb", "{}"), r"lab.ipynb:1: not a notebook: ", "part/lab.html"),
    # configuration, templates, engine
    "a configuration that is not YAML": BrokenEdit(append("mkdocs.yml", "\nextra: [\n"), r"mkdocs.yml:\d+: ", build_pattern="mkdocs.yml"),
    "a misspelt theme": BrokenEdit(replace("mkdocs.yml", "name: material", "name: materiel"), rf"mkdocs.yml:{_setting_line('name: material')}: Config value 'theme': .*materiel", build_pattern="materiel"),
    "a plugin's option with a wrong value": BrokenEdit(
        replace("mkdocs.yml", "allow_errors: false", "allow_errors: [1]"), rf"mkdocs.yml:{_setting_line('allow_errors:')}: Config value 'plugins': .*'allow_errors'", build_pattern="allow_errors"
    ),
    "settings that are not TOML": BrokenEdit(append("pyproject.toml", "[tool\n"), r"pyproject.toml:3: "),
    "an unknown key of the settings": BrokenEdit(write("pyproject.toml", "[tool.snippetcheck]\nsnipets_dir = 'a'\n"), r"pyproject.toml:2: unknown key 'snipets_dir'"),
    "a template that ends too early": BrokenEdit(append("overrides/main.html", "{% if page %}\n"), r"overrides/main.html:\d+: TemplateSyntaxError", build_pattern="TemplateSyntaxError"),
    "a template with an unknown name": BrokenEdit(append("overrides/partials/logo.html", "{{ nothing.at.all }}\n"), r"overrides/partials/logo.html:\d+: UndefinedError", build_pattern="UndefinedError"),
    "an engine that is not Python": BrokenEdit(append("reference_impl/core/hooks.py", "def\n"), r"reference_impl/core/hooks.py:\d+: not Python: ", "part/told.html"),
    "an engine in another encoding": BrokenEdit(write("reference_impl/core/hooks.py", NOT_UTF8), r"reference_impl/core/hooks.py:1: not UTF-8", "part/told.html"),
}  # fmt: skip

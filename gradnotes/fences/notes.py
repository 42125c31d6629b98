"""The ideas of the five notes, docs/inventory.yml, and the fence that lists those of some lines of a note with where they are taught."""

from __future__ import annotations

import contextlib
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from markdown.extensions.toc import slugify, unique
from snippetcheck.kinds import Kind
from snippetcheck.places import shows_a_snippet

from gradnotes import front_matter, inputs
from gradnotes.fences import chinese, errata
from gradnotes.fences.kinds import shows
from gradnotes.fences.markup import Page, inline
from gradnotes.fences.passages import Passage
from gradnotes.fences.problems import FenceError
from gradnotes.fences.project import Project, address, anchor, link

FILE = "inventory.yml"
_HEADING = re.compile(r"#{2,4} +(?P<name>.*?)(?: *\{[:#]? *#?(?P<id>[\w-]+) *\})? *$")
_FOLD = re.compile(r'[?]{3}\+? \w+ "(?:More: )?(?P<title>.*)" *$')
_KEYS = {"id", "at", "en", "zh", "section", "runnable", "passages"}


@dataclass(frozen=True)
class Idea:
    """What a note says, in one sentence of ours in English and one in Chinese, and where it says so."""

    id: str
    at: tuple[Passage, ...]
    en: str
    zh: str | None
    section: str | None  # `page.md#anchor`, below docs/
    line: int  # in the inventory
    passages: tuple[tuple[Passage, str, str], ...] = ()  # where a note says it otherwise: English, Chinese

    def sentences(self, passage: Passage) -> tuple[str, str | None]:
        """The English and the Chinese sentence for what a passage says."""
        return next(((en, zh) for at, en, zh in self.passages if at == passage), (self.en, self.zh))

    @property
    def source(self) -> str:
        """The file and the line of the entry."""
        return f"{FILE}:{self.line}"


def ideas(inventory: Path) -> tuple[Idea, ...]:
    """All ideas, in the order of the file; FenceError for an entry that is not well-formed."""
    return _parse(inputs.read_text(inventory))


@lru_cache(maxsize=4)
def _parse(text: str) -> tuple[Idea, ...]:
    entries = inputs.parse_yaml(text, FILE) or []
    if not isinstance(entries, list):
        raise FenceError(f"{FILE}:1: must be a list of ideas, got {type(entries).__name__}", "begin each with `- id:`")
    lines = [number for number, line in enumerate(text.split("\n"), 1) if line.startswith("- ")]
    lines = lines if len(lines) == len(entries) else [1] * len(entries)  # a list that is written in another way
    return tuple(_idea(entry, line) for entry, line in zip(entries, lines, strict=True))


def _idea(entry: object, line: int) -> Idea:
    where = f"{FILE}:{line}"
    if not isinstance(entry, dict):
        raise FenceError(f"{where}: an idea must be `key: value` lines, got {entry!r}", "begin it with `- id:`")
    name = entry.get("id")
    if unknown := set(map(str, entry)) - _KEYS:
        raise FenceError(f"{where}: unknown key {min(unknown)!r} of {name}", f"use {', '.join(sorted(_KEYS))}")
    if not isinstance(name, str) or not isinstance(entry.get("at"), list) or not isinstance(entry.get("en"), str):
        raise FenceError(f"{where}: {name} is not whole", 'it needs `id`, `at: ["0:1-8"]` and `en`')
    at = tuple(Passage.read(passage, f"{where}: {name}") for passage in entry["at"])
    texts = (" ".join(str(entry[key]).split()) if key in entry else None for key in ("en", "zh", "section"))
    english, chinese, section = texts
    return Idea(name, at, english or "", chinese, section, line, _own_sentences(entry, at, f"{where}: {name}"))


def _own_sentences(entry: dict[str, Any], at: tuple[Passage, ...], where: str) -> tuple[tuple[Passage, str, str], ...]:
    """The sentences of `passages`, by passage."""
    remedy = 'write `"0:1-8":`, as in `at`, and below it `en` and `zh`'
    given = entry.get("passages", {})
    if not isinstance(given, dict):
        raise FenceError(f"{where}: `passages` is {given!r}", remedy)
    own = []
    for key, texts in given.items():
        passage = Passage.read(key, where)
        if passage not in at:
            raise FenceError(f"{where}: `passages` has {key!r}, which `at` has not", "write it as in `at`")
        if (
            not isinstance(texts, dict)
            or texts.keys() != {"en", "zh"}
            or not all(isinstance(t, str) and t for t in texts.values())
        ):
            raise FenceError(f"{where}: {key!r} of `passages` is {texts!r}", remedy)
        own.append((passage, " ".join(texts["en"].split()), " ".join(texts["zh"].split())))
    return tuple(own)


@shows(Kind("ideas", ("at",)))
def ideas_of(project: Project, page: Page, keys: dict[str, str]) -> str:
    """The ideas that begin in these lines of a note, in its order: a list, which is a fold on a narrow screen."""
    asked = Passage.read(keys["at"], "this fence")
    items, corrected = [], 0
    for name, passage, idea in listed(project, page, asked):
        corrections = _corrections(project, page, asked, idea)
        corrected += len(corrections)
        english, in_chinese = idea.sentences(passage)
        said = f'<p lang="zh-Hans">{inline(in_chinese)}</p>' if in_chinese else ""
        said += f"<p data-unsearched>{inline(english)}</p>"
        where = " · ".join([*_taught(project, page, idea), passage.words])
        items.append(
            f'<li id="{html.escape(name)}">{said}<p class="idea-links" data-unsearched>{where}</p>{"".join(corrections)}</li>'
        )
    if not items:
        return ""
    return (
        f'<details class="idea-fold">{_summary(len(items), corrected)}<ul class="ideas">{"".join(items)}</ul></details>'
    )


def _summary(ideas: int, corrected: int) -> str:
    chinese, english = f"{ideas} 个要点", f"{ideas} idea{'s' * (ideas > 1)}"
    if corrected:
        chinese, english = f"{chinese}，{corrected} 处更正", f"{english}, {corrected} correction{'s' * (corrected > 1)}"
    return f'<summary data-unsearched><span lang="zh-Hans">{chinese}</span> {english}</summary>'


def listed(project: Project, page: Page, asked: Passage) -> Iterator[tuple[str, Passage, Idea]]:
    """The ideas of which a passage begins within `asked`, in the order of the note: the id of each on `page`, and that passage."""
    known = ideas(project.docs / FILE)
    within = [
        (p, one) for one in known for p in one.at if p.note == asked.note and asked.first <= p.first <= asked.last
    ]
    for passage, idea in sorted(within, key=lambda pair: pair[0]):
        yield page.id_for(f"idea-{idea.id}"), passage, idea


def _taught(project: Project, page: Page, idea: Idea) -> list[str]:
    """Links to the section that teaches an idea and to its first example."""
    found = []
    section, example = project.once(("place", idea), partial(place, project, idea))
    if section is None:
        raise FenceError(f"{idea.source}: nothing teaches {idea.id}", "cover it with a snippet or a page")
    where, name, title = section
    target = link(address(where), page.path) + (f"#{name}" if name else "")
    of_page = "" if title == project.title(where) else f" ({inline(project.title(where))})"
    found.append(f'<a href="{html.escape(target)}">{inline(title)}</a>{of_page}')
    if example:
        found.append(f"example: {project.example(example, page.path)}")
    return found


def place(project: Project, idea: Idea) -> tuple[tuple[str, str, str] | None, str | None]:
    """The section (or fold) that teaches an idea, as page, anchor and title, and the snippet that shows it, the nearest to that section.

    None for what there is not.
    """
    examples = project.once("examples of ideas", lambda: _examples(project)).get(idea.id, [])
    example = examples[0] if examples else None
    if idea.section:
        where, _, name = idea.section.partition("#")
        on_page = [one for one in examples if project.shown()[one] == where]
        in_section = [one for one in on_page if _heading(project, where, _line(project, where, one))[1] == name]
        example = next(iter(in_section + on_page), example)
        if not inputs.is_file(project.docs / where):
            raise FenceError(
                f"{idea.source}: no page {where!r} for {idea.id}", "give `section` as page.md#anchor below docs/"
            )
        for _, title, known in sections(project, where):
            if known == name:
                return (where, name, title), example
        if name:
            raise FenceError(f"{idea.source}: no section {name!r} on {where} for {idea.id}", "take the id of a heading")
        return (where, "", project.title(where)), example
    if example:
        where = project.shown()[example]
        line = _line(project, where, example)
        title, name = _heading(project, where, line)
        if fold := _fold(project, where, line):
            title, name = fold, anchor(example)
        return (where, name, title), example
    found = project.once("pages of ideas", lambda: _pages(project)).get(idea.id)
    return ((found, "", project.title(found)) if found else None), None


def _line(project: Project, where: str, example: str) -> int:
    return next(f.line for f in project.fences(where) if shows_a_snippet(f) and f.keys["file"] == example)


def _heading(project: Project, where: str, line: int) -> tuple[str, str]:
    """The heading above a line of a page and its anchor; the page's title if there is none."""
    above = [(title, name) for at, title, name in sections(project, where) if at < line]
    return above[-1] if above else (project.title(where), "")


def _fold(project: Project, where: str, line: int) -> str | None:
    """The title of the fold that holds a line of a page, without its "More: "; None if the line is in no fold."""
    above = project.text(where).splitlines()[: line - 1]
    opening = next((one for one in reversed(above) if one and not one[0].isspace()), "")
    match = _FOLD.match(opening)
    return match["title"][:1].upper() + match["title"][1:] if match else None


def sections(project: Project, where: str) -> list[tuple[int, str, str]]:
    """The headings of a page: line, text and anchor."""

    def made(text: str) -> list[tuple[int, str, str]]:
        inside = {n for fence in project.fences(where) for n in range(fence.line, fence.last_line + 1)}
        found, taken = [], set[str]()
        for number, line in enumerate(text.splitlines(), 1):
            if number not in inside and (match := _HEADING.match(line)):
                title = re.sub(r"</?\w[^>]*>|\\", "", match["name"])
                found.append((number, title, match["id"] or unique(slugify(title.replace("`", ""), "-"), taken)))
        return found

    def kept() -> list[tuple[int, str, str]]:
        text = project.text(where)
        return project.cache.get(("sections", text), lambda: made(text))

    return project.once(("sections", where), kept)


def _examples(project: Project) -> dict[str, list[str]]:
    """For each id, the snippets that cover it, in the order of the pages that show them; a checkpoint asks, and comes last."""
    found: dict[str, list[str]] = {}
    shown = project.shown()
    for name in sorted(shown, key=lambda name: shown[name].endswith("/checkpoint.md")):
        with contextlib.suppress(FenceError):  # the page that shows it says what is wrong
            for covers in project.snippet(name).manifest.covers:
                found.setdefault(covers, []).append(name)
    return found


def _pages(project: Project) -> dict[str, str]:
    """For each id in the `covers` of a page's front matter, the first such page."""
    found: dict[str, str] = {}
    for where in project.pages():
        for covers in front_matter.read(project.docs, where).values.get("covers", ()):
            found.setdefault(covers, where)
    return found


def page_of_proof(project: Project, entry: errata.Erratum) -> str:
    """The page that shows the proof of a correction. Raises FenceError if there is none."""
    project.snippet(entry.proof)  # whether there is one, before where it is shown
    page = project.page_of(entry.proof)
    if page is None:
        remedy = "embed it with a snippet fence on the page it belongs to"
        raise FenceError(f"{entry.source}: no page shows the proof {entry.proof}", remedy)
    return page


def today(entry: errata.Erratum) -> str:
    """What holds in place of a sentence of a note, and the line to write."""
    return inline(entry.now) + (f" Today: <code>{html.escape(entry.instead)}</code>." if entry.instead else "")


def today_in_chinese(entry: errata.Erratum) -> str:
    """The same in Chinese."""
    line = entry.zh.instead or entry.instead
    return inline(entry.zh.now) + (f"现在写：<code>{html.escape(line)}</code>。" if line else "")


def _corrections(project: Project, page: Page, asked: Passage, idea: Idea) -> list[str]:
    """What no longer holds of an idea as this note has it."""
    found = []
    for entry in project.errata_list():
        if idea.id in entry.corrects and any(passage.note == asked.note for passage in entry.at):
            target = f"{link(address(page_of_proof(project, entry)), page.path)}#erratum-{entry.id}"
            proof = f'<a href="{html.escape(target)}">'
            found.append(
                '<div class="idea-correction" data-unsearched>'
                f'<p lang="zh-Hans"><strong>{chinese.TIERS[entry.tier]}。</strong>{today_in_chinese(entry)}{proof}证明</a></p>'
                f"<details><summary>English</summary><p><strong>{errata.TIERS[entry.tier]}.</strong> {today(entry)}"
                f" {proof}Proof</a></p></details></div>"
            )
    return found

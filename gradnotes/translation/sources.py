"""Read the Chinese texts of i18n/zh: pages, and the short texts in YAML files."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from snippetcheck.pages import pages as find_pages

from gradnotes import inputs
from gradnotes.exercises.parser import Answer, Exercise
from gradnotes.problems import InputError

FOLDER = "i18n/zh"  # below the root of the project
EXERCISES, SNIPPETS, GLOSSARY, INTERFACE, HASHES = (
    f"{name}.yml" for name in ("exercises", "snippets", "glossary", "interface", "hashes")
)
TABLES = (EXERCISES, SNIPPETS, GLOSSARY, INTERFACE, HASHES)
PREFIX = "zh/"  # of the addresses of Chinese pages
LANGUAGE = "zh-Hans"
TRANSLATED_KEYS = ("title", "description", "stretches")  # of the front matter; `stretches` only on the home page
NOT_PAGES = ("README.md",)


def is_chinese(page: str) -> bool:
    """Return whether a page, a path below docs/ or an address, belongs to the Chinese edition."""
    return page.startswith(PREFIX)


def english_name(page: str) -> str:
    """Return the path of the English page of a Chinese page. The path of an English page is returned unchanged."""
    return page.removeprefix(PREFIX)


def page_names(root: Path) -> list[str]:
    """Return the pages with a Chinese translation, as paths of the English pages below docs/."""
    folder = root / FOLDER
    inputs.note_names(folder)
    if not folder.is_dir():
        return []
    names = (path.relative_to(folder).as_posix() for path in find_pages(folder))
    return [name for name in names if name not in NOT_PAGES]


def merge_front_matter(english: Mapping[str, Any], chinese: Mapping[str, Any]) -> dict[str, Any]:
    """Return the front matter of a Chinese page: the English one, with the TRANSLATED_KEYS in Chinese.

    `was` and `moved` are left out.
    """
    values = {**english, **{key: chinese[key] for key in TRANSLATED_KEYS if key in chinese}}
    for key in ("was", "moved"):  # former addresses of the English page
        values.pop(key, None)
    return values


def read_table(root: Path, name: str) -> dict[str, Any]:
    """Return the mapping in the YAML file `name` of i18n/zh; empty if the file does not exist.

    Raises:
        InputError: the file is malformed.
    """
    path, location = root / FOLDER / name, f"{FOLDER}/{name}"
    if not inputs.is_file(path):
        return {}
    table = inputs.parse_yaml(inputs.read_text(path, location), location) or {}
    if not isinstance(table, dict) or not all(isinstance(key, str) for key in table):
        raise InputError(
            f"{location}:1: must be a mapping of ids to texts", "write `id: text`, ids in quotes if numbers"
        )
    return table


def line_of(root: Path, name: str, key: str) -> int:
    """Return the number of the line that begins with `key` in a YAML file of i18n/zh; 1 if there is no such line."""
    path = root / FOLDER / name
    lines = path.read_text(encoding="utf-8").split("\n") if path.is_file() else []
    starts = (f"{key}:", f'"{key}":', f"'{key}':")
    return next((number for number, line in enumerate(lines, 1) if line.startswith(starts)), 1)


# -- exercises


def assert_messages(check: str) -> list[ast.expr]:
    """Return the messages of the asserts of a check, in the order of the file."""
    asserts = [node for node in ast.walk(ast.parse(check)) if isinstance(node, ast.Assert) and node.msg is not None]
    return [node.msg for node in sorted(asserts, key=lambda node: (node.lineno, node.col_offset)) if node.msg]


def message_text(message: ast.expr) -> str:
    """Return an assert message as exercises.yml writes it: without quotes. An f-string keeps its fields in braces."""
    if isinstance(message, ast.JoinedStr):
        return eval(f"r{ast.unparse(message)[1:]}", {})  # noqa: S307  a literal
    return str(ast.literal_eval(message))


def exercise_texts(exercise: Exercise) -> dict[str, Any]:
    """Return the English texts of an exercise, with the keys of exercises.yml. Texts that it lacks have no key."""
    texts: dict[str, Any] = {"question": list(exercise.question)}
    if exercise.hints:
        texts["hints"] = list(exercise.hints)
    if exercise.check:
        texts["asserts"] = [message_text(message) for message in assert_messages(exercise.check)]
    if hints := {answer.label: answer.hint for answer in exercise.wrongs if answer.hint}:
        texts["wrong"] = hints
    return texts


def in_chinese(exercise: Exercise, texts: Mapping[str, Any]) -> Exercise:
    """Return the exercise with its Chinese texts. Module `comparison` checks that `texts` has all of them."""

    def translate(answer: Answer) -> Answer:
        return replace(answer, hint=texts.get("wrong", {}).get(answer.label, answer.hint))

    return replace(
        exercise,
        question=tuple(texts["question"]),
        hints=tuple(texts.get("hints", exercise.hints)),
        wrongs=tuple(map(translate, exercise.wrongs)),
        check=_replace_messages(exercise.check, texts.get("asserts", [])) if exercise.check else "",
    )


def _replace_messages(check: str, texts: list[str]) -> str:
    """Return a check with the messages of its asserts replaced by `texts`, in as many lines.

    A new message stands in the first line of the old message; the other lines of the old message become empty. If the
    numbers of messages and texts differ, return the check unchanged.
    """
    lines = [line.encode() for line in check.split("\n")]
    messages = assert_messages(check)
    if len(messages) != len(texts):
        return check
    for message, text in reversed(list(zip(messages, texts, strict=True))):
        first, last = message.lineno - 1, (message.end_lineno or message.lineno) - 1
        line_end = lines[last][message.end_col_offset :]
        literal = _literal(text, isinstance(message, ast.JoinedStr)).encode()
        lines[first : last + 1] = [lines[first][: message.col_offset] + literal + line_end, *[b""] * (last - first)]
    return "\n".join(line.decode() for line in lines)


def _literal(text: str, is_formatted: bool) -> str:
    """Return the Python source of a text: a string literal, or an f-string if `is_formatted`."""
    if not is_formatted:
        return repr(text)
    quotes = '"""' if not text.endswith('"') else "'''"
    return f"f{quotes}{text}{quotes}"


# -- the glossary


@dataclass(frozen=True)
class Term:
    """The Chinese translation of a glossary term, and its explanation in Chinese (`text`)."""

    term: str
    forms: tuple[str, ...]  # words on pages that get the explanation; empty if no page marks the term
    text: str


def read_terms(root: Path) -> dict[str, Term]:
    """Map each English term to its Chinese term. Incomplete entries are left out: module `comparison` reports them.

    Raises:
        InputError: the file is malformed.
    """
    terms = {}
    for key, fields in read_table(root, GLOSSARY).items():
        if not isinstance(fields, dict) or not all(isinstance(fields.get(name), str) for name in ("term", "text")):
            continue
        forms = (fields["term"], *fields.get("forms", ())) if fields.get("marked", True) else ()
        terms[key] = Term(fields["term"], tuple(map(str, forms)), fields["text"])
    return terms


def term_pattern(forms: list[str]) -> re.Pattern[str] | None:
    """Return a pattern that matches each of `forms` in a Chinese text, the longest first, or None without forms.

    A form in Latin letters must be a whole word, in any case; Chinese has no word boundaries.
    """
    alternatives = []
    for form in sorted(set(forms), key=lambda form: (-len(form), form)):
        before = r"(?<![A-Za-z0-9_.-])" if form[0].isascii() else ""
        after = r"(?![A-Za-z0-9_-])" if form[-1].isascii() else ""
        alternatives.append(f"{before}{re.escape(form)}{after}")
    return re.compile("|".join(alternatives), re.IGNORECASE) if alternatives else None

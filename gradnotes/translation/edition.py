"""Look up titles, the words of the site, exercises and linked pages in the language of a page.

A path that begins with zh/ is a page of the Chinese edition; every other page is English.
"""

from __future__ import annotations

from typing import Any

from gradnotes.exercises.lookup import find_exercise
from gradnotes.exercises.parser import Exercise
from gradnotes.project import Project
from gradnotes.translation import sources


def chinese_pages(project: Project) -> frozenset[str]:
    """Return the pages with a Chinese translation, as paths of the English pages below docs/."""
    return project.memoize("Chinese pages", lambda: frozenset(sources.page_names(project.root)))


def chinese_table(project: Project, name: str) -> dict[str, Any]:
    """Return the mapping in the YAML file `name` of i18n/zh; an empty one if the file does not exist.

    Raises:
        InputError: the file is malformed.
    """
    return project.memoize(("Chinese", name), lambda: sources.read_table(project.root, name))


def words_of(project: Project, page: str) -> dict[str, str] | None:
    """Return the words of the site in the language of `page`, for `gradnotes.words.speaking`; None for English."""
    return chinese_table(project, sources.INTERFACE) if sources.is_chinese(page) else None


def page_in_edition(project: Project, target: str, page: str) -> str:
    """Return the path of page `target` in the language of `page`, or in English if it is not translated."""
    has_chinese = sources.is_chinese(page) and target in chinese_pages(project)
    return f"{sources.PREFIX}{target}" if has_chinese else target


def snippet_title(project: Project, name: str, page: str) -> str:
    """Return the title of the snippet `name` in the language of `page`.

    Raises:
        FenceError: the snippet is missing or malformed.
    """
    titles = chinese_table(project, sources.SNIPPETS) if sources.is_chinese(page) else {}
    return str(titles.get(name.removesuffix(".py")) or project.snippet(name).title)


def region_name(project: Project, name: str, region: str, page: str) -> str:
    """Return the name of a region of the snippet `name` in the language of `page`, or the one in the snippet if it is not translated."""
    titles = chinese_table(project, sources.SNIPPETS) if sources.is_chinese(page) else {}
    return str(titles.get(f"{name.removesuffix('.py')}#{region}", region.replace("-", " ")))


def exercise_in_language(project: Project, name: str, page: str) -> Exercise:
    """Return the exercise `name` with its texts in the language of `page`, or in English if they are not translated.

    Raises:
        FenceError: the exercise is missing or malformed.
        InputError: the file of the Chinese texts is malformed.
    """
    exercise = find_exercise(project, name)
    exercises = chinese_table(project, sources.EXERCISES) if sources.is_chinese(page) else {}
    texts = exercises.get(name.removesuffix(".py"))
    return sources.in_chinese(exercise, texts) if isinstance(texts, dict) and texts.get("question") else exercise

"""Find the exercises of a project by name."""

from __future__ import annotations

from snippetcheck.snippet import SnippetError

from gradnotes import inputs
from gradnotes.exercises.parser import Exercise, load
from gradnotes.problems import FenceError, close_match
from gradnotes.project import Project


def find_exercise(project: Project, name: str) -> Exercise:
    """Return the exercise `name` below exercises/.

    Raises:
        FenceError: the exercise is missing or malformed.
    """
    path = project.find_below(project.exercises, name)
    if path is None:
        names = [path.relative_to(project.exercises).as_posix() for path in project.exercises.rglob("*.py")]
        remedy = close_match(name, names, "create it, or name it relative to exercises/")
        raise FenceError(f"no exercise {name!r}", remedy)

    def load_file() -> Exercise:
        inputs.note(path)
        try:
            return load(path, project.exercises)
        except SnippetError as error:
            raise FenceError(f"exercises/{name}:{error.line}: {error.message}", error.remedy) from None

    return project.memoize(("exercise", name), load_file)

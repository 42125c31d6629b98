"""What runs of snippets told, for the fences that draw it.

All that the pages ask and nobody has kept is recorded at once; meanwhile others that want a record wait for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from filelock import FileLock
from snippetcheck.pages import Fence
from snippetcheck.shell import python_command
from snippetcheck.snippet import Snippet

from gradnotes.fences.problems import FenceError, close_match
from gradnotes.fences.project import Project
from gradnotes.steps import recordings

Question = dict[str, str] | None
NO_QUESTION = ("file", "caption", "region")  # keys of a figure that no run has to know


def of_snippet(project: Project, one: Snippet, question: Question = None) -> dict[str, Any]:
    """The backward `passes` of its run, and to the question of a figure what was `watched`. Raises FenceError."""
    if "reference_impl" not in one.manifest.engines:
        remedy = "name a snippet that runs on reference_impl: its engine makes the record"
        raise FenceError(f"{one.name} has no recorded run", remedy)
    return project.recordings.get(_key(project, one, question), lambda: _recorded(project, one, question))


def question(one: Snippet, keys: Mapping[str, str]) -> dict[str, str]:
    """What a figure with these keys asks of the run; a region is the line of its last statement. Raises FenceError."""
    asked = {key: value for key, value in keys.items() if key not in NO_QUESTION}
    if "region" in keys:
        if keys["region"] not in one.regions:
            remedy = close_match(keys["region"], one.regions, "mark it in the snippet")
            raise FenceError(f"no region {keys['region']!r} in {one.name}", remedy)
        first, last = one.regions[keys["region"]]
        asked["last"] = str(max((s.last for s in one.statements if first <= s.first and s.last <= last), default=last))
    return asked


def _key(project: Project, one: Snippet, question: Question) -> tuple[str, ...]:
    return ("recorded", one.text, project.recorder(), json.dumps(question, sort_keys=True))


def _recorded(project: Project, one: Snippet, question: Question) -> dict[str, Any]:
    key = _key(project, one, question)
    recorded = (
        {} if project.records_singly else project.once("recorded", lambda: record_missing(project, needed(project)))
    )
    found = recorded.get(key) or recordings.record([(str(project.snippets / one.name), question)], project.root)[0]
    if "error" in found:
        command = ("-m", "snippetcheck", "run", "--engine", "reference_impl", f"snippets/{one.name}")
        remedy = f"this says more: {python_command(*command)}"
        raise FenceError(f"{one.name} could not be recorded: {found['error']}", remedy)
    return found


Key = tuple[str, ...]


def needed(project: Project) -> dict[Key, recordings.Asked]:
    """The runs that the pages need, by what decides them."""
    return {
        _key(project, one, wants): (str(project.snippets / one.name), wants)
        for page in project.pages()
        for fence in project.fences(page)
        for one, wants in _wanted(project, fence)
    }


def record_missing(project: Project, runs: Mapping[Key, recordings.Asked]) -> dict[Key, dict[str, Any]]:
    """Record, in one process, those runs that nobody has recorded. Return all of them, errors included."""
    with _alone(project):
        kept = project.recordings
        kept.load()  # a process that was waited for may have written it
        missing = {key: run for key, run in runs.items() if not kept.has(key)}
        made = zip(missing, recordings.record(list(missing.values()), project.root), strict=True) if missing else ()
        found = dict(made)
        for key in runs:
            if key not in found or "error" not in found[key]:
                found[key] = kept.get(key, lambda: found[key])  # noqa: B023
        kept.save()
    return found


def _alone(project: Project) -> AbstractContextManager[object]:
    lock = project.recordings.path.with_suffix(".lock")
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        return FileLock(lock).acquire()
    except OSError:
        return nullcontext()  # a read-only checkout keeps nothing


def _wanted(project: Project, fence: Fence) -> Iterator[tuple[Snippet, Question]]:
    """What a fence asks; of one that is wrong nothing, since it is said where it is shown."""
    if fence.kind in ("steps", "figure") and not fence.problem:
        try:
            one = project.snippet(fence.keys["file"])
            wants = question(one, fence.keys) if fence.kind == "figure" else None
        except FenceError:
            return
        if "reference_impl" in one.manifest.engines:
            yield one, wants

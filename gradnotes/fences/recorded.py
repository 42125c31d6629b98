"""Load recordings of snippets for the fences `steps` and `figure`, which draw them.

Missing recordings are made in one batch. A lock prevents another process from making the same recordings at the same
time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from filelock import FileLock
from snippetcheck.pages import Fence
from snippetcheck.report import python_command
from snippetcheck.snippet import Snippet

from gradnotes.problems import FenceError, close_match
from gradnotes.project import Project
from gradnotes.recorder import process, shipped

Question = dict[str, str] | None
PRESENTATION_KEYS = ("file", "caption", "region")  # keys of a figure that are not passed to the recorder


def load_recording(project: Project, snippet: Snippet, question: Question = None) -> dict[str, Any]:
    """Return the recording of a run of a snippet: `passes`, its backward passes, and `watched`, the values of a figure.

    `question` is a dict of the keys of the figure, see `figure_question`. If it is None, only the passes are recorded.

    Raises:
        FenceError: the snippet does not run on reference_impl, or recording it failed.
    """
    if "reference_impl" not in snippet.manifest.engines:
        remedy = "name a snippet that runs on reference_impl"
        raise FenceError(f"cannot record {snippet.name}: it does not run on reference_impl", remedy)
    return project.recordings.get(
        _cache_key(project, snippet, question), lambda: _make_recording(project, snippet, question)
    )


def is_recorded(project: Project, snippet: Snippet, question: Question = None) -> bool:
    """Return whether `load_recording` needs no run: the recording is in the cache or in docs/evidence."""
    key = _cache_key(project, snippet, question)
    request = _request(project, snippet, question)
    return project.recordings.has(key) or shipped.key(request) in shipped.recordings(project)


def figure_question(snippet: Snippet, keys: Mapping[str, str]) -> dict[str, str]:
    """Return the keys of a figure on which its recording depends.

    If the figure has a `region:`, add `last`, the line on which the last statement of the region ends.

    Raises:
        FenceError: the snippet has no such region.
    """
    figure_keys = {key: value for key, value in keys.items() if key not in PRESENTATION_KEYS}
    if "region" in keys:
        if keys["region"] not in snippet.regions:
            remedy = close_match(keys["region"], snippet.regions, "write `# region: name` in the snippet")
            raise FenceError(f"no region {keys['region']!r} in {snippet.name}", remedy)
        first, last = snippet.regions[keys["region"]]
        figure_keys["last"] = str(
            max((s.last for s in snippet.statements if first <= s.first and s.last <= last), default=last)
        )
    return figure_keys


def _cache_key(project: Project, snippet: Snippet, question: Question) -> tuple[str, ...]:
    return ("recorded", snippet.text, shipped.fingerprint(project), json.dumps(question, sort_keys=True))


def _make_recording(project: Project, snippet: Snippet, question: Question) -> dict[str, Any]:
    """Make the recording of a snippet.

    Unless `project.records_singly`, the first call makes all missing recordings of the project in one process.

    Raises:
        FenceError: recording the snippet failed.
    """
    key = _cache_key(project, snippet, question)
    if project.records_singly:
        batch = {}
    else:
        batch = project.memoize("recorded", lambda: record_missing(project, required_recordings(project)))
    recording = batch.get(key) or _record(project, [_request(project, snippet, question)])[0]
    if "error" in recording:
        command = ("-m", "pytest", "--snippet-engine", "reference_impl", f"snippets/{snippet.name}")
        remedy = f"for details, run `{python_command(*command)}`"
        raise FenceError(f"could not record {snippet.name}: {recording['error']}", remedy)
    return recording


def _request(project: Project, snippet: Snippet, question: Question) -> process.Request:
    return str(project.snippets / snippet.name), snippet.text, question


Key = tuple[str, ...]


def required_recordings(project: Project) -> dict[Key, process.Request]:
    """Map the cache key of each recording that a `steps` or `figure` fence needs to the request for it."""
    return {
        _cache_key(project, snippet, question): _request(project, snippet, question)
        for page in project.pages()
        for fence in project.fences(page)
        for snippet, question in _requests(project, fence)
    }


def record_missing(project: Project, requests: Mapping[Key, process.Request]) -> dict[Key, dict[str, Any]]:
    """Make the requested recordings that are not in the cache, in one process. Return all requested recordings.

    A failed recording has an `error`; it is returned, but not cached.
    """
    with _recording_lock(project):
        cache = project.recordings
        cache.load()  # another process may have written the file while this process waited for the lock
        missing_requests = {key: request for key, request in requests.items() if not cache.has(key)}
        recordings = dict(zip(missing_requests, _record(project, list(missing_requests.values())), strict=True))
        for key in requests:
            if key not in recordings or "error" not in recordings[key]:
                recordings[key] = cache.get(key, lambda: recordings[key])  # noqa: B023
        cache.save()
    return recordings


def _record(project: Project, requests: list[process.Request]) -> list[dict[str, Any]]:
    """Return the recording of each request, in order: from docs/evidence if it has the recording, else a new one."""
    if not requests:
        return []
    keys = [shipped.key(request) for request in requests]
    recordings = dict(shipped.recordings(project))
    missing_requests = {key: request for key, request in zip(keys, requests, strict=True) if key not in recordings}
    if missing_requests:
        recordings |= zip(missing_requests, process.record(list(missing_requests.values()), project.root), strict=True)
    return [recordings[key] for key in keys]


def _recording_lock(project: Project) -> AbstractContextManager[object]:
    """Wait for the lock that only one process at a time holds, and return it. In a read-only checkout, do not lock."""
    lock = project.recordings.path.with_suffix(".lock")
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        return FileLock(lock).acquire()
    except OSError:
        return nullcontext()


def _requests(project: Project, fence: Fence) -> Iterator[tuple[Snippet, Question]]:
    """Yield (snippet, question) of a `steps` or `figure` fence whose snippet runs on reference_impl.

    Skip an invalid fence: its page reports the problem.
    """
    if fence.kind in ("steps", "figure") and not fence.problem:
        try:
            snippet = project.snippet(fence.keys["file"])
            question = figure_question(snippet, fence.keys) if fence.kind == "figure" else None
        except FenceError:
            return
        if "reference_impl" in snippet.manifest.engines:
            yield snippet, question

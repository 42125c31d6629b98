"""Record runs of snippets in forked processes: their backward passes, and the values that a figure draws.

The output of each run is compared with the snippet's expected output; if they differ, the recording has only an error.

`python -m gradnotes.recorder.process` reads the requests from stdin and prints the recordings, both as JSON.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import multiprocessing.pool
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from snippetcheck.compare import compare
from snippetcheck.snippet import parse

from gradnotes.evidence.provenance import HARNESS, checksum, fingerprint_sources

SECONDS = 120  # time limit of a program. The longest needs 3 s on an idle machine, 60 s on a busy one.
PROCESSES = 2  # number of programs that run at the same time
# The files of gradnotes on which a recording depends, relative to the folder CODE.
SOURCES = tuple(f"gradnotes/{name}" for name in ("recorder", "figures", "viewer", "stand_in", "words.py"))
CODE = Path(__file__).parents[2]

Request = tuple[str, str, Mapping[str, str] | None]  # the path and the text of a snippet; the keys of a figure


def record(requests: Sequence[Request], root: Path) -> list[dict[str, Any]]:
    """Return a recording for each request: a dict with the `passes` and the `watched` values, or with an `error`.

    All programs are forked from one process that has imported the engine, because starting such a process takes longer
    than most programs.
    """
    process = with_engine(root, ["gradnotes.recorder.process"], input=json.dumps(requests))
    if process.returncode:
        return [{"error": last_line(process)} for _ in requests]
    return json.loads(process.stdout)


def with_engine(root: Path, module: Sequence[str], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a module in a new process that imports the engine of the project at `root`, and capture its output.

    Args:
        root: folder of the project
        module: name of the module, and its arguments
        options: keyword arguments of subprocess.run
    """
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment["PYTHONPATH"] = os.pathsep.join(str(root / name) for name in (".", "harness/src"))
    # cwd=root: -m puts the working directory first on sys.path, and it must contain the engine of this project.
    command = [sys.executable, "-m", *module]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, **options)


def last_line(process: subprocess.CompletedProcess[str]) -> str:
    """Return the last line that a failed process wrote to stderr, or "ended with an error" if it wrote nothing."""
    return (process.stderr.strip().splitlines() or ["ended with an error"])[-1]


def recorder_fingerprint(root: Path) -> str:
    """Return the versions and checksums on which all recordings depend, as JSON."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    fingerprint = fingerprint_sources(root, {"engine": ("reference_impl",), "harness": (HARNESS,)}, ["numpy"])
    return json.dumps({"python": python, "recorder": checksum(SOURCES, CODE), **fingerprint})


def record_run(path: str, text: str, question: Mapping[str, str] | None) -> dict[str, Any]:
    """Run the program `text` of the file at `path` in this process, and return its recording, see `record`.

    `question` are the keys of a figure, or None to record only the backward passes.
    """
    from gradnotes.figures.types import Watch
    from gradnotes.recorder.program import run

    watch = Watch(question, text.splitlines()) if question else None
    result = run(text, watcher=watch, records_passes=watch is None or watch.kind.draws_passes)
    for finding in compare(parse(text, path, path), result.run):
        expected, actual = " / ".join(finding.expected), " / ".join(finding.actual)
        detail = f" The snippet says {expected!r}, the engine printed {actual!r}." if expected or actual else ""
        return {"error": f"{Path(path).name}:{finding.line}: {finding.message}.{detail}"}
    return {"passes": result.passes, "watched": watch.recording if watch else None}


def main() -> None:
    """Read requests from stdin, and print their recordings."""
    print(map_in_forks(record_run, json.load(sys.stdin)))


def map_in_forks(function: Callable[..., dict[str, Any]], argument_lists: Iterable[Sequence[Any]]) -> str:
    """Call `function` with each list of arguments, each time in a new fork. Return a JSON list of the results.

    If a call raises or exceeds SECONDS, its result is a dict with an `error`.
    """
    # imported before the forks, so that they share the modules
    import gradnotes.figures.types
    import gradnotes.recorder.program  # noqa: F401
    import reference_impl  # noqa: F401

    gc.collect()
    gc.freeze()  # otherwise a garbage collection in a fork would copy all memory pages with objects
    with multiprocessing.get_context("fork").Pool(PROCESSES, maxtasksperchild=1) as pool:
        pending = [pool.apply_async(_call, (function, arguments)) for arguments in argument_lists]
        return f"[{', '.join(map(_wait_for_result, pending))}]"


def _call(function: Callable[..., dict[str, Any]], arguments: Sequence[Any]) -> str:
    """Call the function in a fork. Return JSON, because the parent would pass objects on to all later forks.

    An exception becomes JSON too: one that cannot be unpickled would end the thread of the pool that receives results.
    """
    try:
        return _to_json(function(*arguments))
    except Exception as error:
        return _to_json({"error": f"{type(error).__name__}: {error}"})


def _to_json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _wait_for_result(call: multiprocessing.pool.AsyncResult[str]) -> str:
    try:
        return call.get(SECONDS)
    except multiprocessing.TimeoutError:
        return _to_json({"error": f"did not end within {SECONDS} s"})
    except Exception as error:
        return _to_json({"error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    main()

"""Record runs of snippets: their backward passes, and the values that a figure draws. Each program runs in a forked process.

The output of each run is compared with the snippet, so that nothing is drawn from an engine that computes wrong results.

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
from importlib.metadata import version
from pathlib import Path
from typing import Any

from snippetcheck.compare import compare
from snippetcheck.snippet import parse

from gradnotes.evidence.provenance import HARNESS, checksum

SECONDS = 120  # time limit of a program: the longest needs 3 s alone, and twenty times as long on a busy machine
PROCESSES = 2
# All files of gradnotes that decide a recording, and the folder that they are in.
SOURCES = tuple(f"gradnotes/{name}" for name in ("recorder", "figures", "viewer", "stand_in", "words.py"))
CODE = Path(__file__).parents[2]

Request = tuple[str, str, Mapping[str, str] | None]  # the path and the text of a snippet; the keys of a figure


def record(requests: Sequence[Request], root: Path) -> list[dict[str, Any]]:
    """Record each request: the `passes` of its program and the `watched` values, or an `error`.

    All programs are forked from one process that has imported the engine, because starting it takes longer than most programs.
    """
    process = with_engine(root, ["gradnotes.recorder.process"], input=json.dumps(requests))
    if process.returncode:
        return [{"error": last_line(process)} for _ in requests]
    return json.loads(process.stdout)


def with_engine(root: Path, module: Sequence[str], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a module in a new process that imports the engine of the project at `root`.

    Args:
        root: folder of the project
        module: name of the module, and its arguments
        options: of subprocess.run
    """
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment["PYTHONPATH"] = os.pathsep.join(str(root / name) for name in (".", "harness/src"))
    # -m puts the working directory first on the path, and another one may hold another engine.
    command = [sys.executable, "-m", *module]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, **options)


def last_line(process: subprocess.CompletedProcess[str]) -> str:
    """Return the last line on stderr of a failed process."""
    return (process.stderr.strip().splitlines() or ["ended with an error"])[-1]


def recorder_fingerprint(root: Path) -> str:
    """Return the versions and checksums on which all recordings depend, as JSON."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    code = {"engine": checksum(("reference_impl",), root), "recorder": checksum(SOURCES, CODE)}
    return json.dumps({"python": python, "numpy": version("numpy"), **code, "harness": checksum((HARNESS,), root)})


def record_run(path: str, text: str, question: Mapping[str, str] | None) -> dict[str, Any]:
    """Run the program `text` of the file at `path` in this process, and return its recording."""
    from gradnotes.figures.types import Watch
    from gradnotes.recorder.program import run

    watch = Watch(question, text.splitlines()) if question else None
    result = run(text, watcher=watch, records_passes=watch is None or watch.kind.draws_passes)
    for finding in compare(parse(text, path, path), result.run):
        expected, actual = " / ".join(finding.expected), " / ".join(finding.actual)
        detail = f" It says {expected!r}, the engine gave {actual!r}." if expected or actual else ""
        return {"error": f"{Path(path).name}:{finding.line}: {finding.message}.{detail}"}
    return {"passes": result.passes, "watched": watch.recording if watch else None}


def main() -> None:
    """Record the requests on stdin."""
    print(map_in_forks(record_run, json.load(sys.stdin)))


def map_in_forks(function: Callable[..., dict[str, Any]], argument_lists: Iterable[Sequence[Any]]) -> str:
    """Call `function` with each list of arguments, each time in a new fork of this process. Return the results as a JSON list.

    If a call raises or exceeds SECONDS, its result is a dict with an `error`.
    """
    # before the forks
    import gradnotes.figures.types
    import gradnotes.recorder.program  # noqa: F401
    import reference_impl  # noqa: F401

    gc.collect()
    gc.freeze()  # a collection in a fork would copy what it looks through
    with multiprocessing.get_context("fork").Pool(PROCESSES, maxtasksperchild=1) as pool:
        pending = [pool.apply_async(_call, (function, arguments)) for arguments in argument_lists]
        return f"[{', '.join(map(_result, pending))}]"


def _call(function: Callable[..., dict[str, Any]], arguments: Sequence[Any]) -> str:
    """Call the function in a fork. The result is JSON text, since objects would be copied into each later fork."""
    return _to_json(function(*arguments))


def _to_json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _result(call: multiprocessing.pool.AsyncResult[str]) -> str:
    try:
        return call.get(SECONDS)
    except multiprocessing.TimeoutError:
        return _to_json({"error": f"did not end within {SECONDS} s"})
    except Exception as error:
        return _to_json({"error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    main()

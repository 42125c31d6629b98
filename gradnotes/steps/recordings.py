"""Records runs of snippets: their backward passes, and what a figure asks. Each program has a process of its own.

The whole run is compared with what the snippet says it prints: an engine that is wrong draws nothing.

    echo '[["path/to/snippet.py", null]]' | python -m gradnotes.steps.recordings    prints what was recorded as JSON
"""

from __future__ import annotations

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
from snippetcheck.provenance import checksum
from snippetcheck.snippet import parse

SECONDS = 60  # that a program may take
PROCESSES = 2

Asked = tuple[str, Mapping[str, str] | None]  # the path of a snippet; the keys of a figure


def record(asked: Sequence[Asked], root: Path) -> list[dict[str, Any]]:
    """Per question the `passes` of its program and what was `watched`; or an `error`, if it does not run to its end, or not as it says.

    All of them share one process that has imported the engine, and fork from it: to start one takes longer than most programs.
    """
    done = with_engine(root, ["gradnotes.steps.recordings"], input=json.dumps(asked))
    if done.returncode:
        return [{"error": last_line(done)} for _ in asked]
    return json.loads(done.stdout)


def with_engine(root: Path, module: Sequence[str], **given: Any) -> subprocess.CompletedProcess[str]:
    """Run `module`, with its arguments, in a process of its own that has the engine of the project at `root`."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment["PYTHONPATH"] = os.pathsep.join(str(root / name) for name in (".", "harness/src"))
    # -m puts the current folder before all else: another one may hold another engine.
    command = [sys.executable, "-m", *module]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, **given)


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    """What a process that failed said last."""
    return (done.stderr.strip().splitlines() or ["ended with an error"])[-1]


def decided_by(root: Path) -> str:
    """A checksum of the engine and its version of NumPy, which decide what is recorded beside the program and our own code."""
    return f"{version('numpy')} {checksum(('reference_impl',), root)}"


def answer(path: str, question: Mapping[str, str] | None) -> dict[str, Any]:
    """Run the program at `path` in this process."""
    from gradnotes.figures.kinds import Watch
    from gradnotes.steps.program import run

    text = Path(path).read_text(encoding="utf-8")
    watch = Watch(question, text.splitlines()) if question else None
    outcome = run(text, watcher=watch)
    for finding in compare(parse(text, path, path), outcome.run):
        said = f" It says {' / '.join(finding.expected)!r}, the engine gave {' / '.join(finding.actual)!r}."
        where = f"{Path(path).name}:{finding.line}"
        return {"error": f"{where}: {finding.message}.{said if finding.expected or finding.actual else ''}"}
    return {"passes": outcome.passes, "watched": watch.found if watch else None}


def main() -> None:
    """Answer the questions on stdin."""
    json.dump(each(answer, json.load(sys.stdin)), sys.stdout, ensure_ascii=False, sort_keys=True)


def each(answer: Callable[..., dict[str, Any]], questions: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    """What `answer` gives to each, in a process of its own that has imported the engine; an `error` where it raises or does not end."""
    import reference_impl  # noqa: F401  before the forks

    with multiprocessing.get_context("fork").Pool(PROCESSES, maxtasksperchild=1) as pool:
        waiting = [pool.apply_async(answer, one) for one in questions]
        return [_got(one) for one in waiting]


def _got(waiting: multiprocessing.pool.AsyncResult[dict[str, Any]]) -> dict[str, Any]:
    try:
        return waiting.get(SECONDS)
    except multiprocessing.TimeoutError:
        return {"error": f"did not end within {SECONDS} s"}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    main()

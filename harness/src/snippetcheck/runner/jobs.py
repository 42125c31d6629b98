"""Define what EngineClient and SubprocessClient share: the job of a program, the start of a process, and a base class."""

from __future__ import annotations

import itertools
import os
import secrets
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Self

from snippetcheck.cache import passed_environment
from snippetcheck.engines import KEPT_ENVIRONMENT, Engine, EngineError, find
from snippetcheck.outcome import Run
from snippetcheck.snippet import Snippet
from snippetcheck.source import package_root


def build_job(job_id: int, snippet: Snippet, engine: Engine) -> dict[str, Any]:
    """Return everything that a process needs to run a snippet, as values for JSON."""
    path = snippet.path.resolve()
    return {
        "id": job_id,
        "engine": engine.name,
        "path": str(path),
        # As for `python file.py`, but a module of a package such as types.py must not hide one of the standard library
        "folder": str(package_root(path) if snippet.page else path.parent),
        "text": snippet.text,
        "prompts": _prompts(snippet),
        "statements": len(snippet.statements),
        "last_may_raise": snippet.statements[-1].may_raise,
        "timeout": snippet.manifest.timeout,
        "limits": asdict(replace(engine.limits, **dict(snippet.manifest.limits))),
        "environment": passed_environment(snippet),
        "limit_memory": "cuda" not in snippet.manifest.needs,
    }


def _prompts(snippet: Snippet) -> dict[str, Any] | None:
    """Return the arguments of PromptProgram for a snippet of `>>>` examples; None for any other snippet."""
    if not snippet.prompts:
        return None
    return asdict(snippet.prompts) | {
        "sources": [(statement.first, statement.want.source) for statement in snippet.statements],
        "may_raise": [index for index, statement in enumerate(snippet.statements) if statement.may_raise],
    }


def bootstrap_program(call: str) -> str:
    """Return a program for `python -c` that imports from snippetcheck.runner. `call` is, for example, `server import main; main()`."""
    package = str(Path(__file__).resolve().parents[2])
    # The folder of this package may be that of all installed packages. It is on sys.path only for this import.
    return (
        f"import sys; sys.path[:1] = [{package!r}]; import snippetcheck; del sys.path[0];"
        f"from snippetcheck.runner.{call}"
    )


def origin_problem(engine: Engine, origins: Mapping[str, str | None]) -> str:
    """Return a message if a module in `origins` was imported from another file than this process finds, else an empty string.

    The two can differ, since a server ignores the working directory and PYTHONPATH. Then the cache key, which contains the
    files that this process finds, would be wrong.

    Args:
        origins: maps each module in the `sources` of the engine to the file from which the server imported it.
    """
    for name, imported_file in origins.items():
        expected_file = getattr(find(name, engine.path), "origin", None)
        if imported_file != expected_file and not (
            imported_file and expected_file and os.path.samefile(imported_file, expected_file)
        ):
            message = f"pyproject.toml: engine {engine.name!r} imports {name} from {imported_file}, and not from {expected_file}"
            return f'{message}\n    set `path` of [tool.snippetcheck.engines.{engine.name}], as in path = ["."]'
    return ""


class Client:
    """The base of EngineClient and SubprocessClient, which run programs on one engine. Each submitted program is a job with an id.

    Args:
        hash_seed: the PYTHONHASHSEED of the programs, which determines the order of sets of strings.
        time_zone: the value of TZ, in POSIX syntax.
    """

    def __init__(self, engine: Engine, hash_seed: int = 0, time_zone: str = "UTC"):
        self.engine = engine
        self.hash_seed, self.time_zone = hash_seed, time_zone
        self._job_ids = itertools.count(1)
        self._pending: dict[int, Snippet] = {}  # by job id, in the order of the calls of `submit`
        self._failure = ""  # why the engine cannot be imported
        self.marker = f"SNIPPET_RUN={secrets.token_hex(8)}"  # in the environment of all processes of this client

    def environment(self, folder: Path) -> dict[str, str]:
        """Return the environment variables of a process of this client. `folder` is its home and its temporary folder."""
        names = (*KEPT_ENVIRONMENT, *self.engine.environment)
        inherited = {name: os.environ[name] for name in names if name in os.environ}
        return {
            "LANG": "C.UTF-8",
            "COLUMNS": "80",
            "LINES": "24",
            "MPLBACKEND": "Agg",
            "OMP_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            **inherited,
            "HOME": str(folder),
            "TMPDIR": str(folder),
            "TZ": self.time_zone,
            "PYTHONHASHSEED": str(self.hash_seed),
            **dict([self.marker.split("=")]),
        }

    def submit(self, snippet: Snippet) -> int:
        """Send or queue a program and return the id of its job. Raises EngineError if the engine cannot be imported."""
        raise NotImplementedError

    def result(self, job_id: int) -> Run:
        """Wait for the end of a job and return its run. Raises EngineError if the engine cannot be started or the job was abandoned."""
        raise NotImplementedError

    def abandoned_error(self, job_id: int) -> EngineError:
        """Return the error that `result` raises for a job that was abandoned, or whose run was returned before."""
        message = f"job {job_id} on engine {self.engine.name!r} was abandoned"
        return EngineError(f"{message}\n    submit the program again")

    def close(self) -> None:
        """End all processes and forget the jobs."""
        raise NotImplementedError

    def run(self, snippet: Snippet) -> Run:
        """Run one snippet and return its run. Raises the errors of `submit` and `result`."""
        return self.result(self.submit(snippet))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

"""Build the job of a program, and the command and the environment of the process that runs it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from snippetcheck.cache import passed_environment
from snippetcheck.engines import KEPT_ENVIRONMENT, Engine, find
from snippetcheck.snippet import Snippet


def build_job(job_id: int, snippet: Snippet, engine: Engine) -> dict[str, Any]:
    """Return the job of a snippet as plain values."""
    return {
        "id": job_id,
        "path": str(snippet.path.resolve()),
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


def start_program(call: str) -> str:
    """Return a program for `python -c` that imports from snippetcheck.runner. `call` is, say, `server import main; main()`."""
    package = str(Path(__file__).resolve().parents[2])
    # Import only this package from its folder, which may be that of all installed packages.
    return (
        f"import sys; sys.path[:1] = [{package!r}]; import snippetcheck; del sys.path[0];"
        f"from snippetcheck.runner.{call}"
    )


def clean_environment(engine: Engine, folder: Path, hash_seed: int, time_zone: str, marker: str = "") -> dict[str, str]:
    """Return the environment of a clean shell. `marker` is an additional variable, as `NAME=value`."""
    names = (*KEPT_ENVIRONMENT, *engine.environment)
    inherited = {name: os.environ[name] for name in names if name in os.environ}
    return inherited | {
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        "TZ": time_zone,
        "COLUMNS": "80",
        "LINES": "24",
        "MPLBACKEND": "Agg",
        "PYTHONHASHSEED": str(hash_seed),
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        **dict([marker.split("=")] if marker else []),
    }


def origin_problem(engine: Engine, origins: Mapping[str, str | None]) -> str:
    """Return a message if the server imported another engine than this process would, else an empty string.

    The server ignores the working directory and PYTHONPATH. The cache key is made from the modules that this process finds.
    """
    for name, imported in origins.items():
        expected = getattr(find(name, engine.path), "origin", None)
        if imported != expected and not (imported and expected and os.path.samefile(imported, expected)):
            message = f"engine {engine.name!r} imports {name} from {imported}, and not from {expected}"
            return f'{message}\n    set `path` of [tool.snippetcheck.engines.{engine.name}], as in path = ["."]'
    return ""

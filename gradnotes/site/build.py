"""Build the site: generate the sources, run MkDocs, finish.

    python -m gradnotes.site.build [SITE]

The three steps, generate.py, `mkdocs build` and finish.py, run in one process, so that modules are imported, and snippets
and pages parsed, only once. SITE is the folder to write, by default `site`. All steps run, also after a problem, so that
one build reports every problem. The exit code is 1 if there is any.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path

from mkdocs.__main__ import cli

from gradnotes.fences.extension import project
from gradnotes.mkdocs_plugin import GradnotesPlugin
from gradnotes.site import finish, generate


def main() -> int:
    """Build the site of the project in the working directory; return the exit code."""
    gc.disable()  # the objects of a build live until its end, and collections would take a fifth of its time
    site = sys.argv[1] if sys.argv[1:] else "site"
    problems = generate.generate_for(project(Path.cwd()))
    for problem in problems:
        print(problem, file=sys.stderr)
    GradnotesPlugin.continues_build = True
    codes = [_exit_code(cli, ["build", "--site-dir", site]), finish.main([site])]
    return 1 if problems or any(codes) else 0


def _exit_code(command: Callable[[list[str]], object], arguments: list[str]) -> object:
    """Run a command of click, which ends with SystemExit, and return its exit code."""
    try:
        return command(arguments)
    except SystemExit as end:
        return end.code


if __name__ == "__main__":
    raise SystemExit(main())

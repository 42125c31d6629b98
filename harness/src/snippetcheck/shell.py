"""Commands that messages print, for the reader to paste."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path


def python_command(*arguments: str | Path) -> str:
    """Return a command line that runs this Python with these arguments, quoted for a shell in the current folder.

    The interpreter is `.venv/bin/python` where it lies below the current folder, `python` where that is it, else its whole path.
    """
    return shlex.join([_interpreter(), *map(str, arguments)])


def _interpreter() -> str:
    executable = os.path.abspath(sys.executable)
    relative_path = os.path.relpath(executable)
    if not relative_path.startswith(os.pardir + os.sep):
        return relative_path if os.sep in relative_path else os.path.join(os.curdir, relative_path)
    python = shutil.which("python")
    return "python" if python and os.path.abspath(python) == executable else executable

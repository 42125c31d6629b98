"""Return advice about errors that the browser causes, not the program."""

from __future__ import annotations

import re
import sys

from snippetcheck.outcome import RaisedError

_INPUT = (
    "A program in a page has no keyboard input, so `input()` finds nothing to read. "
    'Write the value into the program instead, such as `name = "Ada"`.'
)
_ASYNCIO = (
    "`asyncio.run` cannot run here, because the browser already runs an event loop of its own. "
    "Copy the program and run it in a Python on your computer."
)
_AWAIT = (
    "Outside a function, `await` works only in a notebook. Write it in an `async def`, and run that on your computer."
)
_PROMPTS = (
    "The program has Python's prompts in it. Remove `>>>` and what was printed between them, "
    "or paste the whole session into an empty editor, which does that."
)
_MEMORY = "The program asked for more memory than a page can have, which is 4 GB at most. Use smaller tensors, or keep fewer of them."
_PROCESS = (
    "A page has one thread and one process, and a program cannot start another. "
    "Set `num_workers=0` in a `DataLoader`, or run the program in a Python on your computer."
)
_NETWORK = (
    "A program in a page has no network. Write the data into the program, or run it in a Python on your computer."
)
_MODULE = "`{}` is not available here. A program in a page has the standard library of Python, NumPy, and `torch` as reference_impl."

# (pattern of the error type, pattern of the beginning of the message, advice)
_SENTENCES = (
    (r"EOFError", r"EOF when reading a line", _INPUT),
    (r"RuntimeError", r".*stack switch|asyncio\.run\(\) cannot be called|Cannot stack switch", _ASYNCIO),
    (r"SyntaxError", r"'await' outside function", _AWAIT),
    (r"_?\w*MemoryError", r"", _MEMORY),
    (r"ValueError", r"array is too big|Maximum allowed (?:size|dimension) exceeded", _MEMORY),
    (r"OverflowError", r"cannot fit 'int' into an index-sized integer", _MEMORY),
    (r"RuntimeError", r"can't start new thread", _PROCESS),
    (r"OSError", r"\[Errno 138\]", _PROCESS),
    (r"ModuleNotFoundError", r"No module named '_(?:multiprocessing|posixsubprocess|posixshmem)'", _PROCESS),
    (r"RuntimeError", r"TLS not supported", _NETWORK),
    (r"URLError|gaierror", r"", _NETWORK),
)


def advice(kind: str, message: str, line: str | None = None) -> str:
    """Return advice about an error, with code in backticks; empty if the browser is not its cause.

    `line` is the source line of a syntax error.
    """
    if line and line.lstrip().startswith(">>>"):
        return _PROMPTS
    for kind_pattern, message_pattern, sentence in _SENTENCES:
        if re.fullmatch(kind_pattern, kind) and re.match(message_pattern, message):
            return sentence
    missing = re.match(r"No module named '(\w+)", message) if kind == "ModuleNotFoundError" else None
    return _MODULE.format(missing[1]) if missing and missing[1] not in ("torch", *sys.stdlib_module_names) else ""


def advice_for(error: RaisedError | None) -> str:
    """Return advice about the error of a statement; empty if it raised none."""
    return advice(error.type, error.message) if error else ""

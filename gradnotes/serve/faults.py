"""Collect the faults of the served site (messages about mistakes in its files), print them, and show them on its pages."""

from __future__ import annotations

import contextlib
import logging
import re
import sys
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path

import jinja2
from mkdocs.exceptions import MkDocsException, PluginError

from gradnotes.problems import InputError, RendererError
from gradnotes.templating import render

OWN_FAULT = "this is a fault of gradnotes itself: the terminal has the traceback"


class _Lines(logging.Handler):
    """The log handler that appends each warning to the list of the innermost `collect_warnings` block."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.blocks: list[list[str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        if self.blocks:
            self.blocks[-1].append(record.getMessage())


_lines = _Lines()


@contextlib.contextmanager
def collect_warnings() -> Iterator[list[str]]:
    """Collect the warnings that MkDocs and its plugins log within the `with` block, instead of printing them."""
    logger = logging.getLogger("mkdocs")
    logger.addHandler(_lines)
    was_propagating, logger.propagate = logger.propagate, False
    _lines.blocks.append([])
    try:
        yield _lines.blocks[-1]
    finally:
        _lines.blocks.pop()
        logger.propagate = was_propagating


def describe(error: BaseException, name: str, root: Path) -> str:
    """Return a text about an exception for an author of pages: location, message, and usually a remedy.

    `name` is the location if the exception has none. If the cause is a bug in gradnotes, also print the traceback.
    """
    if isinstance(error, InputError):
        return f"{error.message}\n    {error.remedy}"
    if isinstance(error, jinja2.TemplateError):
        return _describe_template_error(error, root)
    if isinstance(error, PluginError):
        return str(error)
    if isinstance(error, MkDocsException | OSError):
        text = " ".join(str(error).split()) or type(error).__name__
        line = re.search(r"\bline (\d+)", text)
        return f"{name.partition(':')[0]}:{line[1] if line else 1}: {text}\n    correct it, or undo the last change"
    traceback.print_exception(error)
    if isinstance(error, RendererError):
        return f"{error}\n    {OWN_FAULT}"  # the message begins with page and line
    return f"{name}: {type(error).__name__}: {error}\n    {OWN_FAULT}"


def _describe_template_error(error: jinja2.TemplateError, root: Path) -> str:
    """Return a message about a template error, located at the syntax error or in the innermost template that ran."""
    file, line = "overrides", 1
    if isinstance(error, jinja2.TemplateSyntaxError):
        file, line = error.filename or error.name or file, error.lineno
    else:
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.filename.endswith(".html"):
                file, line = frame.filename, frame.lineno or 1
    path = Path(file).relative_to(root) if Path(file).is_relative_to(root) else Path(file)
    return f"{path}:{line}: {type(error).__name__}: {error.message}\n    correct the template"


class Faults:
    """All faults of the site, by source: a page, or a step of the build such as "search". It is thread-safe."""

    def __init__(self) -> None:
        # never modified, only replaced: other threads read it without the lock
        self._by_source: dict[str, list[str]] = {}
        self._printed_faults: set[str] = set()
        self._lock = threading.Lock()  # held by a thread that replaces `_by_source`

    def replace(self, source: str, lines: list[str]) -> None:
        """Replace the faults of a source, and print the faults that are new."""
        with self._lock:
            self._by_source = {**self._by_source, source: [_shorten(line) for line in lines]}
            faults = self.all()
            for fault in faults:
                if fault not in self._printed_faults:
                    print(fault, file=sys.stderr, flush=True)
            self._printed_faults = set(faults)

    def keep_only(self, sources: set[str]) -> None:
        """Remove the faults of all sources that are not in `sources`."""
        with self._lock:
            self._by_source = {source: lines for source, lines in self._by_source.items() if source in sources}

    def all(self) -> list[str]:
        """Return each fault once, even if several pages have it."""
        faults: dict[str, str] = {}
        for lines in self._by_source.values():
            for line in lines:
                cause = _ON_PAGE.match(line)
                faults.setdefault(line[cause.end() :] if cause else line, line)
        return list(faults.values())

    def panel(self, address: str) -> str:
        """Return the faults as HTML for the page at `address`, its own faults first; "" without faults."""
        faults = self.all()
        if not faults:
            return ""
        stem = address.removesuffix(".html")
        sources = (f"{stem}.md:", f"{stem}.ipynb:", f"i18n/{stem}.md:")
        page_faults = [fault for fault in faults if fault.startswith(sources)]
        other_faults = [fault for fault in faults if fault not in page_faults]
        groups = [("on this page", page_faults), ("elsewhere", other_faults)]
        return str(render("faults", groups=groups))  # str, because Markup + page would escape the page


_ON_PAGE = re.compile(r"[^\s:]+:\d+: (?=[^\s:]+:\d+: )")  # the location on a page, if the location of the cause follows


def _shorten(fault: str, limit: int = 6) -> str:
    """Return a fault. If it has more than `limit` + 1 lines, cut it after `limit` and say how many are left out."""
    lines = fault.split("\n")
    left_out = len(lines) - limit
    return "\n".join([*lines[:limit], f"    and {left_out} more"]) if left_out > 1 else fault

"""Collect the problems of the served site: print each once, and show them at the top of its pages."""

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

OURS = "this is a fault of gradnotes itself: the terminal has the traceback"


class _Lines(logging.Handler):
    """Pass each warning to the innermost block that collects them."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.blocks: list[list[str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        if self.blocks:
            self.blocks[-1].append(record.getMessage())


_lines = _Lines()


@contextlib.contextmanager
def collect_warnings() -> Iterator[list[str]]:
    """Collect the warnings that MkDocs and its plugins log within the block, instead of printing them."""
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
    """Describe an exception for an author: file and line, message, and remedy.

    The traceback of an error in gradnotes itself is printed.
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
        return f"{error}\n    {OURS}"  # the message begins with page and line
    return f"{name}: {type(error).__name__}: {error}\n    {OURS}"


def _describe_template_error(error: jinja2.TemplateError, root: Path) -> str:
    """Describe a template error with the line of the innermost template in the traceback."""
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
    """All faults of the site, by source."""

    def __init__(self) -> None:
        self._by_source: dict[str, list[str]] = {}  # replaced as a whole, so that other threads can read it meanwhile
        self._printed: set[str] = set()
        self._lock = threading.Lock()  # of the writers

    def replace(self, source: str, lines: list[str]) -> None:
        """Replace the faults of one source; print those that are new."""
        with self._lock:
            self._by_source = {**self._by_source, source: [_shorten(line) for line in lines]}
            faults = self.all()
            for fault in faults:
                if fault not in self._printed:
                    print(fault, file=sys.stderr, flush=True)
            self._printed = set(faults)

    def keep_only(self, sources: set[str]) -> None:
        """Remove the faults of all sources that are not in `sources`."""
        with self._lock:
            self._by_source = {source: lines for source, lines in self._by_source.items() if source in sources}

    def all(self) -> list[str]:
        """Return every fault once, although several pages may show the same one."""
        faults: dict[str, str] = {}
        for lines in self._by_source.values():
            for line in lines:
                cause = _ON_PAGE.match(line)
                faults.setdefault(line[cause.end() :] if cause else line, line)
        return list(faults.values())

    def panel(self, address: str) -> str:
        """Return the faults as HTML, those of the page at `address` first; empty without faults."""
        faults = self.all()
        if not faults:
            return ""
        stem = address.removesuffix(".html")
        page_faults = [fault for fault in faults if fault.startswith((f"{stem}.md:", f"{stem}.ipynb:"))]
        other_faults = [fault for fault in faults if fault not in page_faults]
        groups = [("on this page", page_faults), ("elsewhere", other_faults)]
        return str(render("faults", groups=groups))  # a plain text: joining it to a page must not escape the page


_ON_PAGE = re.compile(r"[^\s:]+:\d+: (?=[^\s:]+:\d+: )")  # a page, before the location of the cause


def _shorten(fault: str, most: int = 6) -> str:
    """Shorten a fault with a long list."""
    lines = fault.split("\n")
    rest = len(lines) - most
    return "\n".join([*lines[:most], f"    and {rest} more"]) if rest > 1 else fault

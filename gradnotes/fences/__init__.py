"""Render fences on pages, as a Python-Markdown extension. Fences embed files that ran, never typed output.

    ``` snippet           a file under snippets/, or a region of it
    ``` predict           a snippet with a question that is asked before its output is shown
    ``` exercise          a file under exercises/, to be repaired, written or pointed at
    ``` checkpoint        the reader's progress on a page, with links to read again
    ``` engine            a function or class of the engine, by symbol
    ``` ideas             the ideas in some lines of a note, with links to where they are taught
    ``` errata            the corrections of the notes; a page that proves some shows them folded at its end
    ``` evidence          a table from a file that a run wrote
    ``` steps             the recorded backward pass of a snippet, to step through
    ``` figure            a figure, drawn from the recording of a snippet
    ``` {.text illustrative="reason"}   a block that is not run, and why

A misspelt or missing name is an error with page, line and remedy. The extension depends on Python-Markdown,
pymdown-extensions, Pygments and math-core; from MkDocs it only gets the name of the page.
"""

from __future__ import annotations

from typing import Any

from gradnotes.fences.extension import SnippetFences

__all__ = ["SnippetFences", "makeExtension"]


def makeExtension(**config: Any) -> SnippetFences:
    """Build the extension; Python-Markdown calls this entry point."""
    return SnippetFences(**config)

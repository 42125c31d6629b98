"""Render fences on pages, as a Python-Markdown extension. All output that a fence shows comes from runs.

    ``` snippet           a file under snippets/, or a region of it
    ``` predict           a snippet with a question; the reader answers before the output is shown
    ``` exercise          a file under exercises/: a program to repair or write, or a choice of lines, tensors or nodes
    ``` checkpoint        the reader's progress on a page, with links to read again
    ``` engine            the source of a function or class of reference_impl
    ``` ideas             the ideas in some lines of a note, with links to the pages that teach them
    ``` errata            the corrections of the notes
    ``` evidence          a table from a file that a run wrote
    ``` steps             the recorded backward pass of a snippet, to step through
    ``` figure            a figure, drawn from the recording of a snippet
    ``` {.text illustrative="reason"}   a block that is not run, and why

A mistake in a fence, such as a misspelt key or file name, is reported with page, line and remedy. The extension depends
on Python-Markdown, pymdown-extensions, Pygments and math-core. It needs nothing of MkDocs but the name of the page.
"""

from __future__ import annotations

from typing import Any

from gradnotes.fences.extension import SnippetFences

__all__ = ["SnippetFences", "makeExtension"]


def makeExtension(**config: Any) -> SnippetFences:
    """Build the extension; Python-Markdown calls this entry point."""
    return SnippetFences(**config)

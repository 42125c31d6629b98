"""A Python-Markdown extension: fences that show files which ran, never text that was typed.

    ``` snippet           a file under snippets/, or a region of it
    ``` predict           a snippet that asks before it shows what comes out
    ``` exercise          a file under exercises/, to be repaired, written or pointed at
    ``` checkpoint        what is done of a page, and where to read again
    ``` engine            a function or class of the engine, by symbol
    ``` ideas             what a note says in some of its lines, and where it is taught
    ``` errata            what of the notes misleads today; a page that proves one of these shows it folded at its end
    ``` evidence          a table from a file that a run wrote
    ``` steps             the recorded backward pass of a snippet, to step through
    ``` figure            a figure, drawn from what a snippet's run recorded
    ``` {.text illustrative="reason"}   a block that is not run, and why

What is misspelt or missing is an error with page, line and remedy. It depends on Python-Markdown,
pymdown-extensions, Pygments and math-core; of MkDocs it knows only where to ask for the name of the page.
"""

from __future__ import annotations

from typing import Any

from gradnotes.fences.extension import SnippetFences

__all__ = ["SnippetFences", "makeExtension"]


def makeExtension(**config: Any) -> SnippetFences:
    """The entry point that Python-Markdown looks for."""
    return SnippetFences(**config)

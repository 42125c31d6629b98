"""Render the fences of a page, as a Python-Markdown extension:

    ``` snippet           a file under snippets/, or a region of it
    ``` predict           a snippet with a question; the reader answers before the output is shown
    ``` exercise          a file under exercises/: a program to repair or write, or a choice of lines, tensors or nodes
    ``` checkpoint        the reader's progress on a page, with links to read again
    ``` summary           the lists under *In short* of all pages of the path
    ``` glossary          all terms with their definitions
    ``` errors            all errors and warnings of the snippets, by type
    ``` card              an error message with its cause and repair, quoted from a page
    ``` engine            the source of a function or class of reference_impl
    ``` module            a module of reference_impl, its docstrings beside its code
    ``` operations        the operations of reference_impl
    ``` names             the names of torch that reference_impl has and lacks
    ``` ideas             the ideas in some lines of a note (docs/notes/), with links to the pages that teach them
    ``` errata            all corrections of the notes
    ``` evidence          a table from a file that a run wrote
    ``` verdict           the numbers of examples, mutants, operations and modules that passed, in a line
    ``` steps             the recorded backward pass of a snippet, to step through
    ``` figure            a figure drawn from the recorded run of a snippet
    ``` {.text illustrative="reason"}   a block that is not run, with the reason

Authors do not type output into fences: it comes from runs of the snippets, or from files that a run wrote. A mistake
in a fence, such as a misspelt key or file name, is reported with page, line and remedy. The extension does not import
MkDocs: the site generator, MkDocs or Zensical, only tells it the path of the page.
"""

from __future__ import annotations

from typing import Any

from gradnotes.fences.extension import SnippetFences

__all__ = ["SnippetFences", "makeExtension"]


def makeExtension(**config: Any) -> SnippetFences:
    """Build the extension; Python-Markdown calls this entry point."""
    return SnippetFences(**config)

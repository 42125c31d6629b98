"""A Python-Markdown extension that renders snippets with title, code and output.

    markdown.markdown(text, extensions=["snippetcheck.markdown"])

It renders each fence that embeds a snippet: of type `snippet`, or of another type with `shows_file`. It ignores other fences.
It needs Python-Markdown and Pygments: `pip install snippetcheck[markdown]`.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Callable, Iterable
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers.python import PythonLexer

from snippetcheck.fence_types import check_snippet_exists
from snippetcheck.pages import Fence, embeds_snippet, find_fences
from snippetcheck.settings import Settings, load_settings
from snippetcheck.snippet import Snippet, excerpt_parts, excerpt_span

_CLASSES = {">": "snippet-prints", "!": "snippet-raises", "~": "snippet-warns"}
BEFORE_FENCED_CODE = 26  # the extensions of Python-Markdown and pymdown-extensions have priority 25


class RenderError(Exception):
    """A fence cannot be rendered. `str(error)` has the line of the fence, the message and the remedy."""


class SnippetExtension(Extension):
    """The Markdown extension. Its option `root` is the folder with the project's pyproject.toml."""

    def __init__(self, **config: Any):
        self.config = {"root": [".", "the folder with pyproject.toml"]}
        super().__init__(**config)

    def extendMarkdown(self, md: Markdown) -> None:
        """Register a preprocessor that runs before the extensions for other fences.

        Raises SettingsError if the settings are malformed or a module of fence types cannot be imported.
        """
        settings = load_settings(self.getConfig("root"))
        settings.register_fences()
        md.preprocessors.register(_Fences(md, settings), "snippetcheck", BEFORE_FENCED_CODE)


class _Fences(Preprocessor):
    def __init__(self, md: Markdown, settings: Settings):
        super().__init__(md)
        self.settings = settings

    def run(self, lines: list[str]) -> list[str]:
        """Return the lines of a page with a placeholder for each fence that embeds a snippet. Raises the errors of `render`."""
        blocks = find_fences("\n".join(lines))
        fences = [block for block in blocks if embeds_snippet(block) or (block.kind == "snippet" and block.problem)]
        return replace_fences(lines, fences, lambda fence: self.md.htmlStash.store(self.render(fence)))

    def render(self, fence: Fence) -> str:
        """Return the snippet of a fence as HTML. Raises RenderError, or SnippetError if the snippet is malformed."""
        name = fence.keys.get("file", "")
        path = self.settings.snippets_dir / name
        snippet_by_name = {name: self.settings.load(path)} if name and os.path.isfile(path) else {}
        problems = [(fence.problem, fence.remedy)] if fence.problem else check_snippet_exists(fence, snippet_by_name)
        for message, remedy in problems:
            raise RenderError(f"line {fence.problem_line or fence.line} of the text: {message}\n    {remedy}")
        return as_html(snippet_by_name[name], fence.keys.get("region"))


def replace_fences(lines: list[str], fences: Iterable[Fence], render: Callable[[Fence], str]) -> list[str]:
    """Return the lines with the result of `render`, one line, in place of each fence.

    The line gets the indentation and the `>` signs of the fence. A blank line separates it
    from adjoining text, but not from text before a list item that it begins.
    """
    output, after = list[str](), 0
    for fence in fences:
        first, end = fence.line - 1, fence.last_line
        depth = re.split("`{3,}|~{3,}", lines[first], maxsplit=1)[0]
        is_item = bool(depth.strip(" >"))  # it begins a list item
        blank = "" if is_item else depth.rstrip()
        output += lines[after:first]
        output += [blank] if first > after and lines[first - 1].strip(" >") and not is_item else []
        output.append(depth + render(fence))
        output += [blank] if end < len(lines) and lines[end].strip(" >") else []
        after = end
    return output + lines[after:]


def as_html(snippet: Snippet, region: str | None = None) -> str:
    """Return the HTML of a snippet or a region: the title, and the program with its expected output.

    Raises KeyError for an unknown region.
    """
    highlighted_lines = highlight(snippet.text, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)).split("\n")
    html_lines = []
    for sign, numbers in excerpt_parts(snippet, *excerpt_span(snippet, region)):
        lines = "\n".join(
            highlighted_lines[number - 1] if sign is None else html.escape(snippet.lines[number - 1])
            for number in numbers
        )
        html_lines.append(lines if sign is None else f'<span class="{_CLASSES[sign]}">{lines}</span>')
    program = "\n".join(html_lines)
    return (
        f'<div class="snippet"><p class="snippet-title">{html.escape(snippet.title)}</p>'
        f'<div class="highlight"><pre tabindex="0"><code>{program}</code></pre></div></div>'
    )


def makeExtension(**config: Any) -> SnippetExtension:
    """Create the extension. This is the entry point of Python-Markdown."""
    return SnippetExtension(**config)

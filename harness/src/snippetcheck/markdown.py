"""A Python-Markdown extension: where a page names a snippet, it shows title, code and outputs.

    markdown.markdown(text, extensions=["snippetcheck.markdown"])

It shows the fences of kinds with `shows_file`, such as `snippet`, and leaves all others to other extensions. It needs
Python-Markdown and Pygments, as `pip install snippetcheck[markdown]` brings them.
"""

from __future__ import annotations

import html
import re
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers.python import PythonLexer

from snippetcheck.kinds import misnamed
from snippetcheck.pages import Fence, find_fences
from snippetcheck.places import shows_a_snippet
from snippetcheck.settings import Settings, load_settings
from snippetcheck.shown import parts, span
from snippetcheck.snippet import Snippet

_CLASSES = {">": "snippet-prints", "!": "snippet-raises", "~": "snippet-warns"}
_BEFORE_FENCED_CODE = 26  # that of Python-Markdown and that of pymdown-extensions have 25


class RenderError(Exception):
    """A fence that cannot be shown: its line in the text that was given, what is wrong, and a remedy."""


class ShownSnippets(Extension):
    """Configuration: `root`, the folder with the project's pyproject.toml."""

    def __init__(self, **config: Any):
        self.config = {"root": [".", "the folder with pyproject.toml"]}
        super().__init__(**config)

    def extendMarkdown(self, md: Markdown) -> None:
        """Take the fences before another extension does. Raises SettingsError."""
        settings = load_settings(self.getConfig("root"))
        settings.register_fences()
        md.preprocessors.register(_Fences(md, settings), "snippetcheck", _BEFORE_FENCED_CODE)


class _Fences(Preprocessor):
    def __init__(self, md: Markdown, settings: Settings):
        super().__init__(md)
        self.md: Markdown = md
        self.settings = settings

    def run(self, lines: list[str]) -> list[str]:
        """Put a sign for its HTML in the place of each fence, at the same depth of lists, tabs and quotations."""
        done, after = [], 0
        for fence in find_fences("\n".join(lines)):
            if shows_a_snippet(fence) or (fence.kind == "snippet" and fence.problem):
                depth = re.split("`{3,}|~{3,}", lines[fence.line - 1], maxsplit=1)[0]
                blank = depth.rstrip() if not depth.strip(" >") else ""  # in quotations
                before = [] if depth.strip(" >") else [blank]  # none where a list item begins with it
                done += [
                    *lines[after : fence.line - 1],
                    *before,
                    depth + self.md.htmlStash.store(self.shown(fence)),
                    blank,
                ]
                after = fence.last_line
        return done + lines[after:]

    def shown(self, fence: Fence) -> str:
        """The fence as HTML. Raises RenderError, and SnippetError for a snippet that is not as it should be."""
        name = fence.keys.get("file", "")
        path = self.settings.snippets_dir / name
        found = {name: self.settings.load(path)} if name and path.is_file() else {}
        wrong = [(fence.problem, fence.remedy)] if fence.problem else misnamed(fence, found)
        for message, remedy in wrong:
            raise RenderError(f"line {fence.problem_line or fence.line} of the text: {message}\n    {remedy}")
        return as_html(found[name], fence.keys.get("region"))


def as_html(snippet: Snippet, region: str | None = None) -> str:
    """A snippet, or a region of it: its title, and its program with what each statement prints, raises or warns of."""
    title, coloured = html.escape(snippet.title), _coloured(snippet.text)
    shown = []
    for sign, numbers in parts(snippet, *span(snippet, region)):
        lines = "\n".join(
            coloured[number - 1] if sign is None else html.escape(snippet.lines[number - 1]) for number in numbers
        )
        shown.append(lines if sign is None else f'<span class="{_CLASSES[sign]}">{lines}</span>')
    program = "\n".join(shown)
    return (
        f'<div class="snippet"><p class="snippet-title">{title}</p>'
        f'<div class="highlight"><pre tabindex="0"><code>{program}</code></pre></div></div>'
    )


def _coloured(text: str) -> list[str]:
    """Each line as HTML; Pygments lets no element span two lines."""
    return highlight(text, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)).split("\n")


def makeExtension(**config: Any) -> ShownSnippets:
    """The entry point that Python-Markdown looks for."""
    return ShownSnippets(**config)

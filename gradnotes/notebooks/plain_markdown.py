"""Convert the Markdown of a page to Markdown that Jupyter, VS Code and GitHub render.

They know neither admonitions nor attribute lists, and a download has no other pages beside it, so that each link needs
the address of the published page.
"""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from snippetcheck.pages import Fence

from gradnotes.links import address

_BOX = re.compile(r'(?P<mark>!!!|\?\?\?\+?) +(?P<kind>[\w-]+)(?: +"(?P<title>.*)")? *$')
_INDENT = 4  # spaces before the text of a box
_HEADING_ATTRIBUTES = re.compile(r"(?m)^(#{1,6} .*?)[ \t]*\{:?[ \t]*[#.][^{}]*\}[ \t]*$")
_SITE_ONLY_LINE = re.compile(r"(?m)^[ \t]*(?:\{:[^{}\n]*\}|<div\b[^>\n]*>|</div>|<button\b.*</button>)[ \t]*\n?")
# Code spans and displayed formulas stay as they are; comments are removed, and links become absolute.
_INLINE = re.compile(
    r"(?P<code>(?<![\\`])(?P<ticks>`+)(?!`)(?:.|\n(?!\n))*?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<formula>\$\$.*?\$\$)"
    r"|(?P<comment><!--.*?-->\n?)"
    r"|\[(?P<text>(?:[^\[\]`]|`[^`]*`|\[[^\[\]]*\])*)\]\((?P<target>[^()\s]+)\)",
    re.DOTALL,
)
_TITLE_PART = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*")


@dataclass(frozen=True)
class Links:
    """Write the links of a page for readers who have only the notebook."""

    page: str  # below docs/
    site: str  # address of the published site, with a slash at its end, or empty

    def address(self, target: str) -> str:
        """Return the absolute address of a link target on the page, or "" if the site has no address.

        A target with a scheme, such as `https:`, is returned unchanged, also without a site.
        """
        path, mark, section = target.partition("#")
        if re.match(r"[a-z]+:", target):
            return target
        linked_page = posixpath.normpath(posixpath.join(posixpath.dirname(self.page), path)) if path else self.page
        return f"{self.site}{address(linked_page)}{mark}{section}" if self.site else ""

    def link(self, text: str, target: str) -> str:
        """Return a link in Markdown, or only its text if `address` returns "" for the target."""
        absolute = self.address(target)
        return f"[{text}]({absolute})" if absolute else text


@dataclass(frozen=True)
class Box:
    """An admonition or a fold: its title, and its lines without indentation."""

    title: str
    is_fold: bool
    lines: list[tuple[int, str]]


Lines = list[tuple[int, str]]  # (number in the file, text)


def parts(lines: Lines, fences: Mapping[int, Fence]) -> Iterator[str | Box | Fence]:
    """Split the lines of a page into texts, which may be empty, boxes and fences.

    `fences` maps the number of the first line of a fence to the fence.
    """
    text: list[str] = []
    index = 0
    while index < len(lines):
        number, line = lines[index]
        opening = _BOX.match(line)
        if number not in fences and not opening:
            text.append(line)
            index += 1
            continue
        yield "\n".join(text)
        text = []
        if number in fences:
            yield fences[number]
            end = next((i for i, (n, _) in enumerate(lines) if n > fences[number].last_line), len(lines))
        else:
            assert opening
            end = index + 1
            while end < len(lines) and (not lines[end][1].strip() or lines[end][1].startswith(" " * _INDENT)):
                end += 1
            body = [(n, line[_INDENT:]) for n, line in lines[index + 1 : end]]
            title = opening["title"] if opening["title"] is not None else opening["kind"].capitalize()
            yield Box(title, opening["mark"] != "!!!", body)
        index = end
    yield "\n".join(text)


def plain(text: str, links: Links) -> str:
    """Return a text of a page with absolute links and without syntax of this site. The text must have neither fences nor boxes."""
    text = _HEADING_ATTRIBUTES.sub(r"\1", text)
    text = _SITE_ONLY_LINE.sub("", text)

    def replace(match: re.Match[str]) -> str:
        if match["comment"]:
            return ""
        return links.link(match["text"], match["target"]) if match["target"] else match[0]

    return _INLINE.sub(replace, text).strip("\n")


def fold(title: str, body: str) -> str:
    """Return a fold in HTML around a text in Markdown. The blank lines make renderers read the text as Markdown."""
    return f"<details>\n<summary><b>{_title_html(title)}</b></summary>\n\n{body}\n\n</details>"


def code_block(text: str, language: str = "") -> str:
    """Return a fenced block of code. Its fence is longer than any fence in the text."""
    longest = max((len(ticks) for ticks in re.findall(r"`{3,}", text)), default=2)
    marks = "`" * (longest + 1)
    return f"{marks}{language}\n{text}\n{marks}"


def _title_html(title: str) -> str:
    """Render code, bold and italic type in a title as HTML, since renderers do not read Markdown in a `<summary>`."""

    def replace(match: re.Match[str]) -> str:
        code, bold, italic = match.groups()
        return f"<code>{code}</code>" if code else f"<b>{bold}</b>" if bold else f"<i>{italic}</i>"

    return _TITLE_PART.sub(replace, html.escape(title, quote=False))

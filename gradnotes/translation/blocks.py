"""Split a page into blocks: paragraphs, headings, list items, tables, admonitions and fences, in page order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from markdown.extensions.toc import slugify
from snippetcheck.pages import Fence, after_front_matter, find_fences

from gradnotes.notes.chinese import text_hash

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
# A line that begins a block without a blank line before it.
_START = re.compile(r" *(?:#+ |!!! |\?\?\?\+? |[-*+] |\d+[.)] )")
_KINDS = (
    ("heading", re.compile(r"(?P<level>#+) ")),
    ("box", re.compile(r"!!! (?P<level>\w+)")),
    ("fold", re.compile(r"\?\?\?\+? (?P<level>\w+)")),
    ("item", re.compile(r"[-*+] ")),
    ("numbered item", re.compile(r"\d+[.)] ")),
    ("table", re.compile(r"\|")),
    ("quotation", re.compile(r"> ?")),
)
_HEADING = re.compile(r"(?P<level>#+) +(?P<title>.*?)(?: *\{ ?#(?P<anchor>[\w-]+)[^}]*\})?\s*")


@dataclass(frozen=True)
class Block:
    """One block of a page."""

    kind: str  # such as "paragraph", "heading 2" or "predict fence"
    line: int  # of its first line in the file
    last_line: int
    text: str  # of a fence, its info string and its body
    fence: Fence | None = None
    quotes: Mapping[str, str] = field(default_factory=dict)  # of an error card, the texts of other pages by key

    @property
    def digest(self) -> str:
        """Return the hash of the block's kind, text and quotes, ignoring line breaks."""
        return text_hash(" ".join([self.kind, self.text, *self.quotes.values()]))

    @property
    def anchor(self) -> str | None:
        """Return the anchor of a heading below level 1, else None."""
        match = _HEADING.fullmatch(self.text.strip())
        if not match or len(match["level"]) == 1:
            return None
        return match["anchor"] or slugify(re.sub(r"[`*]", "", match["title"]), "-")


def parse_blocks(text: str, page: str = "page.md") -> list[Block]:
    """Return the blocks of a page, without its front matter and HTML comments. `page` is its path, for messages."""
    lines = _COMMENT.sub(lambda match: re.sub(r"[^\n]", "", match[0]), text).split("\n")
    fences = {fence.line: fence for fence in find_fences(text, page) if fence.is_delimited}
    blocks: list[Block] = []
    index, begin = after_front_matter(lines), None
    while index <= len(lines):
        line = lines[index] if index < len(lines) else ""
        fence = fences.get(index + 1) if line.strip() else None  # the lines of HTML comments have been emptied
        if begin is not None and (fence or not line.strip() or _START.match(line)):
            blocks.append(_text_block(lines, begin, index))
            begin = None
        if fence:
            body = "\n".join(lines[index + 1 : fence.last_line - 1])
            blocks.append(Block(f"{fence.kind} fence", fence.line, fence.last_line, f"{fence.info}\n{body}", fence))
            index = fence.last_line
            continue
        if begin is None and line.strip():
            begin = index
        index += 1
    return blocks


def _text_block(lines: list[str], begin: int, end: int) -> Block:
    text = "\n".join(lines[begin:end])
    kind = "paragraph"
    for name, pattern in _KINDS:
        if match := pattern.match(text.lstrip()):
            level = match.groupdict().get("level", "")
            kind = f"{name} {len(level) if '#' in level else level}".rstrip()
            break
    return Block(kind, begin + 1, end, text)

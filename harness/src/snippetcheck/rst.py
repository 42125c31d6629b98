"""Find the blocks of code on a reStructuredText page: directives, literal blocks and `>>>` examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_DIRECTIVE = re.compile(
    r" *\.\. (code|code-block|sourcecode|parsed-literal|testcode|testoutput|doctest|prompt|ipython|literalinclude)::(.*)"
)
_ILLUSTRATIVE = re.compile(r" *\.\. illustrative:(?!:)[ ]*(.*)")
_LITERAL = re.compile(r"(?! *\.\. ).*::$")  # a paragraph that ends so announces an indented block
_OPTION = re.compile(r" *:([\w-]+):[ ]*(.*)")
_REGION = re.compile(r"# region: (\S+)")


class Block(NamedTuple):
    """A block of code. Lines are 1-based and inclusive.

    Attributes:
        kind: the name of the directive, `::` or `>>>`.
        argument: a language, or the path of an included file.
        reason: why the block is illustrative, from the comment above it; None without such a comment.
        region: the region of an included file that is shown; empty for the whole file.
    """

    line: int
    last_line: int
    kind: str
    argument: str
    body: tuple[str, ...]
    reason: str | None
    region: str


def find_blocks(lines: list[str]) -> Iterator[Block]:
    """Yield the blocks of code on a page, in the order of lines."""
    index, reason = 0, None
    while index < len(lines):
        line = lines[index]
        directive, comment = _DIRECTIVE.fullmatch(line.rstrip()), _ILLUSTRATIVE.fullmatch(line.rstrip())
        is_prompt = line.lstrip().startswith(">>>")
        end = index + 1
        if directive or _LITERAL.fullmatch(line.rstrip()):
            end = _end_of_block(lines, index, _indent(line) + 1)
        elif is_prompt:
            while end < len(lines) and lines[end].strip():
                end += 1
        if directive or is_prompt or end > index + 1:
            body = tuple(lines[index if is_prompt else index + 1 : end])
            kind, argument = (directive[1], directive[2].strip()) if directive else (">>>" if is_prompt else "::", "")
            yield Block(index + 1, end, kind, argument, body, reason, _region(body))
        if comment:
            reason = comment[1].strip()
        elif line.strip():
            reason = None
        index = end


def _end_of_block(lines: list[str], start: int, indent: int) -> int:
    """Return the index after the last line that is indented by at least `indent`."""
    end = index = start + 1
    while index < len(lines) and (not lines[index].strip() or _indent(lines[index]) >= indent):
        index += 1
        if lines[index - 1].strip():
            end = index
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _region(body: tuple[str, ...]) -> str:
    """Return the region that the option `:start-after: # region: name` names, else an empty string."""
    options = [match for line in body if (match := _OPTION.fullmatch(line.rstrip()))]
    start = next((option[2] for option in options if option[1] == "start-after"), "")
    match = _REGION.search(start)
    return match[1] if match else ""

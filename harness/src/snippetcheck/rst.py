"""Find the blocks of code on a reStructuredText page: directives, literal blocks and `>>>` examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from snippetcheck.fence_types import Fence

INCLUDE = "literalinclude"  # the directive of Sphinx that shows a file
_DIRECTIVE = re.compile(
    r" *\.\. (code|code-block|sourcecode|parsed-literal|testcode|testoutput|doctest|prompt|ipython|literalinclude)::(.*)"
)
_ILLUSTRATIVE = re.compile(r" *\.\. illustrative:(?!:)[ ]*(.*)")
_LITERAL = re.compile(r"(?! *\.\. ).*::$")  # a line that ends in `::` announces an indented block of code
_REGION = re.compile(r"^ *:start-after:.*?# region: (\S+)", re.MULTILINE)


def find_blocks(lines: list[str], page: Path) -> Iterator[Fence]:
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
            kind, argument = (directive[1], directive[2].strip()) if directive else (">>>" if is_prompt else "::", "")
            body = tuple(lines[index if is_prompt else index + 1 : end])
            yield _classify(Fence(page, index + 1, end, "unclassified", argument, body), kind, reason)
        if comment:
            reason = comment[1].strip()
        elif line.strip():
            reason = None
        index = end


def _classify(block: Fence, kind: str, reason: str | None) -> Fence:
    """Return a block of the kind INCLUDE if it shows a file, of the kind `illustrative` if it has a reason, else with a problem.

    `kind` is the name of a directive, `::` or `>>>`.
    """
    if kind == INCLUDE:
        region = _REGION.search("\n".join(block.body))
        return replace(block, kind=kind, keys={"file": block.info, **({"region": region[1]} if region else {})})
    if reason:
        return replace(block, kind="illustrative", reason=reason)
    problem = f"a block that nothing checks: {' '.join([kind, block.info]).strip()!r}"
    remedy = (
        "show a file with `.. literalinclude::`, write `>>>` examples if the setting `examples` names this page, "
        "or write `.. illustrative: why it is not run` above it"
    )
    return replace(block, problem=problem, remedy=remedy)


def _end_of_block(lines: list[str], start: int, indent: int) -> int:
    """Return the index after the last line of the block that begins after `start` and is indented by at least `indent`."""
    end = index = start + 1
    while index < len(lines) and (not lines[index].strip() or _indent(lines[index]) >= indent):
        index += 1
        if lines[index - 1].strip():
            end = index
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())

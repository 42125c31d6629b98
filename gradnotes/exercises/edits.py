"""Apply an answer that is written as an edit of the start, the program with which the reader begins.

Lines with `# - ` are removed, lines with `# + ` are added, lines with `#   ` are context. Blank lines separate
blocks. The removed lines and the context of a block must occur exactly once in the start, to which the blocks before it
have been applied.
"""

from __future__ import annotations

_SIGNS = ("# - ", "# + ", "#   ")


class EditError(Exception):
    """A block of an edit cannot be applied. `index` is the line of the edit that has the mistake, counted from 0."""

    def __init__(self, index: int, message: str, remedy: str):
        super().__init__(message)
        self.index, self.remedy = index, remedy


def is_edit(lines: list[str]) -> bool:
    """Return whether the lines of a section are an edit of the start, not a program.

    An edit has only comments and blank lines, and at least one comment.
    """
    nonblank = [line for line in lines if line.strip()]
    return bool(nonblank) and all(line.startswith("#") for line in nonblank)


def apply_edit(lines: list[str], start: str) -> str:
    """Return the program `start` with the edit `lines` applied.

    Raises:
        EditError: a block is malformed, has no context or does not match exactly once, or the edit changes nothing.
    """
    result = start.split("\n")
    for index, block in _blocks(lines):
        for number, line in enumerate(block):
            if not line.ljust(4).startswith(_SIGNS):
                raise EditError(
                    index + number,
                    f"edit line must begin with `# - `, `# + ` or `#   `, got {line!r}",
                    "correct the line",
                )
        old_lines = [line[4:] for line in block if line[2:3] != "+"]
        new_lines = [line[4:] for line in block if line[2:3] != "-"]
        if not old_lines:
            remedy = "begin the block with the line of the start before it, as `#   line`"
            raise EditError(index, "a block of the edit has no context", remedy)
        positions = [n for n in range(len(result) - len(old_lines) + 1) if result[n : n + len(old_lines)] == old_lines]
        if len(positions) != 1:
            count = "are not in the start" if not positions else f"occur {len(positions)} times in the start"
            raise EditError(
                index, f"the lines to edit {count}", "copy the lines with their indentation; add context lines"
            )
        result[positions[0] : positions[0] + len(old_lines)] = new_lines
    if result == start.split("\n"):
        raise EditError(0, "the edit changes nothing", "remove or add a line")
    return "\n".join(result)


def _blocks(lines: list[str]) -> list[tuple[int, list[str]]]:
    """Split the lines at blank lines into blocks. Return (index of the first line, lines) for each block."""
    blocks: list[tuple[int, list[str]]] = []
    is_first = True
    for index, line in enumerate(lines):
        if not line.strip():
            is_first = True
            continue
        if is_first:
            blocks.append((index, []))
        blocks[-1][1].append(line.rstrip())
        is_first = False
    return blocks

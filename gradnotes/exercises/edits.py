"""An answer as an edit of the start: lines `# - ` go, `# + ` come, `#   ` stay and show where.

Blocks are parted by blank lines. What goes and what stays of a block stands in the start once, in this order.
"""

from __future__ import annotations

_SIGNS = ("# - ", "# + ", "#   ")


class EditError(Exception):
    """A block that does not fit, with the index of its first line."""

    def __init__(self, index: int, message: str, remedy: str):
        super().__init__(message)
        self.index, self.remedy = index, remedy


def is_edit(lines: list[str]) -> bool:
    """Whether the lines of a section are an edit, not a program."""
    written = [line for line in lines if line.strip()]
    return bool(written) and all(line.startswith("#") for line in written)


def apply_edit(lines: list[str], start: str) -> str:
    """The start with the edit. Raises EditError."""
    result = start.split("\n")
    for index, block in _blocks(lines):
        for number, line in enumerate(block):
            if not line.ljust(4).startswith(_SIGNS):
                raise EditError(
                    index + number, f"not a line of an edit: {line!r}", "begin it with `# - `, `# + ` or `#   `"
                )
        old = [line[4:] for line in block if line[2:3] != "+"]
        new = [line[4:] for line in block if line[2:3] != "-"]
        if not old:
            raise EditError(index, "an edit that does not say where", "give the line before it, as `#   line`")
        places = [n for n in range(len(result) - len(old) + 1) if result[n : n + len(old)] == old]
        if len(places) != 1:
            found = "not in the start" if not places else f"in the start {len(places)} times"
            raise EditError(
                index, f"what is to be edited is {found}", "copy its lines, blanks included; add lines that stay"
            )
        result[places[0] : places[0] + len(old)] = new
    if result == start.split("\n"):
        raise EditError(0, "an edit that changes nothing", "take a line out, or put one in")
    return "\n".join(result)


def _blocks(lines: list[str]) -> list[tuple[int, list[str]]]:
    found: list[tuple[int, list[str]]] = []
    fresh = True
    for index, line in enumerate(lines):
        if not line.strip():
            fresh = True
            continue
        if fresh:
            found.append((index, []))
        found[-1][1].append(line.rstrip())
        fresh = False
    return found

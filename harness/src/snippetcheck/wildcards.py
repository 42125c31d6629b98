"""Match printed text against expected lines with wildcards: `...` in a `#>?` line, and ` ...` at the end of a line of a message.

Everything else is literal, dots included. A wildcard stands for one or more characters.
"""

from __future__ import annotations

import re

_WILDCARD = "..."
_REST_OF_MESSAGE = re.compile(r"(?<!\S)\.\.\.$", re.MULTILINE)


def pieces_of_line(text: str) -> list[str]:
    """Split the text of a `#>?` line at its wildcards."""
    return text.split(_WILDCARD)


def pieces_of_message(text: str) -> list[str]:
    """Split the message of an error or a warning at its wildcards: one at the end of a line stands for what follows there."""
    return _REST_OF_MESSAGE.split(text)


def says_nothing(pieces: list[str]) -> bool:
    """Return whether no letter and no digit stands beside a wildcard."""
    return len(pieces) > 1 and not re.search(r"\w", "".join(pieces))


def fits(pieces: list[str], actual: str) -> bool:
    """Return whether `actual` is the pieces with something between them.

    Each piece is matched where it first fits, the last one at the end, so nothing is tried twice. What a blank parts from a
    wildcard may also be parted by a line end: a message may go on in the next line.
    """
    if len(pieces) == 1:
        return pieces[0] == actual
    first, *middle = map(_pattern, pieces[:-1])
    between = "".join(f"(?>.+?{pattern})" for pattern in middle)
    return re.fullmatch(f"{first}{between}.+{re.escape(pieces[-1])}", actual, re.DOTALL) is not None


def _pattern(piece: str) -> str:
    return re.escape(piece[:-1]) + "[ \n]" if piece.endswith(" ") else re.escape(piece)

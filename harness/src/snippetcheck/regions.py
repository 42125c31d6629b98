"""Find the named regions of a program, which pages show one at a time."""

from __future__ import annotations

import re
from collections.abc import Mapping

from snippetcheck.expected import Fail

REGION = re.compile(r"#\s*region\b\s*:?\s*(.*)$")
_REGION_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_END_REGION = re.compile(r"#\s*endregion\b\s*(.*)$")
_FOLD = re.compile(r"#\s*region\b(?!\s*:)")  # begins a fold of Visual Studio Code or PyCharm, which write no colon


def read(
    comments: Mapping[int, tuple[int, str]], spans: list[tuple[int, int]], fail: Fail
) -> tuple[dict[str, tuple[int, int]], frozenset[int]]:
    """Return the line range of each named region, and the lines of the marks of regions and folds.

    A range does not include the marks. A fold of an editor is not a region. `# endregion` ends the innermost open fold
    or region. Marks of folds that are inside statements or never end are left out.

    Args:
        comments: column and text of each comment, by line.
        spans: the first and last line of each statement.
        fail: creates the error from a line, a message and a remedy.

    Raises:
        SnippetError: if a mark of a region is malformed or inside a statement, or a region is empty, repeated, not
            nested, not begun or not ended.
    """
    regions: dict[str, tuple[int, int]] = {}
    marks: set[int] = set()
    open_regions: list[tuple[str, int]] = []  # the name, empty for a fold, and the first line
    has_folds = False
    for line, (column, comment) in sorted(comments.items()):
        start, end = REGION.fullmatch(comment), _END_REGION.fullmatch(comment)
        if start and _FOLD.match(comment):
            open_regions.append(("", line))
        elif end and open_regions and not open_regions[-1][0]:
            if end[1].startswith(":"):
                raise fail(
                    line, "ends a region before the fold inside it", "write `# endregion` before it, for the fold"
                )
            marks |= {open_regions.pop()[1], line}
            has_folds = True
        elif (start or end) and (column or _is_inside(line, spans)):
            raise fail(line, "a region begins or ends inside a statement", "enclose whole top-level statements")
        elif start:
            name = start[1].strip()
            if comment != f"# region: {name}" or not _REGION_NAME.fullmatch(name):
                remedy = "write `# region: name`, in lower case with hyphens"
                raise fail(line, f"not a region: {comment!r}", remedy)
            if name in regions or name in dict(open_regions):
                raise fail(line, f"region {name!r} is repeated", "rename one of the two")
            open_regions.append((name, line))
        elif end:
            if not open_regions:
                raise fail(line, "ends a region, but none is open", "write `# region: name` before it")
            name, first = open_regions.pop()
            if end[1].strip() not in ("", f": {name}", name):
                raise fail(line, f"names another region than {name!r}, which must end first", "write `# endregion`")
            if not any(first < begin and last < line for begin, last in spans):
                raise fail(first, f"region {name!r} is empty", "enclose a statement")
            regions[name] = (first + 1, line - 1)
            marks |= {first, line}
    for name, first in open_regions:
        if name:
            remedy = "write `# endregion` after it" + ", and after each `# region` of an editor" * has_folds
            raise fail(first, f"region {name!r} never ends", remedy)
    return regions, frozenset(line for line in marks if not _is_inside(line, spans))


def _is_inside(line: int, spans: list[tuple[int, int]]) -> bool:
    return any(first <= line <= last for first, last in spans)

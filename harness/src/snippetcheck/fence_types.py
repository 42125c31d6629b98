"""Register fence types: their keys, their checks and the texts that they print.

A project adds fence types in a module that `[tool.snippetcheck]` lists as `fences = ["my_fences"]`:

    register(FenceType("table", required=("file",), check=names_a_file, prints=its_cells))

The ledger then checks the fences of this type, and prose may quote the numbers in their texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from snippetcheck.snippet import Snippet

Snippets = Mapping[str, "Snippet"]  # the project's snippets by name


@dataclass(frozen=True)
class Fence:
    """One block of code on a page. Lines are 1-based and inclusive, the fence lines included."""

    page: Path
    line: int
    last_line: int
    kind: str  # a name in FENCE_TYPES, "illustrative" or "unclassified"
    info: str  # the info string after the opening fence
    body: tuple[str, ...]
    keys: dict[str, str] = field(default_factory=dict)
    reason: str | None = None  # why an illustrative fence is not run
    problem: str | None = None  # why it is unclassified or malformed
    remedy: str | None = None
    problem_line: int | None = None

    @property
    def is_delimited(self) -> bool:
        """Return whether the block has more than one line. On a Markdown page, only closed fences have more than one."""
        return self.last_line > self.line

    def shows(self, line: int, regions: Mapping[str, tuple[int, int]]) -> bool:
        """Return whether a fence that embeds a snippet shows line `line` of it. `regions` has the lines of the snippet's regions."""
        first, last = regions.get(self.keys.get("region", ""), (1, line))
        return first <= line <= last

    def complaint(self) -> str:
        """Return `page:line: problem` and the remedy. The fence must have a problem."""
        return f"{self.page}:{self.problem_line or self.line}: {self.problem}\n    {self.remedy}"


@dataclass(frozen=True)
class FenceType:
    """A fence type. The body of its fences consists of lines of `key: value`.

    Attributes:
        check: returns the problems of a fence with valid keys, as (message, remedy).
        prints: returns the texts that the fence shows on the page.
        lists: optional keys that may be repeated. The values of one key are the lines of one text.
        shows_file: whether the fence embeds the snippet that its `file:` names, as a `snippet` fence does.
        prose: keys whose values are prose. The ledger checks the numbers in them, as in paragraphs.

    `check` and `prints` are called with the fence and the project's snippets.
    """

    name: str
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    check: Callable[[Fence, Snippets], Iterable[tuple[str, str]]] = lambda fence, snippets: ()
    prints: Callable[[Fence, Snippets], Iterable[str]] = lambda fence, snippets: ()
    lists: tuple[str, ...] = ()
    shows_file: bool = False
    prose: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Return all keys of the fence type."""
        return self.required + self.optional + self.lists

    @property
    def usage(self) -> str:
        """Return a sentence that lists the keys, the required ones first."""
        needs = ", ".join(f"`{key}:`" for key in self.required) or "no key"
        optional = ", ".join(f"`{key}:`" for key in self.optional + self.lists)
        return f"a {self.name} fence takes {needs}{', and may take ' if optional else ''}{optional}"


FENCE_TYPES: dict[str, FenceType] = {}
_RESERVED = ("illustrative", "unclassified")  # for fences without a registered type


def register(kind: FenceType) -> FenceType:
    """Register a fence type and return it. Raises ValueError if the name is reserved or another type has it."""
    if kind.name in _RESERVED or FENCE_TYPES.get(kind.name, kind) != kind:
        raise ValueError(f"fence type {kind.name!r} is already registered\n    choose another name")
    FENCE_TYPES[kind.name] = kind
    return kind


def check_snippet_exists(fence: Fence, snippets: Snippets) -> Iterator[tuple[str, str]]:
    """Yield a problem, as (message, remedy), if the snippet or the region of a fence does not exist."""
    name, region = fence.keys["file"], fence.keys.get("region")
    if name not in snippets:
        yield f"no snippet {name!r}", "write it, or correct the name"
    elif region and region not in snippets[name].regions:
        yield f"no region {region!r} in {name}", "write `# region: name` and `# endregion` around it in the snippet"


def expected_texts(fence: Fence, snippets: Snippets) -> Iterator[str]:
    """Yield the expected output, warnings and error of each statement that a fence shows.

    Yield nothing if the snippet does not exist or has `# skip:`.
    """
    snippet = snippets.get(fence.keys.get("file", ""))
    if snippet is None or snippet.manifest.skip:
        return
    first, last = snippet.regions.get(fence.keys.get("region", ""), (1, len(snippet.lines)))
    for statement in snippet.statements:
        if first <= statement.first and statement.last <= last:
            yield from statement.expected_texts()


SNIPPET = register(FenceType("snippet", ("file",), ("region",), check_snippet_exists, expected_texts, shows_file=True))

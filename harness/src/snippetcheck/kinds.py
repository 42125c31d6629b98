"""The kinds of fences that pages have: which keys each takes, what is wrong with one, what one prints.

A project adds its own in a module that `[tool.snippets]` names as `fences = ["my_fences"]`:

    register(Kind("table", required=("file",), check=names_a_file, prints=its_cells))

Then the ledger accounts for its fences, and a figure in prose may stand in what one prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from snippetcheck.pages import Fence
    from snippetcheck.snippet import Snippet

Snippets = Mapping[str, "Snippet"]  # those of the project, by their names


def _nothing(fence: Fence, snippets: Snippets) -> Iterable[tuple[str, str]]:
    return ()


def _no_text(fence: Fence, snippets: Snippets) -> Iterable[str]:
    return ()


@dataclass(frozen=True)
class Kind:
    """A kind of fence, whose body is lines of `key: value`.

    `check` gives what is wrong with a fence that has its keys, as (message, remedy); `prints` gives the texts that it
    shows on the page. Both are called with the fence and the project's snippets. A key of `lists` may come again: its
    values are lines of one text. With `shows_file` a fence shows the snippet that its `file:` names, as a `snippet` fence does.
    """

    name: str
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    check: Callable[[Fence, Snippets], Iterable[tuple[str, str]]] = _nothing
    prints: Callable[[Fence, Snippets], Iterable[str]] = _no_text
    lists: tuple[str, ...] = ()
    shows_file: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """All that it takes."""
        return self.required + self.optional + self.lists

    @property
    def usage(self) -> str:
        """Which keys it takes, as a sentence."""
        needs = ", ".join(f"`{key}:`" for key in self.required) or "no key"
        return f"a {self.name} fence takes {needs}" + "".join(
            f", and may take `{key}:`" for key in self.optional + self.lists
        )


KINDS: dict[str, Kind] = {}
_TAKEN = ("illustrative", "unclassified")  # what a fence without a kind of its own is


def register(kind: Kind) -> Kind:
    """Let pages have fences of this kind, and give it back. Raises ValueError if its name is taken."""
    if kind.name in _TAKEN or KINDS.get(kind.name, kind) != kind:
        raise ValueError(f"there is a kind of fence {kind.name!r} already\n    give this one another name")
    KINDS[kind.name] = kind
    return kind


def misnamed(fence: Fence, snippets: Snippets) -> Iterator[tuple[str, str]]:
    """That the snippet of a fence, or its region, is not there."""
    name, region = fence.keys["file"], fence.keys.get("region")
    if name not in snippets:
        yield f"no snippet {name!r}", "write it, or correct the name"
    elif region and region not in snippets[name].regions:
        yield f"no region {region!r} in {name}", "write `# region: name` and `# endregion` around it in the snippet"


def outputs(fence: Fence, snippets: Snippets) -> Iterator[str]:
    """The expected lines of each statement that is shown."""
    snippet = snippets.get(fence.keys.get("file", ""))
    if snippet is None:
        return
    first, last = snippet.regions.get(fence.keys.get("region", ""), (1, len(snippet.lines)))
    for statement in snippet.statements:
        if first <= statement.first and statement.last <= last:
            yield "\n".join(line.text for line in statement.output)
            yield from (f"{one.category}: {one.message}" for one in statement.warnings)
            yield statement.error.message if statement.error else ""


SNIPPET = register(Kind("snippet", ("file",), ("region",), misnamed, outputs, shows_file=True))

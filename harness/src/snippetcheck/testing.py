"""For the tests of those who add a kind of fence.

def test_a_plot_needs_its_data(tmp_path):
    with registered(PLOT):
        said = complaints("``` plot\\ndata: speed.json\\n```\\n", tmp_path)
    assert said == ["1: no data 'speed.json'"]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from snippetcheck import ledger
from snippetcheck.kinds import KINDS, Kind, register
from snippetcheck.snippet import load


@contextmanager
def registered(*kinds: Kind) -> Iterator[None]:
    """Let pages have these kinds of fences until the end of the block. Raises ValueError if a name is taken."""
    before = dict(KINDS)
    try:
        for kind in kinds:
            register(kind)
        yield
    finally:
        KINDS.clear()
        KINDS.update(before)


def complaints(page: str, folder: Path, snippets: Mapping[str, str] | None = None) -> list[str]:
    """What the ledger says of a page with this text, each as `line: message`.

    Writes the page to `folder`/docs/page.md and the texts of `snippets`, by their names, below `folder`/snippets. Raises
    SnippetError if one of them is none.
    """
    pages = folder / "docs"
    texts = {folder / "snippets" / name: text for name, text in (snippets or {}).items()}
    for path, text in {pages / "page.md": page, **texts}.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    found = {one.name: one for one in (load(path, folder / "snippets") for path in texts)}
    made = [*ledger.unclassified(pages), *ledger.misnamed(pages, found), *ledger.unprinted_figures(pages, found)]
    return [f"{one.line}: {one.message}" for one in sorted(made, key=lambda one: one.line)]

"""Helpers for tests of a new fence type.

def test_a_plot_needs_its_data(tmp_path):
    with registered(PLOT):
        messages = complaints("``` plot\\ndata: speed.json\\n```\\n", tmp_path)
    assert messages == ["1: no data 'speed.json'"]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from snippetcheck import ledger
from snippetcheck.fence_types import FENCE_TYPES, FenceType, register
from snippetcheck.snippet import load


@contextmanager
def registered(*kinds: FenceType) -> Iterator[None]:
    """Register these fence types within the `with` block. Raises ValueError if a name is reserved or another type has it."""
    before = dict(FENCE_TYPES)
    try:
        for kind in kinds:
            register(kind)
        yield
    finally:
        FENCE_TYPES.clear()
        FENCE_TYPES.update(before)


def complaints(page: str, folder: Path, snippets: Mapping[str, str] | None = None) -> list[str]:
    """Return the ledger's problems on a page with the text `page`, each as `line: message`.

    The page is written to `folder`/docs/page.md. `snippets` maps the name of each snippet to its text, which is written below
    `folder`/snippets. A snippet that no page embeds is allowed. Raises SnippetError if a snippet is malformed.
    """
    pages = folder / "docs"
    texts = {folder / "snippets" / name: text for name, text in (snippets or {}).items()}
    for path, text in {pages / "page.md": page, **texts}.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    snippet_by_name = {snippet.name: snippet for snippet in (load(path, folder / "snippets") for path in texts)}
    problems = [
        *ledger.unclassified_blocks(pages),
        *ledger.invalid_fences(pages, snippet_by_name),
        *ledger.unverified_numbers(pages, snippet_by_name),
    ]
    return [f"{problem.line}: {problem.message}" for problem in sorted(problems, key=lambda problem: problem.line)]

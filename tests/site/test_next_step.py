"""Each page ends with a link to the next page: on the path or, for other pages, in reading order."""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path

import pytest

from gradnotes.reading_order import followers

DOCS = Path(__file__).parents[2] / "docs"


def last_paragraph(page: Path) -> str:
    """Return the last paragraph of a page, or of the last cell of a notebook, as Markdown."""
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        text = "".join(json.loads(text)["cells"][-1]["source"])
    return text.rstrip().rpartition("\n\n")[2]


@pytest.mark.parametrize(("page", "following"), list(followers(DOCS).items()))
def test_the_next_step_is_the_page_that_follows(page: str, following: str) -> None:
    last = last_paragraph(DOCS / page)
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", last)]
    assert last.startswith("Next:"), f"{page}: the last paragraph must begin with 'Next:'"
    assert [posixpath.normpath(posixpath.join(posixpath.dirname(page), target)) for target in targets] == [following]

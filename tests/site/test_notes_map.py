"""The map from the notes to the pages: complete, in order, and red where a note is misspelt."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradnotes.fences import notes
from gradnotes.fences.problems import FenceError
from gradnotes.fences.project import Project

ROOT = Path(__file__).parents[2]
NOTES = ("000", "001", "002", "003", "004")


@pytest.mark.parametrize("note", NOTES)
def test_what_stands_under_a_heading_is_taught_on_a_page(note):
    covered = notes.pages_of(Project(ROOT))
    pending = (
        (ROOT / "docs" / "pending.yml").read_text(encoding="utf-8") if (ROOT / "docs" / "pending.yml").exists() else ""
    )
    for heading in notes.headings(note, ROOT / "docs"):
        for name in heading.ids:
            assert name in covered or f"- {name}\n" in pending, f"{heading.name}: no page covers {name}"


def test_the_headings_are_those_of_the_list_in_its_order():
    names = [h.name for h in notes.headings("002", ROOT / "docs")]
    assert names[:4] == ["PyTorch's autograd", "Contents", "Computation graph", "A concrete example"]
    depths = [h.depth for h in notes.headings("000", ROOT / "docs")]
    assert set(depths) == {0, 1, 2}


def test_a_misspelt_note_is_an_error_with_the_names_there_are():
    with pytest.raises(FenceError) as error:
        notes.headings("002_d5233e5295ba188x", ROOT / "docs")
    assert "no note '002_d5233e5295ba188x'" in error.value.message
    assert "002_d5233e5295ba188d" in error.value.remedy

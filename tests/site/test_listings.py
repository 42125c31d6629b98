"""Run the listings of the notes that no longer work: they raise the error in the table, and their corrections run.

The tables are on the pages about the notes, docs/notes/*.md.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
import torch

from gradnotes.notes.passage import NOTES

DOCS = Path(__file__).resolve().parents[2] / "docs"
AROUND = {  # (note, first line): the code around a listing without which it cannot run; `{}` is the listing
    (0, 67): "import torch as t\n{}",
    (0, 269): "model, features = torch.nn.Linear(1, 1), torch.ones(1, 1)\n{}",
    (0, 464): "import torch.utils.data\n{}",
    (1, 67): "import torch as t\n{}",
    (4, 130): "{}\nclass MyDataset(Dataset): ...",
    (4, 137): "def __getitem__(self, index):\n    {}",
    (4, 212): "class Module:\n    {}",
    (4, 252): "loss = torch.ones(1, requires_grad=True).sum()\n{}",
    (4, 408): "W, x = torch.ones(1, 1), torch.ones(1, 10)\n{}",
}


class Row(NamedTuple):
    """A row of a table of listings: `printed` raises `error` in the current PyTorch, and `write` is the correction.

    `note` is the number of the note, and `line` the first line of the listing in it.
    """

    note: int
    line: int
    printed: str
    error: str
    write: str | None  # None if the correction deletes the line


def rows() -> list[Row]:
    """Return the rows of all tables of listings."""
    table_rows = []
    for number, name in NOTES.items():
        text = (DOCS / "notes" / f"{name}.md").read_text(encoding="utf-8")
        section = text.partition("{#listings}")[2].partition("\n### ")[0].partition("\nNext: ")[0]
        for line in section.splitlines():
            if line.startswith("| ") and line[2].isdigit():
                lines, printed, happens, write = (cell.strip() for cell in line.strip("|").split(" | "))
                error = re.match(r"`(\w+)`: ", happens)
                assert error, line
                first = int(re.match(r"\d+", lines)[0])  # type: ignore[index]
                table_rows.append(Row(number, first, printed.strip("`"), error[1], write.strip("`") or None))
    return table_rows


ROWS = rows()


def test_each_listing_has_one_row_and_each_key_of_around_is_a_listing() -> None:
    listings = {(row.note, row.line) for row in ROWS}
    assert {0, 1, 3, 4} == {note for note, _ in listings} and len(ROWS) == len(listings) and listings >= AROUND.keys()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.note}-{row.line}")
def test_a_listing_raises_the_stated_error_and_its_correction_works(row: Row) -> None:
    around = AROUND.get((row.note, row.line), "{}")
    with pytest.raises(Exception, match=".") as caught:  # noqa: PT011  # the class is compared below
        exec(compile(around.format(row.printed), "note", "exec"), {"torch": torch})
    assert type(caught.value).__name__ == row.error
    if row.write:
        code = compile(around.format(row.write), "note", "exec")
        # Corrections of other syntax errors are only compiled, because they need files, or names that the listing omits.
        if row.error != "SyntaxError" or (row.note, row.line) in AROUND:
            exec(code, {"torch": torch})

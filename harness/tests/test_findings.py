"""The table in harness/tests/README.md names existing tests, and its limits are quoted from harness/README.md."""

from __future__ import annotations

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
ROWS = [  # number, finding, names of tests, and a text of harness/README.md or nothing
    [cell.strip() for cell in line.split("|")[1:-1]]
    for line in (HERE / "README.md").read_text().splitlines()
    if re.match(r"\| \d", line)
]


def test_each_finding_has_a_row_with_its_tests() -> None:
    assert [int(number) for number, *_ in ROWS] == [number for number in range(1, 26) if number != 16]
    for number, _, tests, _ in ROWS:
        assert re.fullmatch(r"`\w+\.py::\w+`(, `\w+\.py::\w+`)*", tests), number


def test_each_named_test_exists() -> None:
    for file, name in re.findall(r"`(\w+\.py)::(\w+)`", " ".join(row[2] for row in ROWS)):
        tree = ast.parse((HERE / file).read_text())
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, f"{file}::{name}"


def test_each_limit_is_in_the_readme() -> None:
    limits = " ".join((HERE.parent / "README.md").read_text().split())
    assert [row[3] for row in ROWS if row[3] and row[3] not in limits] == []
    assert sum(bool(row[3]) for row in ROWS) == 10

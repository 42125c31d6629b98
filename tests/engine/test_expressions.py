"""Lines of Python have the same outcome on torch and on the engine.

Value, dtype, shape, strides, node, error and warnings are compared. The lines are in lines/*.txt, by subject. differences.txt contains
lines whose outcomes are known to differ, and differences_of_type.txt lines whose errors are known to differ in type.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

import reference_impl
from tests.engine.expressions import check_same_on_both, outcome

HERE = Path(__file__).parent


def lines_of(file: Path) -> Iterator[Any]:
    """Yield the lines of a file as parameters of tests, without blank lines and comments."""
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            yield pytest.param(line, id=f"{file.stem}:{number}")


@pytest.mark.parametrize("line", [line for file in sorted((HERE / "lines").glob("*.txt")) for line in lines_of(file)])
def test_a_line_has_the_same_outcome_on_both_engines(line: str) -> None:
    check_same_on_both(line)


@pytest.mark.parametrize("line", [*lines_of(HERE / "differences.txt"), *lines_of(HERE / "differences_of_type.txt")])
def test_a_known_difference_still_exists(line: str) -> None:
    assert outcome(reference_impl, line) != outcome(torch, line), (
        "the outcomes are equal now: move this line to a file in lines/"
    )


@pytest.mark.parametrize("line", list(lines_of(HERE / "differences.txt")))
def test_an_error_with_another_message_has_torchs_type(line: str) -> None:
    (_, actual), _ = outcome(reference_impl, line)
    (_, expected), _ = outcome(torch, line)
    if actual and expected:
        assert actual.partition(":")[0] == expected.partition(":")[0]

"""Lines of Python, each with the same outcome on torch and on the engine: value, dtype, shape, strides, node, error, warnings.

They stand in lines/*.txt, one a line, by subject.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.expressions import same_on_both

LINES = [
    pytest.param(line, id=f"{file.stem}:{number}")
    for file in sorted((Path(__file__).parent / "lines").glob("*.txt"))
    for number, line in enumerate(file.read_text().splitlines(), 1)
    if line and not line.startswith("#")
]


@pytest.mark.parametrize("line", LINES)
def test_line(line: str) -> None:
    same_on_both(line)

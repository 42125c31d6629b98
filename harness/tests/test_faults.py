"""The faults of bench/harness: an edit of the sources must not make them impossible to put in, or their families empty."""

from __future__ import annotations

import ast
import importlib
import os
import select
import signal
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def families() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "bench" / "harness")
        return importlib.import_module("fault_families")


@pytest.fixture(scope="module")
def witnesses() -> ModuleType:
    pytest.importorskip("coverage", reason="bench/harness needs the extra `test` of the repository")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "bench" / "harness")
        return importlib.import_module("fault_witnesses")


@pytest.fixture(scope="module")
def found(families: ModuleType) -> list[Any]:
    return list(families.faults(ROOT))


def test_every_wrong_gradient_can_be_put_in(found: list[Any]) -> None:
    gradients = [one for one in found if one.family == "gradients"]
    assert len(gradients) > 400
    for one in gradients:
        original = (ROOT / one.file).read_text()
        ast.parse(one.put_into(original))
        assert one.put_into(original) != original, one.name


def test_a_sample_of_each_family_is_python(families: ModuleType, found: list[Any]) -> None:
    chosen = [one for one in families.sample(found, 30, seed=0) if one.family != "gradients"]
    assert len(chosen) == 30 * (len(families.FAMILIES) - 1)
    for one in chosen:
        original = (ROOT / one.file).read_text()
        assert ast.dump(ast.parse(one.put_into(original))) != ast.dump(ast.parse(original)), one.name


def test_a_sample_is_the_same_after_an_edit_elsewhere(families: ModuleType, found: list[Any]) -> None:
    without = [one for one in found if one.file != "reference_impl/ops/matmul.py" and "norm" not in one.file]
    before, after = families.sample(found, 60, seed=1), families.sample(without, 60, seed=1)
    still = {one.name for one in before} & {one.name for one in without}
    assert still <= {one.name for one in after}


SOURCE = '''"""A module."""
LIMIT = 3


def shape_of(x, dim=0, keepdim=False):
    """Its shape."""
    if dim < 0 and not keepdim:
        raise IndexError(f"Dimension {dim} is out of range of it")
    x._version += 1
    return contiguous(x.sum(dim, dtype=x.dtype)) - LIMIT * 2
'''


def test_each_kind_is_found_where_it_stands(families: ModuleType) -> None:
    """One of every kind, in its family; docstrings and names are left alone."""
    made = [(one.family, one.kind, one.after) for one in families._of_file("reference_impl/x.py", SOURCE, "")]
    assert ("values", "number", "4") in made
    assert ("values", "flag", "True") in made
    assert ("values", "operator", "(contiguous(x.sum(dim, dtype=x.dtype)) + LIMIT * 2)") not in made  # it names a dtype
    assert ("dtypes and layout", "operator", "(contiguous(x.sum(dim, dtype=x.dtype)) + LIMIT * 2)") in made
    assert ("dtypes and layout", "argument", "x.sum(dim)") in made
    assert ("dtypes and layout", "copy", "(x.sum(dim, dtype=x.dtype))") in made
    assert ("values", "term", "(LIMIT)") in made
    assert ("graph and hooks", "statement", "pass") in made
    assert ("graph and hooks", "operator", "x._version -= 1") in made
    assert ("errors", "comparison", "(dim >= 0)") in made
    assert ("errors", "boundary", "(dim <= 0)") in made
    assert ("errors", "operand", "(dim < 0)") in made
    assert ("errors", "no error", "pass") in made
    assert ("errors", "error type", "raise RuntimeError(f'Dimension {dim} is out of range of it')") in made
    assert ("errors", "error text", "raise IndexError(f'Dimension {dim} is out range of it')") in made
    for one in families._of_file("reference_impl/x.py", SOURCE, ""):
        ast.parse(one.put_into(SOURCE))


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give a process ids of its own")
@pytest.mark.parametrize("hangs", ["loop", "wait"])
def test_a_fault_that_hangs_ends_with_all_that_it_has_started(hangs: str, witnesses: ModuleType) -> None:
    left, held = os.pipe()

    def work() -> None:
        if os.fork() == 0:
            os.setsid()  # out of reach of a signal to the group
            signal.pause()
        os.read(os.pipe()[0], 1) if hangs == "wait" else [None for _ in iter(int, 1)]

    began = time.monotonic()
    with pytest.raises(TimeoutError):
        witnesses.in_fork(work, 0.3)
    os.close(held)
    assert select.select([left], [], [], 5)[0] and os.read(left, 1) == b"", "something is left"
    assert time.monotonic() - began < 5
    os.close(left)


def test_a_fork_tells_what_came_of_it(witnesses: ModuleType) -> None:
    assert witnesses.in_fork(lambda: ["red"], 60) == ["red"]
    assert witnesses.in_fork(lambda: os._exit(3), 60) is None

"""Faults that bench/mutation defines can be inserted into the current sources, and a fault that hangs is ended."""

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
    """Import bench.mutation.families, which lists faults."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "bench" / "harness")
        return importlib.import_module("bench.mutation.families")


@pytest.fixture(scope="module")
def witnesses() -> ModuleType:
    """Import bench.mutation.witnesses, which finds the tests that execute a fault. Skip the test without coverage.py."""
    pytest.importorskip("coverage", reason="bench/mutation needs the extra `test` of the repository")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "bench" / "harness")
        return importlib.import_module("bench.mutation.witnesses")


@pytest.fixture(scope="module")
def faults(families: ModuleType) -> list[Any]:
    """Return all faults of the current sources."""
    return list(families.faults(ROOT))


def test_every_source_folder_has_faults(families: ModuleType, faults: list[Any]) -> None:
    files = {fault.file for fault in faults}
    assert [folder for folder in families.SOURCES if not any(file.startswith(f"{folder}/") for file in files)] == []


def test_every_wrong_gradient_can_be_inserted(faults: list[Any]) -> None:
    gradients = [fault for fault in faults if fault.family == "gradients"]
    assert len(gradients) > 400
    for fault in gradients:
        original = (ROOT / fault.file).read_text()
        ast.parse(fault.put_into(original))
        assert fault.put_into(original) != original, fault.name


def test_sampled_faults_change_the_program_and_are_valid_python(families: ModuleType, faults: list[Any]) -> None:
    sampled_faults = [fault for fault in families.sample(faults, 30, seed=0) if fault.family != "gradients"]
    assert len(sampled_faults) == 30 * (len(families.FAMILIES) - 1)
    originals = {fault.file: (ROOT / fault.file).read_text() for fault in sampled_faults}
    trees = {file: ast.dump(ast.parse(original)) for file, original in originals.items()}
    for fault in sampled_faults:
        assert ast.dump(ast.parse(fault.put_into(originals[fault.file]))) != trees[fault.file], fault.name


def test_a_sample_stays_the_same_if_other_faults_disappear(families: ModuleType, faults: list[Any]) -> None:
    fewer_faults = [
        fault for fault in faults if fault.file != "reference_impl/ops/matmul.py" and "norm" not in fault.file
    ]
    before, after = families.sample(faults, 60, seed=1), families.sample(fewer_faults, 60, seed=1)
    remaining = {fault.name for fault in before} & {fault.name for fault in fewer_faults}
    assert remaining <= {fault.name for fault in after}


SOURCE = '''"""A module."""
LIMIT = 3


def shape_of(x, dim=0, keepdim=False):
    """Its shape."""
    if dim < 0 and not keepdim:
        raise IndexError(f"Dimension {dim} is out of range of it")
    x._version += 1
    return contiguous(x.sum(dim, dtype=x.dtype)) - LIMIT * 2
'''


def test_each_kind_of_fault_is_in_its_family(families: ModuleType) -> None:
    """Check the families of faults in SOURCE, and that SOURCE with any of its faults is still valid Python."""
    edits = [
        (fault.family, fault.kind, fault.after) for fault in families._faults_in_file("reference_impl/x.py", SOURCE, "")
    ]
    assert ("values", "number", "4") in edits
    assert ("values", "flag", "True") in edits
    assert (
        "values",
        "operator",
        "(contiguous(x.sum(dim, dtype=x.dtype)) + LIMIT * 2)",
    ) not in edits  # the line names a dtype, which puts it into the next family
    assert ("dtypes and layout", "operator", "(contiguous(x.sum(dim, dtype=x.dtype)) + LIMIT * 2)") in edits
    assert ("dtypes and layout", "argument", "x.sum(dim)") in edits
    assert ("dtypes and layout", "copy", "(x.sum(dim, dtype=x.dtype))") in edits
    assert ("values", "term", "(LIMIT)") in edits
    assert ("graph and hooks", "statement", "pass") in edits
    assert ("graph and hooks", "operator", "x._version -= 1") in edits
    assert ("errors", "comparison", "(dim >= 0)") in edits
    assert ("errors", "boundary", "(dim <= 0)") in edits
    assert ("errors", "operand", "(dim < 0)") in edits
    assert ("errors", "no error", "pass") in edits
    assert ("errors", "error type", "raise RuntimeError(f'Dimension {dim} is out of range of it')") in edits
    assert ("errors", "error text", "raise IndexError(f'Dimension {dim} is out range of it')") in edits
    for fault in families._faults_in_file("reference_impl/x.py", SOURCE, ""):
        ast.parse(fault.put_into(SOURCE))


@pytest.mark.skipif(os.getuid() != 0, reason="only root may create a PID namespace")
@pytest.mark.parametrize("hangs", ["loop", "wait"])
def test_in_fork_kills_a_fault_that_hangs_and_all_its_processes(hangs: str, witnesses: ModuleType) -> None:
    read_end, write_end = os.pipe()

    def work() -> None:
        if os.fork() == 0:
            os.setsid()  # a signal to the process group does not reach it
            signal.pause()
        os.read(os.pipe()[0], 1) if hangs == "wait" else [None for _ in iter(int, 1)]

    began = time.monotonic()
    with pytest.raises(TimeoutError):
        witnesses.in_fork(work, 0.3)
    os.close(write_end)
    assert select.select([read_end], [], [], 5)[0] and os.read(read_end, 1) == b"", (
        "a process of the fault is still running"
    )
    assert time.monotonic() - began < 5
    os.close(read_end)


def test_in_fork_returns_the_result_or_none(witnesses: ModuleType) -> None:
    assert witnesses.in_fork(lambda: ["red"], 60) == ["red"]
    assert witnesses.in_fork(lambda: os._exit(3), 60) is None

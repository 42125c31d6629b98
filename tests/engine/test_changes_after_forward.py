"""After an operation, backward refuses changes of the same tensors as in torch: those that the node of the operation has saved.

For each operation of op_db, each operand and each result is overwritten in turn, with its own values. Then backward must have the
same outcome on both engines: an error about the change, another error, or no error.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import torch

import reference_impl as engine
from tests.engine.make_tables.op import operations
from tests.engine.op_compare import describe_sample, engine_callable, full_name, quick_seeding, seed
from tests.engine.op_samples import first_distinct
from tests.engine.torch_bridge import OutOfScope, copy_of, tensors_in, to_engine

SAMPLES = 5  # per operation with `--tier full`, else 2; more than 12 revealed no further differences
SEPARATE_SAMPLES = 2  # number of samples for which the gradient of each operand is also computed separately

OPS = [op for op in operations()[0] if op.supports_autograd and torch.float64 in op.supported_dtypes("cpu")]


def _change(t: Any) -> None:
    """Overwrite `t` with its own values: this increments its version and is not recorded in the graph."""
    t = t.detach()
    t.copy_(t.clone())


def _in_scope(t: Any) -> bool:
    return str(t.layout) == "torch.strided" and str(t.dtype) != "torch.bfloat16" and not t.is_complex()


def _outcome(library: Any, function: Any, values: Any, changed: tuple[str, int], only: int | None) -> str | None:
    """Run an operation, change an operand or a result, and describe how backward ends.

    Args:
        changed: "operand" or "result", and its index.
        only: the index of the operand whose gradient to compute; None for all.

    Returns:
        The outcome as text; None if there is nothing to compare: the operation raises an error, the tensor does not exist, a result is
        out of scope, or there is no gradient to compute.
    """
    input, args, kwargs = values
    operands = tensors_in(values)
    seed()
    try:
        results = tensors_in(function(input, *args, **kwargs))
    except (RuntimeError, NotImplementedError, TypeError):
        return None  # test_op_db compares the error
    roots = [t for t in results if t.requires_grad]
    tensors = operands if changed[0] == "operand" else results
    if changed[1] >= len(tensors) or not roots or not all(_in_scope(t) for t in results):
        return None
    inputs = [t for t in operands if t.requires_grad]
    if only is not None:
        if only >= len(operands) or not operands[only].requires_grad or len(inputs) < 2:
            return None
        inputs = [operands[only]]
    try:
        _change(tensors[changed[1]])
    except RuntimeError:
        return "cannot be changed"
    try:
        library.autograd.grad(roots, inputs, [library.ones_like(t) for t in roots], allow_unused=True)
    except RuntimeError as error:
        return "refused" if "modified by an inplace operation" in str(error) else "another error"
    return "no error"


def _cases(values: Any, number: int) -> Iterator[tuple[tuple[str, int], int | None]]:
    operands = range(len(tensors_in(values)))
    changes = [*(("operand", i) for i in operands), *(("result", i) for i in range(3))]
    separate = operands if number < SEPARATE_SAMPLES else ()
    return itertools.product(changes, (None, *separate))


def _differences(op: Any, tier: str) -> Iterator[str]:
    function = engine_callable(op)
    samples = op.sample_inputs("cpu", torch.float64, requires_grad=True)
    for number, sample in enumerate(first_distinct(samples, SAMPLES, tier)):
        values = (sample.input, sample.args, sample.kwargs)
        for changed, only in _cases(values, number):
            try:
                torch_values, engine_values = copy_of(values), to_engine(values)
            except OutOfScope:
                return
            expected = _outcome(torch, op.op, torch_values, changed, only)
            actual = None if expected is None else _outcome(engine, function, engine_values, changed, only)
            if expected != actual:
                target = "all" if only is None else f"operand {only}"
                yield f"{changed[0]} {changed[1]} changed, gradient of {target}: {actual} instead of {expected}: {describe_sample(values)}"


@pytest.mark.parametrize("op", OPS, ids=full_name)
def test_backward_refuses_the_same_changes_as_in_torch(op: Any, tier: str) -> None:
    with warnings.catch_warnings(), quick_seeding():
        warnings.simplefilter("ignore")
        differences = list(_differences(op, tier))
    assert not differences, "\n".join(differences)

"""What a node saved may not be changed in place before the backward pass. Which tensors these are, torch says: per operation of op_db,
one after the other of its operands and results is changed (by a factor of 1), and backward is refused on both engines or on none.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import torch

import reference_impl as engine
from tests.engine.op_judge import described, engine_callable, full_name, quick_seeding, seed
from tests.engine.op_samples import first
from tests.engine.op_table import operations
from tests.engine.torch_bridge import OutOfScope, copy_of, tensors_in, to_engine

SAMPLES = 5  # per operation in `--tier full`, else two of these; more than twelve of each found nothing more
ALONE = 2  # samples of which the gradient of each operand is asked for alone, too

OPS = [op for op in operations()[0] if op.supports_autograd and torch.float64 in op.supported_dtypes("cpu")]


def _change(t: Any) -> None:
    """Write the values that are there into `t`, without a trace in the graph."""
    t = t.detach()
    t.copy_(t.clone())


def _in_scope(t: Any) -> bool:
    return str(t.layout) == "torch.strided" and str(t.dtype) != "torch.bfloat16" and not t.is_complex()


def _outcome(library: Any, function: Any, values: Any, changed: tuple[str, int], only: int | None) -> str | None:
    """Whether backward went through after a change of an operand or a result; None where the question makes no sense.

    Args:
        changed: "operand" or "result", and its number.
        only: the operand whose gradient is asked for; None for all.
    """
    input, args, kwargs = values
    operands = tensors_in(values)
    seed()
    try:
        results = tensors_in(function(input, *args, **kwargs))
    except (RuntimeError, NotImplementedError, TypeError):
        return None  # test_op_db looks at the error
    roots = [t for t in results if t.requires_grad]
    of = operands if changed[0] == "operand" else results
    if changed[1] >= len(of) or not roots or not all(_in_scope(t) for t in results):
        return None
    asked = [t for t in operands if t.requires_grad]
    if only is not None:
        if only >= len(operands) or not operands[only].requires_grad or len(asked) < 2:
            return None
        asked = [operands[only]]
    try:
        _change(of[changed[1]])
    except RuntimeError:
        return "cannot be changed"
    try:
        library.autograd.grad(roots, asked, [library.ones_like(t) for t in roots], allow_unused=True)
    except RuntimeError as error:
        return "refused" if "modified by an inplace operation" in str(error) else "another error"
    return "went through"


def _cases(values: Any, number: int) -> Iterator[tuple[tuple[str, int], int | None]]:
    operands = range(len(tensors_in(values)))
    changes = [*(("operand", i) for i in operands), *(("result", i) for i in range(3))]
    alone = operands if number < ALONE else ()
    return itertools.product(changes, (None, *alone))


def _differences(op: Any, tier: str) -> Iterator[str]:
    function = engine_callable(op)
    samples = op.sample_inputs("cpu", torch.float64, requires_grad=True)
    for number, sample in enumerate(first(samples, SAMPLES, tier)):
        values = (sample.input, sample.args, sample.kwargs)
        for changed, only in _cases(values, number):
            try:
                theirs, ours = copy_of(values), to_engine(values)
            except OutOfScope:
                return
            want = _outcome(torch, op.op, theirs, changed, only)
            have = None if want is None else _outcome(engine, function, ours, changed, only)
            if want != have:
                asked = "all" if only is None else f"operand {only}"
                yield f"{changed[0]} {changed[1]} changed, gradient of {asked}: {have} instead of {want}: {described(values)}"


@pytest.mark.parametrize("op", OPS, ids=full_name)
def test_op(op: Any, tier: str) -> None:
    with warnings.catch_warnings(), quick_seeding():
        warnings.simplefilter("ignore")
        found = list(_differences(op, tier))
    assert not found, "\n".join(found)

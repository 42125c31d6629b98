"""Compare the whole graph that each operation records with torch's: the name of every node, and every edge.

In a first run every floating-point argument requires a gradient, also those for which torch computes none: weights of losses,
running statistics, the input of a histogram. In a second run only the first argument does, so that all other edges are None.
"""

from __future__ import annotations

import warnings
from typing import Any

import pytest
import torch

from tests.engine.make_tables.op import operations
from tests.engine.op_compare import Outcome, describe_sample, engine_callable, full_name, quick_seeding, run, seed
from tests.engine.op_samples import first_distinct
from tests.engine.torch_bridge import OutOfScope, copy_of, tensors_in, to_engine

SAMPLES = 24  # per operation with `--tier full`, else 2

OPS = [op for op in operations()[0] if torch.float32 in op.supported_dtypes("cpu")]


def graph(node: Any) -> Any:
    """Return the name of a node and, nested, the graphs of its next functions with their output numbers."""
    return None if node is None else (node.name(), *[(graph(source), number) for source, number in node.next_functions])


def graphs(outcome: Outcome) -> Any:
    """Return the graph of each result.

    If the call raised an error: its text if an argument is not differentiable, else None, since test_op_db compares
    errors.
    """
    if outcome.error is not None:
        return outcome.text if "is not differentiable" in outcome.text else None
    return [graph(t.grad_fn) for t in tensors_in(outcome.result)]


def outcomes(op: Any, values: Any, everywhere: bool) -> tuple[Outcome, Outcome]:
    """Run a sample on both engines. If `everywhere`, all floating-point arguments require a gradient, else the first."""
    torch_values, engine_values = copy_of(values), to_engine(values)
    for arguments in torch_values, engine_values:
        floats = [t for t in tensors_in(arguments) if t.is_floating_point()]
        for t in floats if everywhere else floats[:1]:
            t.requires_grad_()
    seed()
    expected = run(op.op, torch_values)
    seed()
    function: Any = engine_callable(op)
    return expected, run(function, engine_values)


@pytest.mark.parametrize("op", OPS, ids=full_name)
def test_op(op: Any, tier: str) -> None:
    with warnings.catch_warnings(), quick_seeding():
        warnings.simplefilter("ignore")
        for sample in first_distinct(op.sample_inputs("cpu", torch.float32), SAMPLES, tier):
            values = (sample.input, sample.args, sample.kwargs)
            for everywhere in True, False:
                try:
                    expected, actual = outcomes(op, values, everywhere)
                except OutOfScope:
                    continue
                want, have = graphs(expected), graphs(actual)
                if want is not None and not isinstance(actual.error, NotImplementedError):
                    assert have == want, describe_sample(values)

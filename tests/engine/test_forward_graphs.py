"""Each operation of op_db records the same graph as in torch: the names of all nodes, and all edges.

In a first run every floating-point argument requires a gradient, even if torch computes none for it: weights of losses, running
statistics, the input of a histogram. In a second run only the first of these arguments does, so that the edges to the others are None.
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
    """Return the graphs of the results.

    If the call raised the error that an argument is not differentiable, return the text of the error. For other errors, which
    test_op_db compares, return None.
    """
    if outcome.error is not None:
        return outcome.text if "is not differentiable" in outcome.text else None
    return [graph(t.grad_fn) for t in tensors_in(outcome.result)]


def outcomes(op: Any, values: Any, all_require_grad: bool) -> tuple[Outcome, Outcome]:
    """Run a sample on both engines. All floating-point arguments require a gradient if `all_require_grad`, else only the first."""
    torch_values, engine_values = copy_of(values), to_engine(values)
    for arguments in torch_values, engine_values:
        floats = [t for t in tensors_in(arguments) if t.is_floating_point()]
        for t in floats if all_require_grad else floats[:1]:
            t.requires_grad_()
    seed()
    expected = run(op.op, torch_values)
    seed()
    function: Any = engine_callable(op)
    return expected, run(function, engine_values)


@pytest.mark.parametrize("op", OPS, ids=full_name)
def test_an_operation_records_the_graph_of_torch(op: Any, tier: str) -> None:
    with warnings.catch_warnings(), quick_seeding():
        warnings.simplefilter("ignore")
        for sample in first_distinct(op.sample_inputs("cpu", torch.float32), SAMPLES, tier):
            values = (sample.input, sample.args, sample.kwargs)
            for all_require_grad in True, False:
                try:
                    expected, actual = outcomes(op, values, all_require_grad)
                except OutOfScope:
                    continue
                expected_graphs = graphs(expected)
                if expected_graphs is not None and not isinstance(actual.error, NotImplementedError):
                    assert graphs(actual) == expected_graphs, describe_sample(values)

"""The graphs of gradients, recorded with `create_graph`, agree with torch: the node of each gradient, and its saved tensors.

Which tensors a node saves is seen from the changes in place that the second backward refuses. Each operation of op_db that has second
derivatives is tried.
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
from tests.engine.test_changes_after_forward import _change, _in_scope
from tests.engine.torch_bridge import OutOfScope, copy_of, tensors_in, to_engine

SAMPLES = 3  # per operation with `--tier full`, else 2

OPS = [op for op in operations()[0] if op.supports_gradgrad and torch.float64 in op.supported_dtypes("cpu")]

# Operations whose gradient has another node than in torch: the engine computes the same numbers with a different last operation.
OTHER_NODES = frozenset(
    """
    amax amin as_strided as_strided.partial_views frexp linalg.det linalg.qr masked_scatter
    nn.functional.grid_sample nn.functional.instance_norm repeat tile trace
    """.split()
)
# Operations whose gradient saves other tensors than torch's.
OTHER_SAVED = frozenset(
    """
    frexp linalg.det masked_fill masked_scatter native_group_norm native_layer_norm nn.functional.grid_sample
    nn.functional.group_norm
    """.split()
)


class RecordedPass:
    """A forward pass, and its gradients with their recorded graph.

    Creating it raises OutOfScope if no result requires a gradient or a result is out of scope.

    Attributes:
        operands: all tensors among the arguments.
        results: the results of the forward pass.
        inputs: the operands that require a gradient.
        seeds: the output gradients.
        gradients: the gradients of the inputs.
    """

    def __init__(self, library: Any, function: Any, values: Any, seeds_require_grad: bool) -> None:
        input, args, kwargs = values
        self.operands = tensors_in(values)
        seed()
        self.results = tensors_in(function(input, *args, **kwargs))
        roots = [t for t in self.results if t.requires_grad]
        if not roots or not all(_in_scope(t) for t in self.results):
            raise OutOfScope("no gradient")
        self.inputs = [t for t in self.operands if t.requires_grad]
        self.seeds = [library.ones_like(t).requires_grad_(seeds_require_grad) for t in roots]
        self.gradients = library.autograd.grad(roots, self.inputs, self.seeds, create_graph=True, allow_unused=True)

    def nodes(self) -> list[str | None]:
        """Return the name of the node of each gradient: "leaf" if the gradient has no node, None if the gradient is missing."""
        return [None if g is None else g.grad_fn.name() if g.grad_fn is not None else "leaf" for g in self.gradients]


def _record(library: Any, function: Any, values: Any, seeds_require_grad: bool = True) -> RecordedPass | None:
    try:
        return RecordedPass(library, function, values, seeds_require_grad)
    except (RuntimeError, NotImplementedError, TypeError, OutOfScope):
        return None  # test_op_db compares errors


def _outcome(library: Any, function: Any, values: Any, changed: tuple[str, int]) -> str | None:
    """Compute gradients, change a tensor, and describe how the second backward ends.

    Args:
        changed: "operand", "result", "seed" or "gradient", and its index.

    Returns:
        The outcome as text; None if that tensor or the first gradients do not exist.
    """
    recorded = _record(library, function, values)
    if recorded is None:
        return None
    ends = [g for g in recorded.gradients if g is not None and g.requires_grad]
    tensors: Any = {"operand": recorded.operands, "result": recorded.results, "seed": recorded.seeds, "gradient": ends}[
        changed[0]
    ]
    if not ends or changed[1] >= len(tensors):
        return None
    try:
        _change(tensors[changed[1]])
    except RuntimeError:
        return "cannot be changed"
    try:
        ones = [library.ones_like(t) for t in ends]
        library.autograd.grad(ends, [*recorded.inputs, *recorded.seeds], ones, allow_unused=True)
    except (RuntimeError, NotImplementedError) as error:
        return "refused" if "modified by an inplace operation" in str(error) else "another error"
    return "no error"


def _samples(op: Any, tier: str) -> Iterator[Any]:
    for sample in first_distinct(op.sample_inputs("cpu", torch.float64, requires_grad=True), SAMPLES, tier):
        try:
            values = (sample.input, sample.args, sample.kwargs)
            to_engine(values)
        except OutOfScope:
            return
        yield values


def _node_differences(op: Any, function: Any, tier: str) -> Iterator[str]:
    for values, seeds_require_grad in itertools.product(_samples(op, tier), (True, False)):
        expected = _record(torch, op.op, copy_of(values), seeds_require_grad)
        actual = None if expected is None else _record(engine, function, to_engine(values), seeds_require_grad)
        expected_nodes, actual_nodes = (
            None if recorded is None else recorded.nodes() for recorded in (expected, actual)
        )
        if expected_nodes != actual_nodes:
            yield f"{actual_nodes} instead of {expected_nodes}, seeds {'' if seeds_require_grad else 'not '}requiring grad: {describe_sample(values)}"


def _saved_differences(op: Any, function: Any, tier: str) -> Iterator[str]:
    for values in _samples(op, tier):
        operands = [("operand", i) for i in range(len(tensors_in(values)))]
        for changed in (*operands, ("result", 0), ("result", 1), ("seed", 0), ("gradient", 0), ("gradient", 1)):
            expected = _outcome(torch, op.op, copy_of(values), changed)
            actual = None if expected is None else _outcome(engine, function, to_engine(values), changed)
            if expected != actual:
                yield f"{changed[0]} {changed[1]} changed: {actual} instead of {expected}: {describe_sample(values)}"


@pytest.mark.parametrize("op", OPS, ids=full_name)
def test_gradients_have_the_nodes_and_saved_tensors_of_torch(op: Any, tier: str) -> None:
    with warnings.catch_warnings(), quick_seeding():
        warnings.simplefilter("ignore")
        for find, known in ((_node_differences, OTHER_NODES), (_saved_differences, OTHER_SAVED)):
            if full_name(op) in known and tier != "full":
                continue  # it is not known which samples differ, so all must be tried, which takes long
            differences = list(find(op, engine_callable(op), tier))
            if full_name(op) in known:
                assert differences, f"{full_name(op)} agrees with torch now: remove it from OTHER_NODES or OTHER_SAVED"
            else:
                assert not differences, "\n".join(differences)


def test_the_lists_of_other_results_contain_only_existing_operations() -> None:
    assert {full_name(op) for op in OPS} >= OTHER_NODES | OTHER_SAVED

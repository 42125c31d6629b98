"""`torch._weight_norm` and `torch.norm_except_dim` beside torch's: values, nodes, strides, first and second derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import reference_impl as engine
from tests.engine.two_engines import node_names, outcome_of, values

LIBRARIES = (torch, engine)
SHAPES = [(2, 3, 4), (2, 3), (5,), (2, 1, 3, 2)]


def _graph(node: Any) -> Any:
    return node and (node.name(), [_graph(n) for n, _ in node.next_functions])


def _looked_at(library: Any, shape: tuple[int, ...], dim: int, turned: bool) -> tuple[list[Any], list[np.ndarray]]:
    library.manual_seed(0)
    v = library.randn(*shape, dtype=library.float64).requires_grad_()
    seen = v.transpose(0, -1) if turned else v
    norm = library.norm_except_dim(seen, 2, dim)
    g = (norm.detach() + 1).requires_grad_()
    w = library._weight_norm(seen, g, dim)
    first = library.autograd.grad((w**3).sum() + norm.sum(), (v, g), create_graph=True)
    second = library.autograd.grad(sum((d**2).sum() for d in first), (v, g))
    return [_graph(norm.grad_fn), _graph(w.grad_fn), w.stride()], [values(t) for t in (norm, w, *first, *second)]


@pytest.mark.parametrize("turned", [False, True], ids=["contiguous", "transposed"])
@pytest.mark.parametrize(("shape", "dim"), [(s, d) for s in SHAPES for d in range(-1, len(s))], ids=str)
def test_weight_norm(shape: tuple[int, ...], dim: int, turned: bool) -> None:
    (their_graphs, want), (our_graphs, have) = (_looked_at(library, shape, dim, turned) for library in LIBRARIES)
    assert our_graphs == their_graphs
    for a, b in zip(have, want, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9)


def test_what_the_node_keeps() -> None:
    nodes = [lib._weight_norm(lib.ones(2, 3, requires_grad=True), lib.ones(2, 1), 0) for lib in LIBRARIES]
    kept = [{name for name in dir(w.grad_fn) if name.startswith("_saved")} for w in nodes]
    assert kept[0] <= kept[1]
    for w in nodes:
        np.testing.assert_allclose(values(w.grad_fn._saved_result1), 3**0.5, rtol=1e-6)
    assert node_names(nodes[0]) == node_names(nodes[1])


MISUSES: list[Callable[[Any], Any]] = [
    lambda lib: lib._weight_norm(lib.ones(2, 3), lib.ones(2, 1, dtype=lib.float64)),
    lambda lib: lib._weight_norm(lib.ones(2, 3), lib.ones(2, 1), 5),
    lambda lib: lib._weight_norm(lib.ones(2, 3, dtype=lib.int64), lib.ones(2, 1, dtype=lib.int64)),
    lambda lib: lib._weight_norm(lib.ones(2, 3)),
    lambda lib: lib._weight_norm(lib.tensor(3.0), lib.tensor(2.0)),
    lambda lib: lib._weight_norm(lib.tensor(3.0), lib.tensor(2.0), -1),
    lambda lib: lib.norm_except_dim(lib.ones(2, 3), 2, 5),
    lambda lib: lib.norm_except_dim(lib.tensor(3.0), 2, 0),
    lambda lib: lib.norm_except_dim(3),
]


@pytest.mark.parametrize("misuse", MISUSES)
def test_refused(misuse: Callable[[Any], Any]) -> None:
    want, have = (outcome_of(lambda library=library: misuse(library))[1] for library in LIBRARIES)
    assert want is not None
    assert have == want


def test_a_direction_of_zeros_gives_nan() -> None:
    for lib in LIBRARIES:
        v = lib.zeros(2, 3, requires_grad=True)
        w = lib._weight_norm(v, lib.ones(2, 1))
        w.sum().backward()
        assert bool(w.isnan().all()) and bool(v.grad.isnan().all())

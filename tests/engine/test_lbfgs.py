"""L-BFGS beside torch's. It computes gradients itself, so that rounding in the products grows from step to step: hence float64."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import reference_impl as engine
from tests.engine.two_engines import outcome_of

LIBRARIES = (torch, engine)
OPTIONS: list[dict[str, Any]] = [
    {"lr": 0.01}, {"lr": 0.1, "max_iter": 1}, {"lr": 0.02, "history_size": 2, "max_eval": 7}, {"lr": 0.05, "tolerance_grad": 1.0},
    {"lr": 0.05, "tolerance_change": 0.1}, {"line_search_fn": "strong_wolfe"},
    {"lr": 0.5, "line_search_fn": "strong_wolfe", "history_size": 3, "max_iter": 5},
    {"line_search_fn": "strong_wolfe", "max_eval": 4}, {"lr": 30, "line_search_fn": "strong_wolfe", "max_iter": 6},
    {"lr": 1e-6, "line_search_fn": "strong_wolfe", "max_iter": 6},
]  # fmt: skip


class Fit:
    """Rosenbrock's valley, with a third parameter without dimensions; which functions may be had is up to the library."""

    def __init__(self, library: Any, options: dict[str, Any], start: tuple[float, ...] = (-1.5, 2.0, 0.3)) -> None:
        self.library = library
        self.p = library.tensor(start[:2], dtype=library.float64, requires_grad=True)
        self.q = library.tensor(start[2], dtype=library.float64, requires_grad=True)
        self.unused = library.zeros(2, dtype=library.float64, requires_grad=True)
        self.optimizer = library.optim.LBFGS([self.p, self.q, self.unused], **options)

    def loss(self) -> Any:
        self.optimizer.zero_grad()
        loss = (1 - self.p[0]) ** 2 + 100 * (self.p[1] - self.p[0] ** 2) ** 2 + (self.q - 1) ** 4
        loss.backward()
        return loss

    def steps(self, count: int) -> list[list[float]]:
        """Loss before, and parameters after each step."""
        return [[self.optimizer.step(self.loss).item(), *self.p.tolist(), self.q.item()] for _ in range(count)]

    @property
    def state(self) -> dict[str, Any]:
        return self.optimizer.state[self.p]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_same_way_down(options: dict[str, Any]) -> None:
    theirs, ours = (Fit(library, options) for library in LIBRARIES)
    np.testing.assert_allclose(ours.steps(6), theirs.steps(6), rtol=1e-7, atol=1e-12)
    assert [ours.state[k] for k in ("func_evals", "n_iter")] == [theirs.state[k] for k in ("func_evals", "n_iter")]
    assert list(ours.state) == list(theirs.state)
    assert [type(v).__name__ for v in ours.state.values()] == [type(v).__name__ for v in theirs.state.values()]
    assert repr(ours.optimizer) == repr(theirs.optimizer)
    assert ours.optimizer.defaults == theirs.optimizer.defaults


def test_it_arrives() -> None:
    fit = Fit(engine, {"line_search_fn": "strong_wolfe", "max_iter": 200})
    np.testing.assert_allclose(fit.steps(1)[0][1:3], [1, 1], atol=1e-3)


def test_a_gradient_of_zero_is_the_end() -> None:
    fits = [Fit(library, {}, (1.0, 1.0, 1.0)) for library in LIBRARIES]
    assert [fit.steps(1) for fit in fits] == [[[0.0, 1.0, 1.0, 1.0]]] * 2
    assert [dict(fit.state) for fit in fits] == [{"func_evals": 1, "n_iter": 0}] * 2


@pytest.mark.parametrize("options", [OPTIONS[0], OPTIONS[6]], ids=str)
def test_a_loaded_state_goes_on(options: dict[str, Any]) -> None:
    whole = Fit(engine, options)
    whole.steps(3)
    second = Fit(engine, options, (*whole.p.tolist(), whole.q.item()))
    second.optimizer.load_state_dict(copy.deepcopy(whole.optimizer.state_dict()))
    assert second.steps(3) == whole.steps(3)


def test_hooks_are_called_once_a_step() -> None:
    fit, calls = Fit(engine, {"lr": 0.01}), []
    fit.optimizer.register_step_post_hook(lambda *_: calls.append(1))
    fit.steps(2)
    assert len(calls) == 2


MISUSES: list[Callable[[Any], Any]] = [
    lambda library: library.optim.LBFGS([library.ones(2, requires_grad=True)], lr=-1),
    lambda library: library.optim.LBFGS([{"params": [library.ones(1)]}, {"params": [library.ones(2)]}]),
    lambda library: Fit(library, {"line_search_fn": "newton"}).steps(1),
    lambda library: Fit(library, {}).optimizer.step(),
]


@pytest.mark.parametrize("misuse", MISUSES, ids=["lr", "groups", "line search", "no closure"])
def test_refused(misuse: Callable[[Any], Any]) -> None:
    want, have = (outcome_of(lambda library=library: misuse(library))[1] for library in LIBRARIES)
    assert want is not None
    assert have == want

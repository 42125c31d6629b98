"""Averaged models and their learning rates beside torch's, through a whole training."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import reference_impl as engine
from tests.engine.two_engines import values

LIBRARIES = (torch, engine)
AVERAGES: dict[str, Callable[[Any], dict[str, Any]]] = {
    "mean": lambda s: {},
    "mean, buffers too": lambda s: {"use_buffers": True},
    "moving": lambda s: {"avg_fn": s.get_ema_avg_fn(0.7)},
    "moving, by lists": lambda s: {"multi_avg_fn": s.get_ema_multi_avg_fn(0.7), "use_buffers": True},
    "mean, by lists": lambda s: {"multi_avg_fn": s.get_swa_multi_avg_fn()},
    "own": lambda s: {"avg_fn": lambda old, new, n: old + (new - old) * (n + 2) / (n + 3)},
}


def _batches(lib: Any) -> list[Any]:
    inputs = np.random.default_rng(0).standard_normal((6, 8, 3))
    return [(lib.from_numpy(x), lib.from_numpy(np.sin(x.sum(1, keepdims=True)))) for x in inputs]


def _trained(lib: Any, average: Callable[[Any], dict[str, Any]], strategy: str) -> list[np.ndarray]:
    """The average's state after each epoch, and the learning rates."""
    tools = lib.optim.swa_utils
    lib.manual_seed(0)
    model = lib.nn.Sequential(lib.nn.Linear(3, 4), lib.nn.BatchNorm1d(4), lib.nn.Tanh(), lib.nn.Linear(4, 1)).double()
    mean = tools.AveragedModel(model, **average(tools))
    optimizer = lib.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    schedule = tools.SWALR(optimizer, 0.02, anneal_epochs=3, anneal_strategy=strategy)
    seen = []
    for _ in range(5):
        for x, y in _batches(lib):
            optimizer.zero_grad()
            ((model(x) - y) ** 2).mean().backward()
            optimizer.step()
        mean.update_parameters(model)
        schedule.step()
        seen += [values(t) for t in mean.state_dict().values()] + [np.array(schedule.get_last_lr())]
    tools.update_bn(_batches(lib), mean)
    assert mean.training and mean.module[1].momentum == 0.1
    return [*seen, *[values(t) for t in mean.state_dict().values()], values(mean.eval()(_batches(lib)[0][0]))]


@pytest.mark.parametrize("strategy", ["cos", "linear"])
@pytest.mark.parametrize("average", AVERAGES.values(), ids=AVERAGES)
def test_training(average: Callable[[Any], dict[str, Any]], strategy: str) -> None:
    want, have = (_trained(lib, average, strategy) for lib in LIBRARIES)
    assert len(have) == len(want)
    for a, b in zip(have, want, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-9)


def test_the_mean_is_the_mean() -> None:
    model = engine.nn.Linear(2, 2)
    mean, weights = engine.optim.swa_utils.AveragedModel(model), []
    for number in range(4):
        model.weight.data.fill_(float(number**2))
        mean.update_parameters(model)
        weights.append(values(model.weight).copy())
    np.testing.assert_allclose(values(mean.module.weight), np.mean(weights, 0), rtol=1e-6)
    assert mean.n_averaged == 4


def test_lists_hold_one_dtype() -> None:
    """In which order the lists come is torch's affair: it asks a hash table."""
    called = []
    for lib in LIBRARIES:
        groups: list[Any] = []
        norm = lib.nn.BatchNorm1d(2)
        mean = lib.optim.swa_utils.AveragedModel(
            norm,
            use_buffers=True,
            multi_avg_fn=lambda a, b, n, g=groups: g.append((str(a[0].dtype), len(a), len(b), int(n))),
        )
        mean.update_parameters(norm)
        mean.update_parameters(norm)
        called.append(sorted(groups))
    assert called[0] == called[1] == [("torch.float32", 4, 4, 1), ("torch.int64", 1, 1, 1)]


def test_update_bn_takes_the_average_of_all_batches() -> None:
    norm = engine.nn.BatchNorm1d(3).double().eval()
    engine.optim.swa_utils.update_bn((x for x, _ in _batches(engine)), norm, engine.device("cpu"))
    inputs = np.stack([values(x) for x, _ in _batches(engine)])
    np.testing.assert_allclose(values(norm.running_mean), inputs.mean((0, 1)), rtol=1e-12)
    assert (norm.training, norm.momentum, int(norm.num_batches_tracked)) == (False, 0.1, 6)


def test_a_copy_and_a_loaded_state_go_on_alike() -> None:
    model = engine.nn.Linear(2, 2)
    mean = engine.optim.swa_utils.AveragedModel(model)
    mean.update_parameters(model)
    twin, other = copy.deepcopy(mean), engine.optim.swa_utils.AveragedModel(engine.nn.Linear(2, 2))
    other.load_state_dict(mean.state_dict())
    model.weight.data.fill_(3.0)
    for average in (mean, twin, other):
        average.update_parameters(model)
    assert mean.module.weight.tolist() == twin.module.weight.tolist() == other.module.weight.tolist()

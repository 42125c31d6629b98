"""Parametrized, averaged and pruned modules on an array module as strict as CuPy's: as on the CPU, and all of it stays there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import reference_impl as engine
from reference_impl import _backend
from reference_impl.nn.utils import prune
from reference_impl.optim import swa_utils
from tests.engine import device_arrays
from tests.engine.test_parametrize import MODULES, Maker


@pytest.fixture(autouse=True)
def _device(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(_backend._modules, "cuda", None)
    _backend.register_array_module("cuda", device_arrays.module)
    yield


def _trained(make: Maker, device: str, **average: Any) -> list[Any]:
    """The state after 3 steps; that of an average, if one is asked for."""
    engine.manual_seed(3)
    module = make(engine).to(device)
    mean = swa_utils.AveragedModel(module, device, **average) if average else None
    x = engine.linspace(-1, 1, 12).view(4, 3).to(device)
    optimizer = engine.optim.SGD(module.parameters(), 0.1)
    for _ in range(3):
        optimizer.zero_grad()
        ((module(x) - x.sum(1, keepdim=True)) ** 2).mean().backward()
        engine.nn.utils.clip_grads_with_norm_(module.parameters(), 1.0, engine.tensor(2.0, device=device))
        optimizer.step()
        if mean is not None:
            mean.update_parameters(module)
    return list((module if mean is None else mean).state_dict().values())


def _compare(make: Maker, **average: Any) -> None:
    want, have = _trained(make, "cpu", **average), _trained(make, "cuda", **average)
    assert len(have) == len(want)
    for a, b in zip(want, have, strict=True):
        assert b.is_cuda
        np.testing.assert_allclose(b.cpu().numpy(), a.numpy(), rtol=1e-4, atol=1e-5)


def _pruned(how: Callable[[Any], Any]) -> Maker:
    def made(lib: Any) -> Any:
        return lib.nn.Sequential(lib.nn.Linear(3, 4), how(lib.nn.Linear(4, 2)))

    return made


def _fused(lib: Any) -> Any:
    layer, norm = lib.nn.Linear(3, 2).eval(), lib.nn.BatchNorm1d(2).eval()
    return lib.nn.utils.fuse_linear_bn_eval(layer, norm)


MORE: dict[str, Maker] = {
    "pruned by size": _pruned(lambda m: prune.l1_unstructured(m, "weight", 3)),
    "pruned twice": _pruned(lambda m: prune.ln_structured(prune.l1_unstructured(m, "weight", 3), "weight", 1, 2, 1)),
    "fused": _fused,
}


@pytest.mark.parametrize("make", [*MODULES.values(), *MORE.values()], ids=[*MODULES, *MORE])
def test_as_on_the_cpu(make: Maker) -> None:
    _compare(make)


@pytest.mark.parametrize(
    "average", [{}, {"avg_fn": swa_utils.get_ema_avg_fn(0.5)}, {"multi_avg_fn": swa_utils.get_swa_multi_avg_fn()}]
)
def test_averages(average: dict[str, Any]) -> None:
    _compare(MODULES["spectral_norm"], use_buffers="multi_avg_fn" not in average, **average)


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_made_on_the_device(device: str) -> None:
    """Registering, assigning, removing, pruning and fusing, all of modules that lie there."""
    ready, nn = engine.nn.utils.parametrizations, engine.nn
    layers = [
        ready.weight_norm(nn.Linear(3, 2, device=device)),
        ready.spectral_norm(nn.Linear(3, 2, device=device)),
        *[ready.orthogonal(nn.Linear(3, 2, device=device), orthogonal_map=m) for m in ("matrix_exp", "cayley", "householder")],
        ready.orthogonal(nn.Linear(3, 2, device=device), use_trivialization=False),
    ]  # fmt: skip
    for layer in layers:
        layer.weight = engine.rand(2, 3).to(device)
        before = layer.weight
        engine.nn.utils.parametrize.remove_parametrizations(layer.eval(), "weight")
        np.testing.assert_allclose(layer.weight.detach().cpu().numpy(), before.detach().cpu().numpy(), atol=1e-3)
    layers += [
        prune.random_unstructured(nn.Linear(3, 2, device=device), "weight", 0.5),
        prune.random_structured(nn.Linear(3, 2, device=device), "weight", 1, 0),
        nn.utils.spectral_norm(nn.Linear(3, 2, device=device)),
        nn.utils.skip_init(nn.Linear, 3, 2, device=device),
    ]
    pairs = [(layer, "bias") for layer in layers]
    prune.global_unstructured(pairs, prune.L1Unstructured, amount=5)
    assert sum(int((layer.bias_mask == 0).sum()) for layer in layers) == 5
    for layer in layers:
        assert {t.device.type for t in (*layer.parameters(), *layer.buffers(), layer.weight)} == {device}
        assert layer(engine.ones(1, 3, device=device)).device.type == device
    swa_utils.update_bn([engine.rand(4, 2)], norm := nn.BatchNorm1d(2, device=device), device)
    assert norm.running_mean.device.type == device

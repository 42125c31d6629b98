"""Modules with parametrized weights, trained on both engines: losses, weights, originals and gradients after every step."""

from __future__ import annotations

import copy
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import reference_impl as engine
from tests.engine.two_engines import outcome_of, values

LIBRARIES = (torch, engine)
Maker = Callable[[Any], Any]
"""Makes a module of the library given; it takes inputs (4, 3)."""


def _in_old_style(make: Maker) -> Maker:
    def made(lib: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            return make(lib)

    return made


def _ready_made(lib: Any) -> Any:
    return lib.nn.utils.parametrizations


def _symmetric(lib: Any) -> Any:
    class Symmetric(lib.nn.Module):
        def forward(self, x: Any) -> Any:
            return x.triu() + x.triu(1).transpose(-1, -2)

    class Exponential(lib.nn.Module):
        def forward(self, x: Any) -> Any:
            return lib.matrix_exp(x)

    layer = lib.nn.Linear(3, 3)
    for part in (Symmetric(), Exponential()):
        lib.nn.utils.parametrize.register_parametrization(layer, "weight", part)
    return layer


def _rank_one(lib: Any) -> Any:
    class RankOne(lib.nn.Module):
        def forward(self, x: Any, y: Any) -> Any:
            return x.unsqueeze(-1) @ y.unsqueeze(-2)

        def right_inverse(self, z: Any) -> Any:
            return z[:, 0].clone(), z[0].clone()

    return lib.nn.utils.parametrize.register_parametrization(lib.nn.Linear(3, 2), "weight", RankOne())


def _recurrent(lib: Any) -> Any:
    class Last(lib.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.cell = _ready_made(lib).orthogonal(lib.nn.RNNCell(3, 4), "weight_hh")

        def forward(self, x: Any) -> Any:
            with lib.nn.utils.parametrize.cached():
                return self.cell(x, self.cell(x, self.cell(x)))

    return Last()


def _convolution(wrap: Callable[[Any], Any], transposed: bool = False) -> Maker:
    def made(lib: Any) -> Any:
        layer = lib.nn.ConvTranspose1d(1, 2, 2) if transposed else lib.nn.Conv1d(1, 2, 2)
        return lib.nn.Sequential(lib.nn.Unflatten(1, (1, 3)), wrap(lib)(layer), lib.nn.Flatten())

    return made


MODULES: dict[str, Maker] = {
    "own, two after another": _symmetric,
    "own, two originals": _rank_one,
    "cached in a recurrence": _recurrent,
    "weight_norm": lambda lib: _ready_made(lib).weight_norm(lib.nn.Linear(3, 2)),
    "weight_norm, last dim": lambda lib: _ready_made(lib).weight_norm(lib.nn.Linear(3, 2), dim=1),
    "weight_norm, all": lambda lib: _ready_made(lib).weight_norm(lib.nn.Linear(3, 2), dim=None),
    "weight_norm, convolution": _convolution(lambda lib: lambda m: _ready_made(lib).weight_norm(m, dim=1)),
    "spectral_norm": lambda lib: _ready_made(lib).spectral_norm(lib.nn.Linear(3, 2), n_power_iterations=2),
    "spectral_norm, convolution": _convolution(lambda lib: _ready_made(lib).spectral_norm),
    "spectral_norm, transposed": _convolution(lambda lib: _ready_made(lib).spectral_norm, True),
    "spectral_norm of a vector": lambda lib: _ready_made(lib).spectral_norm(lib.nn.Linear(3, 2), "bias"),
    **{
        f"orthogonal {shape} {kind} {base}": lambda lib, shape=shape, kind=kind, base=base: _ready_made(lib).orthogonal(
            lib.nn.Linear(*shape), orthogonal_map=kind, use_trivialization=base
        )
        for shape in [(3, 3), (3, 2), (3, 5)]
        for kind in (None, "matrix_exp", "cayley", "householder")
        for base in (True, False)
    },
    "both norms": lambda lib: _ready_made(lib).spectral_norm(_ready_made(lib).weight_norm(lib.nn.Linear(3, 2))),
    "old weight_norm": _in_old_style(lambda lib: lib.nn.utils.weight_norm(lib.nn.Linear(3, 2))),
    "old weight_norm, all": _in_old_style(lambda lib: lib.nn.utils.weight_norm(lib.nn.Linear(3, 2), dim=None)),
    "old spectral_norm": lambda lib: lib.nn.utils.spectral_norm(lib.nn.Linear(3, 2)),
    "old spectral_norm, transposed": _convolution(lambda lib: lib.nn.utils.spectral_norm, True),
}


def _in_double(lib: Any, make: Maker) -> Any:
    """The module, made in float64: what is orthogonal in float32 is not quite so afterwards."""
    lib.manual_seed(3)
    lib.set_default_dtype(lib.float64)
    try:
        return make(lib)
    finally:
        lib.set_default_dtype(lib.float32)


def _trained(lib: Any, make: Maker) -> tuple[Any, list[Any], list[np.ndarray]]:
    """The module, what it says of itself, and the numbers of 5 steps."""
    module = _in_double(lib, make)
    x = lib.linspace(-1, 1, 12, dtype=lib.float64).view(4, 3)
    optimizer = lib.optim.SGD(module.parameters(), 0.2, momentum=0.9)
    numbers = []
    for _ in range(5):
        optimizer.zero_grad()
        loss = ((module(x) - x.sum(1, keepdim=True)) ** 2).mean()
        loss.backward()
        numbers += [values(loss), *[values(p.grad) for p in module.parameters() if p.grad is not None]]
        optimizer.step()
        numbers += [values(t) for t in module.state_dict().values()]
    numbers.append(values(module.eval()(x)))
    return module, [list(module.state_dict()), [n for n, _ in module.named_parameters()], repr(module)], numbers


@pytest.mark.parametrize("make", MODULES.values(), ids=MODULES)
def test_training(make: Maker) -> None:
    (_, their_names, want), (_, our_names, have) = (_trained(lib, make) for lib in LIBRARIES)
    assert our_names == their_names
    assert len(have) == len(want)
    for a, b in zip(have, want, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", [n for n in MODULES if n.startswith("orthogonal")])
def test_orthogonal_stays_so(name: str) -> None:
    weight = _trained(engine, MODULES[name])[0].weight
    small = weight.T @ weight if weight.shape[0] >= weight.shape[1] else weight @ weight.T
    np.testing.assert_allclose(values(small), np.eye(min(weight.shape)), atol=1e-10)


def test_spectral_norm_finds_the_largest_singular_value() -> None:
    module = _trained(engine, MODULES["spectral_norm"])[0].train()
    for _ in range(50):
        weight = module.weight
    np.testing.assert_allclose(np.linalg.norm(values(weight), 2), 1, atol=1e-9)


@pytest.mark.parametrize("name", ["own, two originals", "weight_norm", "spectral_norm", "orthogonal (3, 2) None True"])
def test_state_crosses_over(name: str) -> None:
    """A state of torch's gives the engine's module the same weight, and a deep copy is a module apart."""
    theirs, _, _ = _trained(torch, MODULES[name])
    ours = MODULES[name](engine).double().eval()
    ours.load_state_dict({k: engine.tensor(v.tolist(), dtype=engine.float64) for k, v in theirs.state_dict().items()})
    np.testing.assert_allclose(values(ours.weight), values(theirs.weight), rtol=1e-12)
    twin = copy.deepcopy(ours)
    for p in ours.parameters():
        p.data.zero_()
    np.testing.assert_allclose(values(twin.weight), values(theirs.weight), rtol=1e-12)


def test_a_removed_parametrization_leaves_its_parameter_in_the_optimizer() -> None:
    results = []
    for lib in LIBRARIES:
        lib.manual_seed(0)
        layer = _symmetric(lib)
        optimizer = lib.optim.SGD(layer.parameters(), 0.1)
        lib.nn.utils.parametrize.remove_parametrizations(layer, "weight")
        before = layer.weight.tolist()
        layer(lib.ones(1, 3)).sum().backward()
        optimizer.step()
        results.append((values(layer.weight), before))
    assert results[1][0].tolist() != results[1][1]
    np.testing.assert_allclose(results[1][0], results[0][0], rtol=1e-5)


@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("affine", [False, True])
def test_fused_convolution(transpose: bool, bias: bool, affine: bool) -> None:
    parts = []
    for lib in LIBRARIES:
        lib.manual_seed(0)
        layer = lib.nn.ConvTranspose2d(2, 3, 2, bias=bias) if transpose else lib.nn.Conv2d(2, 3, 2, bias=bias)
        norm = lib.nn.BatchNorm2d(3, affine=affine)
        both = lib.nn.Sequential(layer, norm)
        x = lib.rand(4, 2, 5, 5)
        both(x)
        fused = lib.nn.utils.fuse_conv_bn_eval(layer.eval(), norm.eval(), transpose)
        np.testing.assert_allclose(values(fused(x)), values(both(x)), atol=1e-5)
        parts.append([fused.weight, fused.bias])
    for a, b in zip(*parts, strict=True):
        np.testing.assert_allclose(values(b), values(a), rtol=1e-5, atol=1e-6)
        assert (type(b).__name__, b.requires_grad) == (type(a).__name__, a.requires_grad)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("features", [1, 3])
def test_fused_linear(bias: bool, features: int) -> None:
    parts = []
    for lib in LIBRARIES:
        lib.manual_seed(0)
        layer, norm = lib.nn.Linear(2, 3, bias=bias), lib.nn.BatchNorm1d(features)
        norm(lib.rand(4, features))
        layers = layer.eval(), norm.eval()
        parts.append(outcome_of(lambda lib=lib, layers=layers: lib.nn.utils.fuse_linear_bn_eval(*layers)))
    (want, their_error), (have, our_error) = parts
    assert our_error == their_error
    if want is not None:
        np.testing.assert_allclose(values(have.weight), values(want.weight), rtol=1e-5)
        np.testing.assert_allclose(values(have.bias), values(want.bias), rtol=1e-5, atol=1e-6)


def test_loaded_when_asked_for() -> None:
    """Who clips gradients does not read the parametrizations; and the functions hide the files of their names."""
    program = (
        "import sys; from reference_impl import nn, optim; nn.utils.clip_grad_norm_; print([m for m in sys.modules if 'parametriz' in m or "
        "'fusion' in m or 'swa_utils' in m]); import reference_impl.nn.utils.weight_norm; print(type(nn.utils.weight_norm).__name__)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert said.stdout.split("\n")[:2] == ["[]", "function"]


def _nodes(node: Any) -> Any:
    return node and (node.name(), [_nodes(n) for n, _ in node.next_functions])


def _orthogonal_matrices(lib: Any, shape: tuple[int, ...], kind: str | None, base: bool) -> list[Any]:
    """The matrices of a batch, their graph and gradient, and what becomes of them when they are assigned to."""
    lib.manual_seed(0)
    module = lib.nn.Module()
    module.weight = lib.nn.Parameter(lib.randn(*shape, dtype=lib.float64))
    _ready_made(lib).orthogonal(module, orthogonal_map=kind, use_trivialization=base)
    weight = module.weight
    (weight**3).sum().backward()
    grad = module.parametrizations.weight.original.grad
    seen = [_nodes(weight.grad_fn), grad is None, values(weight), *([] if grad is None else [values(grad)])]
    for value in (weight.detach().clone(), lib.randn(*shape, dtype=lib.float64)):
        _, error = outcome_of(lambda value=value: setattr(module, "weight", value))
        seen += [error, values(module.weight)]
    return seen


@pytest.mark.parametrize("base", [True, False], ids=["base", "no base"])
@pytest.mark.parametrize("kind", [None, "matrix_exp", "cayley", "householder"])
@pytest.mark.parametrize(
    "shape", [(4, 3), (3, 4), (2, 4, 3), (2, 3, 4), (2, 3, 3), (3, 1, 1), (0, 3, 2), (2, 0, 0), (3, 0)], ids=str
)
def test_orthogonal_batches(shape: tuple[int, ...], kind: str | None, base: bool) -> None:
    want, have = (outcome_of(lambda lib=lib: _orthogonal_matrices(lib, shape, kind, base)) for lib in LIBRARIES)
    assert have[1] == want[1]
    for a, b in zip(have[0] or (), want[0] or (), strict=True):
        if isinstance(b, np.ndarray):
            np.testing.assert_allclose(a, b, rtol=1e-7, atol=1e-10)
        else:
            assert a == b

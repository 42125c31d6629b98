"""Seeded training runs agree on both engines: initialisation, a shuffling DataLoader, dropout, and all losses.

A run has 40 steps, or 100 with `--tier full`. The losses agree with torch's within 1e-4 at each step, and print the same four digits.
The last bit of a loss, one part in ten million, may differ: torch adds in another order (matrix products, means), and takes
exponentials and square roots of float32 from other libraries. So a loss halfway between two decimals, such as 1.93815, may be rounded
up or down. An unstable training (a learning rate at which the loss jumps) amplifies such a difference until the losses diverge, as
between two machines with torch.

Adam divides by square roots, and on some processors a sixth of torch's float32 roots are not the nearest number (see
make_tables.optim). On these, the losses of LeNet would differ by 6 % within 100 steps; on others, by one part in a million. So torch
computes exact roots in these tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import reference_impl as engine
from tests.engine.make_tables.optim import exact_roots

STEPS = {"quick": 40, "pull-request": 40, "full": 100}  # two or five epochs, each in another order


def lenet(nn: Any) -> Any:
    """Return LeNet-5 for images of 28 x 28 pixels, with dropout."""
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Dropout(0.25), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
    )  # fmt: skip


def mlp(nn: Any) -> Any:
    """Return a network of three linear layers with batch normalization, layer normalization and dropout."""
    return nn.Sequential(
        nn.Flatten(), nn.Linear(784, 64), nn.BatchNorm1d(64), nn.Tanh(), nn.Dropout(0.5), nn.Linear(64, 32), nn.GELU(),
        nn.LayerNorm(32), nn.Linear(32, 10),
    )  # fmt: skip


MODELS: dict[str, Callable[[Any], Any]] = {
    "LeNet": lenet,
    "MLP": mlp,
}
OPTIMIZERS: dict[str, Callable[[Any, Any], Any]] = {
    "SGD": lambda optim, params: optim.SGD(params, lr=0.01, momentum=0.9, weight_decay=1e-4),
    "Adam": lambda optim, params: optim.Adam(params, lr=1e-3),
}


def train(library: Any, make_model: Callable[[Any], Any], make_optimizer: Callable[[Any, Any], Any], steps: int) -> Any:
    """Return the losses and printed lines of a training run, and the classes predicted afterwards.

    The images are ten patterns with noise, drawn by the generator of the library.
    """
    library.manual_seed(1)
    labels = library.randint(0, 10, (640,))
    images = library.randn(10, 1, 28, 28)[labels] + library.randn(640, 1, 28, 28)
    loader = library.utils.data.DataLoader(
        library.utils.data.TensorDataset(images, labels), batch_size=32, shuffle=True
    )
    model = make_model(library.nn).train()
    optimizer = make_optimizer(library.optim, model.parameters())
    losses: list[float] = []
    printed: list[str] = []
    while len(losses) < steps:
        for x, y in loader:
            optimizer.zero_grad()
            loss = library.nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            printed.append(f"{loss:.4f} {loss!r}")
    return losses[:steps], printed[:steps], model.eval()(images[:20]).argmax(1).tolist()


def is_on_a_boundary(loss: float) -> bool:
    """Return whether a relative difference of 1e-6 could change the fourth decimal of a loss."""
    scaled = loss * 10**4
    return abs(scaled - np.floor(scaled) - 0.5) < 1e-6 * scaled


@pytest.mark.parametrize("optimizer", sorted(OPTIMIZERS))
@pytest.mark.parametrize("model", sorted(MODELS))
def test_losses_are_those_of_torch(model: str, optimizer: str, tier: str) -> None:
    with exact_roots():
        expected, expected_text, expected_classes = train(torch, MODELS[model], OPTIMIZERS[optimizer], STEPS[tier])
    actual, actual_text, actual_classes = train(engine, MODELS[model], OPTIMIZERS[optimizer], STEPS[tier])
    relative = np.abs(np.subtract(actual, expected)) / np.abs(expected)
    assert np.mean(expected[-10:]) < np.mean(expected[:10])
    assert relative.max() < 1e-4, f"step {relative.argmax()}"
    different = [i for i, (a, b) in enumerate(zip(expected_text, actual_text, strict=True)) if a != b]
    assert len(different) <= 2 and all(is_on_a_boundary(expected[i]) for i in different), [
        actual_text[i] for i in different
    ]
    assert actual_classes == expected_classes


def test_another_seed_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that another seed changes the printed losses."""
    expected = train(torch, MODELS["MLP"], OPTIMIZERS["SGD"], steps=5)
    monkeypatch.setattr(engine, "manual_seed", lambda seed: engine.default_generator.manual_seed(seed + 1))
    assert train(engine, MODELS["MLP"], OPTIMIZERS["SGD"], steps=5)[1] != expected[1]

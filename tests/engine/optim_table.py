"""Optimizers in the configurations of torch's `optim_db`, run on both engines. As a program it writes the table of results:

python -m tests.engine.optim_table docs/evidence/optim_table.json

The square roots of float32 that torch takes from MKL are not always those of IEEE 754, which NumPy's are: how many are a
neighbour depends on the processor. So torch is run a second time with exact square roots: then every configuration has torch's bits.
"""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from snippetcheck.cache import processor
from torch.testing._internal.common_optimizers import optim_db

import reference_impl as engine
from gradnotes.evidence.provenance import describe_sources, with_imports

_NOT_OURS = ("foreach", "fused", "capturable", "differentiable")


def _configurations() -> dict[str, list[dict[str, Any]]]:
    """The options of each optimizer in `optim_db`; flags that choose among torch's implementations are dropped."""
    found: dict[str, list[dict[str, Any]]] = {}
    for info in optim_db:
        name = info.optim_cls.__name__
        if not hasattr(engine.optim, name):
            continue
        kept: dict[str, dict[str, Any]] = {}
        for sample in info.optim_inputs_func(device="cpu"):
            options = {k: v for k, v in sample.kwargs.items() if k not in _NOT_OURS}
            if not any(isinstance(v, torch.Tensor) for v in options.values()):
                kept.setdefault(repr(sorted(options.items())), options)
        found[name] = list(kept.values())
    return found


CONFIGURATIONS = _configurations()


@dataclass
class Run:
    """What can be seen of a training run."""

    losses: list[float]
    printed: list[str]
    params: list[np.ndarray]
    defaults: dict[str, Any]
    state: list[Any]
    repr: str
    saved: Any


def run(
    library: Any,
    name: str,
    options: dict[str, Any],
    steps: int = 100,
    after: Run | None = None,
    tensor_lr: bool = False,
) -> Run:
    """A least-squares fit with two parameters, one without dimensions, whose gradients are computed in float64 and rounded,
    so that nothing but the optimizer can differ.

    Args:
        after: go on where that run ended, from its parameters and a saved state.
        tensor_lr: give the learning rate as a tensor.
    """
    rng = np.random.default_rng(7)
    x, y = rng.standard_normal((16, 6)), rng.standard_normal(16)
    start = [rng.standard_normal(6).astype(np.float32), np.zeros((), np.float32)]
    if after is not None:
        start = [p.copy() for p in after.params]
    params = [library.tensor(p.tolist(), requires_grad=True) for p in start]
    options = {**options, "lr": library.tensor(options["lr"])} if tensor_lr else options
    optimizer = getattr(library.optim, name)(params, **options)
    if after is not None:
        optimizer.load_state_dict(after.saved)
    losses, printed = [], []
    for number in range(steps):
        weight, bias = [p.detach().numpy().astype(np.float64) for p in params]
        residual = x @ weight + bias - y
        losses.append(float(residual @ residual))
        params[0].grad = library.from_numpy((2 * residual @ x / 16).astype(np.float32))
        params[1].grad = library.tensor(float(2 * residual.mean()))
        optimizer.step()
        if number % 10 == 9:
            printed.append(str(params))
    return Run(
        losses,
        printed,
        [p.detach().numpy().copy() for p in params],
        {k: v for k, v in optimizer.defaults.items() if not tensor_lr or k != "lr"},
        _described(optimizer.state_dict()["state"]),
        repr(optimizer),
        optimizer.state_dict(),
    )


def _described(state: Any) -> list[Any]:
    return [
        (number, name, str(getattr(v, "dtype", None)), tuple(getattr(v, "shape", ())))
        for number, entries in sorted(state.items())
        for name, v in entries.items()
    ]


def table() -> dict[str, Any]:
    """For each optimizer: in how many configurations every printed parameter and loss of 100 steps is torch's."""
    rows = []
    for name, configurations in sorted(CONFIGURATIONS.items()):
        same_text = same_bits = 0
        worst = 0.0
        for options in configurations:
            want, have = run(torch, name, options), run(engine, name, options)
            same_text += want.printed == have.printed
            same_bits += all((a == b).all() for a, b in zip(want.params, have.params, strict=True))
            worst = max(
                worst, *(abs(a - b) / max(abs(a), 1e-12) for a, b in zip(want.losses, have.losses, strict=True))
            )
        rows.append(
            {
                "optimizer": name,
                "configurations": len(configurations),
                "same_printed_text": same_text,
                "same_bits_after_100_steps": same_bits,
                "largest_relative_difference_of_a_loss": float(f"{worst:.2g}") if math.isfinite(worst) else None,
            }
        )
    return {
        "steps": 100,
        "dtype": "float32",
        "optimizers": rows,
    }


def square_roots(count: int = 1_000_000) -> dict[str, Any]:
    """How torch's square roots of float32 lie to the exact ones, in units in the last place."""
    rng = np.random.default_rng(0)
    x = (rng.random(count) * 10 ** rng.uniform(-8, 3, count)).astype(np.float32)
    exact = np.sqrt(x.astype(np.float64))
    have = torch.from_numpy(x).sqrt().numpy()
    error = np.abs(have - exact) / np.spacing(exact.astype(np.float32))
    different = int(np.sum(have != exact.astype(np.float32)))
    return {"numbers": count, "different": different, "largest_error": round(float(error.max()), 3)}


@contextlib.contextmanager
def exact_roots() -> Iterator[None]:
    """While this is entered, torch's `sqrt` and `sqrt_` give the nearest float32 to each root, as IEEE 754 asks for."""
    kept = torch.Tensor.sqrt, torch.Tensor.sqrt_

    def sqrt(x: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(np.asarray(np.sqrt(x.detach().numpy())))

    torch.Tensor.sqrt, torch.Tensor.sqrt_ = sqrt, lambda x: x.copy_(sqrt(x))  # type: ignore[assignment,method-assign]
    try:
        yield
    finally:
        torch.Tensor.sqrt, torch.Tensor.sqrt_ = kept  # type: ignore[method-assign]


def both_tables(before: dict[str, Any]) -> dict[str, Any]:
    """The table, with what exact roots give beside it. The roots of the processors that are in `before` are kept."""
    found = table()
    with exact_roots():
        again = table()
    for row, other in zip(found["optimizers"], again["optimizers"], strict=True):
        row["same_bits_with_exact_roots"] = other["same_bits_after_100_steps"]
    here = {"processor": f"{processor()}, {torch.backends.cpu.get_cpu_capability()}", **square_roots()}
    others = [row for row in before.get("square_roots", []) if row["processor"] != here["processor"]]
    found["square_roots"] = sorted([*others, here], key=lambda row: row["processor"])
    return found


if __name__ == "__main__":
    torch.set_num_threads(1)
    target, root = Path(sys.argv[1]), Path(__file__).parents[2]
    command = "python -m tests.engine.optim_table docs/evidence/optim_table.json"
    sources = {"engine": ["reference_impl"], "judge": with_imports(root, "tests/engine/optim_table.py")}
    made = describe_sources(root, command, sources, ("torch", "numpy"))
    kept = json.loads(target.read_text()) if target.exists() else {}
    found = both_tables(kept)
    rows = found["optimizers"]
    made["red"] = [row["optimizer"] for row in rows if row["same_bits_with_exact_roots"] < row["configurations"]]
    target.write_text(json.dumps({"provenance": made, **found}, indent=1) + "\n")

"""Run optimizers in the configurations of torch's `optim_db` on both engines. This command writes the table of results:

python -m tests.engine.make_tables.optim docs/evidence/optim_table.json

torch computes square roots of float32 with MKL. Unlike NumPy's, some differ by one unit in the last place from the exact root; how
many depends on the processor. So torch runs a second time with exact square roots, with which every configuration must have torch's
bits.
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

_IMPLEMENTATION_FLAGS = ("foreach", "fused", "capturable", "differentiable")


def _configurations() -> dict[str, list[dict[str, Any]]]:
    """Map each optimizer in `optim_db` to its sets of options, without flags that only choose an implementation."""
    configurations: dict[str, list[dict[str, Any]]] = {}
    for info in optim_db:
        name = info.optim_cls.__name__
        if not hasattr(engine.optim, name):
            continue
        options_by_text: dict[str, dict[str, Any]] = {}
        for sample in info.optim_inputs_func(device="cpu"):
            options = {k: v for k, v in sample.kwargs.items() if k not in _IMPLEMENTATION_FLAGS}
            if not any(isinstance(v, torch.Tensor) for v in options.values()):
                options_by_text.setdefault(repr(sorted(options.items())), options)
        configurations[name] = list(options_by_text.values())
    return configurations


CONFIGURATIONS = _configurations()


@dataclass
class Run:
    """The results of a training run.

    Attributes:
        losses: the loss before each step.
        printed: the printed parameters after every tenth step.
        params: the final parameters.
        defaults: the default options of the optimizer.
        state: name, dtype and shape of each value in the final state of the optimizer.
        repr: the printed optimizer.
        state_dict: the final `state_dict` of the optimizer.
    """

    losses: list[float]
    printed: list[str]
    params: list[np.ndarray]
    defaults: dict[str, Any]
    state: list[Any]
    repr: str
    state_dict: Any


def run(
    library: Any,
    name: str,
    options: dict[str, Any],
    steps: int = 100,
    after: Run | None = None,
    tensor_lr: bool = False,
) -> Run:
    """Fit a linear function by least squares with the optimizer `name`. Its parameters have the shapes [6] and [].

    Gradients are computed in float64 and rounded, so that only the optimizers can cause differences.

    Args:
        after: continue from the parameters and the saved state of this run.
        tensor_lr: pass the learning rate as a tensor.
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
        optimizer.load_state_dict(after.state_dict)
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
        _describe_state(optimizer.state_dict()["state"]),
        repr(optimizer),
        optimizer.state_dict(),
    )


def _describe_state(state: Any) -> list[Any]:
    return [
        (number, name, str(getattr(v, "dtype", None)), tuple(getattr(v, "shape", ())))
        for number, entries in sorted(state.items())
        for name, v in entries.items()
    ]


def table() -> dict[str, Any]:
    """Run 100 steps of each optimizer in each configuration on both engines, and return the table of results.

    Per optimizer, it has the number of configurations whose printed parameters are equal, the number of those whose final
    parameters are equal bit for bit, and the largest relative difference of a loss.
    """
    rows = []
    for name, configurations in sorted(CONFIGURATIONS.items()):
        same_text = same_bits = 0
        worst = 0.0
        for options in configurations:
            expected, actual = run(torch, name, options), run(engine, name, options)
            same_text += expected.printed == actual.printed
            same_bits += all((a == b).all() for a, b in zip(expected.params, actual.params, strict=True))
            worst = max(
                worst, *(abs(a - b) / max(abs(a), 1e-12) for a, b in zip(expected.losses, actual.losses, strict=True))
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
    """Count how many square roots of torch are not the nearest float32. Return also the largest error, in units in the last place."""
    rng = np.random.default_rng(0)
    x = (rng.random(count) * 10 ** rng.uniform(-8, 3, count)).astype(np.float32)
    exact = np.sqrt(x.astype(np.float64))
    actual = torch.from_numpy(x).sqrt().numpy()
    error = np.abs(actual - exact) / np.spacing(exact.astype(np.float32))
    different = int(np.sum(actual != exact.astype(np.float32)))
    return {"numbers": count, "different": different, "largest_error": round(float(error.max()), 3)}


@contextlib.contextmanager
def exact_roots() -> Iterator[None]:
    """Make torch's `sqrt` and `sqrt_` return the float32 nearest to each root, as IEEE 754 requires."""
    originals = torch.Tensor.sqrt, torch.Tensor.sqrt_

    def sqrt(x: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(np.asarray(np.sqrt(x.detach().numpy())))

    torch.Tensor.sqrt, torch.Tensor.sqrt_ = sqrt, lambda x: x.copy_(sqrt(x))  # type: ignore[assignment,method-assign]
    try:
        yield
    finally:
        torch.Tensor.sqrt, torch.Tensor.sqrt_ = originals  # type: ignore[method-assign]


def table_with_exact_roots(previous: dict[str, Any]) -> dict[str, Any]:
    """Build the table, with a column for exact square roots, and rows about torch's square roots on each processor.

    The row of this processor is measured; those of other processors are copied from `previous`, the last table.
    """
    tables = table()
    with exact_roots():
        exact = table()
    for row, other in zip(tables["optimizers"], exact["optimizers"], strict=True):
        row["same_bits_with_exact_roots"] = other["same_bits_after_100_steps"]
    this_processor = {"processor": f"{processor()}, {torch.backends.cpu.get_cpu_capability()}", **square_roots()}
    other_processors = [
        row for row in previous.get("square_roots", []) if row["processor"] != this_processor["processor"]
    ]
    tables["square_roots"] = sorted([*other_processors, this_processor], key=lambda row: row["processor"])
    return tables


if __name__ == "__main__":
    torch.set_num_threads(1)
    target, root = Path(sys.argv[1]), Path(__file__).parents[3]
    command = "python -m tests.engine.make_tables.optim docs/evidence/optim_table.json"
    sources = {"engine": ["reference_impl"], "judge": with_imports(root, "tests/engine/make_tables/optim.py")}
    provenance = describe_sources(root, command, sources, ("torch", "numpy"))
    previous = json.loads(target.read_text()) if target.exists() else {}
    tables = table_with_exact_roots(previous)
    rows = tables["optimizers"]
    provenance["red"] = [row["optimizer"] for row in rows if row["same_bits_with_exact_roots"] < row["configurations"]]
    target.write_text(json.dumps({"provenance": provenance, **tables}, indent=1) + "\n")

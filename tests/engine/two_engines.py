"""Run a program on torch and on the engine step by step, and compare the properties and values of all tensors."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

import reference_impl as engine

Step = Callable[[Any, list[Any]], Any]
"""A function of an engine and the list of its tensors so far. New tensors that it returns are appended to this list."""


def node_names(t: Any) -> Any:
    """Return the names of a tensor's node and of its next functions; None for a leaf; the error if the node is invalid."""
    node, error = outcome_of(lambda: t.grad_fn)
    if node is None:
        return error
    return node.name(), [(None if n is None else n.name(), i) for n, i in node.next_functions]


def properties_of(t: Any) -> dict[str, Any]:
    """Return the properties of a tensor that are compared, except its values."""
    return {
        "dtype": str(t.dtype),
        "shape": tuple(t.shape),
        "strides": [s for s, n in zip(t.stride(), t.shape, strict=True) if n > 1] if t.numel() else None,
        "offset": t.storage_offset() if t.numel() else None,
        "contiguous": t.is_contiguous(),
        "version": t._version,
        "requires_grad": t.requires_grad,
        "is_leaf": outcome_of(lambda: t.is_leaf),
        "is_view": t._is_view(),
        "node": node_names(t),
        "output_nr": outcome_of(lambda: t.output_nr),
    }


def values(t: Any) -> np.ndarray:
    """Return the values of a tensor of either engine as an array."""
    return t.detach().numpy(force=True)  # `force` because torch may represent zeros without memory


def outcome_of(call: Callable[[], Any], is_quiet: bool = True) -> tuple[Any, str | None]:
    """Return (result, None), or (None, error) with the error as `ValueError: message`, without torch's C++ frames.

    Args:
        is_quiet: ignore warnings.
    """
    with warnings.catch_warnings() if is_quiet else contextlib.nullcontext():
        if is_quiet:
            warnings.simplefilter("ignore")
        try:
            return call(), None
        except Exception as error:
            return None, f"{type(error).__name__}: {str(error).split(chr(10) + 'Exception raised from')[0]}"


class TwoEngines:
    """The same tensors on both engines.

    Attributes:
        log: the texts of the steps so far, for messages.
    """

    def __init__(self) -> None:
        self.torch_tensors: list[Any] = []
        self.engine_tensors: list[Any] = []
        self.log: list[str] = []

    def step(self, text: str, run: Step) -> None:
        """Run a step on both engines and compare the errors, if any, and all tensors. `text` describes the step in messages."""
        self.log.append(text)
        results = []
        for library, tensors in ((torch, self.torch_tensors), (engine, self.engine_tensors)):
            result, error = outcome_of(lambda library=library, tensors=tensors: run(library, tensors))
            results.append((result, error))
        (expected, torch_error), (actual, engine_error) = results
        assert engine_error == torch_error, f"{engine_error}\n  instead of\n{torch_error}\nafter {self.program()}"
        for result, tensors in ((expected, self.torch_tensors), (actual, self.engine_tensors)):
            outputs = result if isinstance(result, (tuple, list)) else (result,)
            known = {id(t) for t in tensors}
            tensors.extend(t for t in outputs if hasattr(t, "grad_fn") and id(t) not in known)
        self.compare()

    def compare(self) -> None:
        """Assert that each tensor has the same properties, and nearly the same values, on both engines."""
        assert len(self.engine_tensors) == len(self.torch_tensors), self.program()
        for number, (torch_tensor, engine_tensor) in enumerate(
            zip(self.torch_tensors, self.engine_tensors, strict=True)
        ):
            expected, actual = properties_of(torch_tensor), properties_of(engine_tensor)
            different = {k: (actual[k], "instead of", expected[k]) for k in expected if actual[k] != expected[k]}
            assert not different, f"tensor {number}: {different}\nafter {self.program()}"
            np.testing.assert_allclose(
                values(engine_tensor),
                values(torch_tensor),
                **self.tolerance(),
                err_msg=f"tensor {number} after {self.program()}",
            )

    def compare_gradients(self, output: int, inputs: list[int]) -> None:
        """Compare gradients and second gradients of tensor number `output` with respect to those numbered `inputs`.

        The gradients are those of a weighted sum of the squares of the elements of the output. The second gradients are those of the sum
        of the squares of the first.
        """
        self.log.append(f"gradients of {output}")
        outcomes = []
        for library, tensors in ((torch, self.torch_tensors), (engine, self.engine_tensors)):
            outcomes.append(
                outcome_of(lambda library=library, tensors=tensors: _gradients(library, tensors, output, inputs))
            )
        (expected, torch_error), (actual, engine_error) = outcomes
        assert engine_error == torch_error, f"{engine_error}\n  instead of\n{torch_error}\nafter {self.program()}"
        for a, b in zip(expected or (), actual or (), strict=True):
            if a is not None or b is not None:  # an engine may return None for a gradient of zeros
                tolerance = {"rtol": 1e-3, "atol": 1e-3} if self.is_rough() else {"rtol": 1e-9, "atol": 1e-10}
                np.testing.assert_allclose(_or_zeros(b, a), _or_zeros(a, b), **tolerance, err_msg=self.program())

    def is_rough(self) -> bool:
        """Return whether any tensor is float32, because elementary functions of float32 may differ in their last bits."""
        return any(t.dtype == torch.float32 for t in self.torch_tensors)

    def tolerance(self) -> dict[str, float]:
        """Return `rtol` and `atol` for comparing values. They are larger if any tensor is float32."""
        return {"rtol": 1e-4, "atol": 1e-5} if self.is_rough() else {"rtol": 1e-10, "atol": 1e-12}

    def program(self) -> str:
        """Return the texts of the steps so far, one per line."""
        return "\n  ".join(["the program", *self.log])


def _or_zeros(t: Any, like: Any) -> np.ndarray:
    return np.zeros_like(values(like)) if t is None else values(t)


def _gradients(library: Any, tensors: list[Any], output_index: int, inputs: list[int]) -> list[Any]:
    output = tensors[output_index]
    weights = np.cos(np.arange(output.numel(), dtype=np.float64)).reshape(tuple(output.shape))
    targets = [tensors[i] for i in inputs]
    cotangent = library.from_numpy(weights).to(output.dtype)
    first = library.autograd.grad(
        (output * output), targets, cotangent, create_graph=True, retain_graph=True, allow_unused=True
    )
    differentiable = [g for g in first if g is not None and g.requires_grad]
    if not differentiable:
        return [*first, *[None] * len(targets)]
    total = sum((g * g).sum() for g in differentiable)
    return [*first, *library.autograd.grad(total, targets, retain_graph=True, allow_unused=True)]

"""Automatic differentiation beyond the core.

Modules: `differentiation` (`backward` and `grad`), `function` (custom operations), `graph` (hooks that do not belong to a single
tensor), `saved_hooks` and `hook_results`, `grad_mode` (inference mode), `anomaly_mode`, `gradcheck`. Further: `functional` (Jacobians
and Hessians), `trace` (a recorded pass), `recomputation` (formulas that a graph shows as one node).
"""

from __future__ import annotations

import importlib
from typing import Any

from reference_impl.arguments.missing_names import absent
from reference_impl.autograd import deletion, graph, hook_results, ready_queue  # noqa: F401 (three fill slots of the core)
from reference_impl.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from reference_impl.autograd.differentiation import backward, grad
from reference_impl.autograd.function import Function
from reference_impl.autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from reference_impl.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from reference_impl.autograd.variable import Variable
from reference_impl.core.extensions import add_members
from reference_impl.core.tensor import Tensor

__all__ = [
    "Function",
    "GradcheckError",
    "Variable",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]


def _backward_of(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Compute the gradients of the leaves and add them to their `.grad`. See `autograd.backward`."""
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)


_backward_of.__name__, _backward_of.__qualname__ = "backward", "Tensor.backward"
add_members(Tensor, backward=_backward_of)


def __getattr__(name: str) -> Any:
    """Import modules that few programs need at their first use."""
    if name in ("functional", "trace"):
        return importlib.import_module(f"reference_impl.autograd.{name}")
    raise absent("torch.autograd", name)

"""Automatic differentiation beyond the core.

Modules of torch's API: `differentiation` (`backward` and `grad`), `function` (custom operations), `graph` (hooks on several tensors or on
saved tensors), `grad_mode` (inference mode), `anomaly_mode`, `gradcheck`, `functional` (Jacobians), `variable` (an old name for tensors).
Modules of the engine: `saved_hooks` (hooks on saved tensors), `hook_results` (checks of the results of hooks), `ready_queue` (torch's
order of nodes), `deletion` (of long graphs), `recomputation` (formulas that the graph shows as one node), `trace` (the record of a pass),
`rules` (the text of gradient rules).
"""

from __future__ import annotations

import importlib
from typing import Any

from reference_impl.arguments.missing_names import absent
from reference_impl.autograd import deletion, graph, hook_results, ready_queue  # noqa: F401 (they extend the core)
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
    """Compute the gradients of this tensor with respect to the leaves, and add them to the `.grad` of the leaves.

    The arguments are those of `torch.autograd.backward`, where `gradient` is called `grad_tensors`.
    """
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)


_backward_of.__name__, _backward_of.__qualname__ = "backward", "Tensor.backward"
add_members(Tensor, backward=_backward_of)


def __getattr__(name: str) -> Any:
    """Import `functional` or `trace` when a program first uses it, because few programs do. Raise AttributeError for other names."""
    if name in ("functional", "trace"):
        return importlib.import_module(f"reference_impl.autograd.{name}")
    raise absent("torch.autograd", name)

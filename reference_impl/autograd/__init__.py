"""Automatic differentiation.

Where to look: `differentiation` (`backward` and `grad`), `engine` (the backward loop), `node` (nodes, AccumulateGrad, edges),
`recording` (how an operation becomes a node), `saved_variable` (what a node keeps, with its version), `view` and `inplace`
(shared memory and changes to it), `grad_mode` (whether to record), `function` (operations of the user's own), `graph` (hooks that
belong to no single tensor), `anomaly_mode`, `gradcheck`, `functional` (Jacobians and Hessians), `trace` (a recorded pass).
"""

from __future__ import annotations

import importlib
from typing import Any

from reference_impl._absent import absent
from reference_impl.autograd import graph
from reference_impl.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from reference_impl.autograd.differentiation import backward, grad
from reference_impl.autograd.function import Function
from reference_impl.autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from reference_impl.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from reference_impl.autograd.variable import Variable

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


def __getattr__(name: str) -> Any:
    """Modules that few programs need are imported when first used."""
    if name in ("functional", "trace"):
        return importlib.import_module(f"reference_impl.autograd.{name}")
    raise absent("torch.autograd", name)

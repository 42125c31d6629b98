"""Stochastic gradient descent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reference_impl._fields import KW_ONLY
from reference_impl._tensor import Tensor
from reference_impl.optim.optimizer import NotNegative, Optimizer


class SGD(Optimizer):
    """Subtract a multiple of the gradient from each parameter, with momentum if set.

        d = g + weight_decay · p,  p -= lr · d

    g is the gradient of the parameter p. With momentum, b = momentum · b + (1 - dampening) · d and p -= lr · b; in the first step
    b = d. With nesterov, p -= lr · (d + momentum · b).

    Raises:
        ValueError: lr, momentum or weight_decay is negative, or nesterov is set without momentum or with dampening.
    """

    lr: NotNegative = 1e-3
    momentum: NotNegative = 0
    dampening: float = 0
    weight_decay: NotNegative = 0
    nesterov: bool = False
    _: KW_ONLY
    maximize: bool = False
    foreach: bool | None = None
    differentiable: bool = False
    fused: bool | None = None

    def _begin(self, params: Iterable[Any], options: dict[str, Any]) -> None:
        if options["nesterov"] and (options["momentum"] <= 0 or options["dampening"] != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super()._begin(params, options)

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        """Update `param` in place from `grad`, with the options in `group`."""
        momentum = group["momentum"]
        if group["weight_decay"] != 0:
            grad = grad.add(param, alpha=group["weight_decay"])
        if momentum != 0:
            state = self.state[param]
            buffer = state.get("momentum_buffer")
            if buffer is None:
                buffer = state["momentum_buffer"] = grad.detach().clone()
            else:
                buffer.mul_(momentum).add_(grad, alpha=1 - group["dampening"])
            grad = grad.add(buffer, alpha=momentum) if group["nesterov"] else buffer
        param.add_(grad, alpha=-float(group["lr"]))


SGD.__module__ = "torch.optim.sgd"

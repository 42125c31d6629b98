"""The optimizer Adamax."""

from __future__ import annotations

from typing import Any

from reference_impl._fields import KW_ONLY
from reference_impl._tensor import Tensor
from reference_impl.ops.elementwise import zeros_like
from reference_impl.ops.extremes import maximum
from reference_impl.optim.optimizer import Betas, NotNegative, Optimizer, new_step


class Adamax(Optimizer):
    """Divide a running mean of the gradients by the largest recent gradient (Kingma and Ba 2015).

        m = β₁ m + (1 - β₁) g,  u = max(β₂ u, |g| + eps),  p -= lr / (1 - β₁ᵗ) · m / u

    g is the gradient of the parameter p, t the number of the step. weight_decay adds weight_decay · p to g.

    Raises:
        ValueError: an option is negative, or a beta is outside [0, 1).
    """

    lr: NotNegative = 2e-3
    betas: Betas = (0.9, 0.999)
    eps: NotNegative = 1e-8
    weight_decay: NotNegative = 0
    foreach: bool | None = None
    _: KW_ONLY
    maximize: bool = False
    differentiable: bool = False
    capturable: bool = False

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        """Update `param` in place from `grad`, with the options in `group`."""
        state = self.state[param]
        if not state:
            state["step"] = new_step()
            state["exp_avg"] = zeros_like(param)
            state["exp_inf"] = zeros_like(param)
        beta1, beta2 = group["betas"]
        state["step"] += 1
        if group["weight_decay"] != 0:
            grad = grad.add(param, alpha=group["weight_decay"])
        mean, largest = state["exp_avg"], state["exp_inf"]
        mean.lerp_(grad, 1 - beta1)
        largest.copy_(maximum(largest.mul_(beta2), grad.abs().add_(group["eps"])))
        param.addcdiv_(mean, largest, value=-float(group["lr"]) / (1 - beta1 ** state["step"].item()))


Adamax.__module__ = "torch.optim.adamax"

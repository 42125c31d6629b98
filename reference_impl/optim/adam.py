"""The optimizers Adam and AdamW."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reference_impl._fields import KW_ONLY
from reference_impl._tensor import Tensor
from reference_impl.ops.elementwise import zeros_like
from reference_impl.ops.extremes import maximum
from reference_impl.optim.optimizer import Betas, NotNegative, Optimizer, new_step


class Adam(Optimizer):
    """Divide a running mean of the gradients by the root of a running mean of their squares (Kingma and Ba 2015).

        m = β₁ m + (1 - β₁) g,  v = β₂ v + (1 - β₂) g²,  p -= lr / (1 - β₁ᵗ) · m / (√v / √(1 - β₂ᵗ) + eps)

    g is the gradient of the parameter p, t the number of the step. weight_decay adds weight_decay · p to g; with
    `decoupled_weight_decay`, p is multiplied by 1 - lr · weight_decay instead. amsgrad uses the largest v so far instead of v.

    Raises:
        ValueError: an option is negative, or a beta is outside [0, 1).
    """

    lr: NotNegative = 1e-3
    betas: Betas = (0.9, 0.999)
    eps: NotNegative = 1e-8
    weight_decay: NotNegative = 0
    amsgrad: bool = False
    _: KW_ONLY
    maximize: bool = False
    foreach: bool | None = None
    capturable: bool = False
    differentiable: bool = False
    fused: bool | None = None
    decoupled_weight_decay: bool = False

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        """Update `param` in place from `grad`, with the options in `group`."""
        state = self.state[param]
        if not state:
            state["step"] = new_step()
            state["exp_avg"] = zeros_like(param)
            state["exp_avg_sq"] = zeros_like(param)
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = zeros_like(param)
        lr, (beta1, beta2) = float(group["lr"]), group["betas"]
        state["step"] += 1
        step = state["step"].item()
        grad = with_weight_decay(param, grad, group, lr)
        m, v = state["exp_avg"], state["exp_avg_sq"]
        m.lerp_(grad, 1 - beta1)
        v.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        if group["amsgrad"]:
            largest = state["max_exp_avg_sq"]
            largest.copy_(maximum(largest, v))
            v = largest
        denominator = (v.sqrt() / (1 - beta2**step) ** 0.5).add_(group["eps"])
        param.addcdiv_(m, denominator, value=-lr / (1 - beta1**step))


class AdamW(Adam):
    """Adam with decoupled weight decay, 0.01 by default."""

    lr: NotNegative = 1e-3
    betas: Betas = (0.9, 0.999)
    eps: NotNegative = 1e-8
    weight_decay: NotNegative = 1e-2
    amsgrad: bool = False
    _: KW_ONLY
    maximize: bool = False
    foreach: bool | None = None
    capturable: bool = False
    differentiable: bool = False
    fused: bool | None = None

    def _begin(self, params: Iterable[Any], options: dict[str, Any]) -> None:
        super()._begin(params, {**options, "decoupled_weight_decay": True})


def with_weight_decay(param: Tensor, grad: Tensor, group: dict[str, Any], lr: float) -> Tensor:
    """Return `grad` plus weight_decay · `param`.

    With the option "decoupled_weight_decay", multiply `param` by 1 - lr · weight_decay in place and return `grad` unchanged.
    """
    if group["weight_decay"] == 0:
        return grad
    if group["decoupled_weight_decay"]:
        param.mul_(1 - lr * group["weight_decay"])
        return grad
    return grad.add(param, alpha=group["weight_decay"])


Adam.__module__ = "torch.optim.adam"
AdamW.__module__ = "torch.optim.adamw"

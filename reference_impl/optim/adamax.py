"""Adamax."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.ops.registry import functions
from reference_impl.optim.optimizer import Optimizer, check_betas, check_not_negative, new_step, zeros_like


class Adamax(Optimizer):
    """m = β₁ m + (1 - β₁) g,  u = max(β₂ u, |g| + eps),  p -= lr / (1 - β₁ᵗ) · m / u. weight_decay adds weight_decay · p to g.

    Raises:
        ValueError: a negative option, or a beta outside [0, 1).
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_not_negative(lr=lr, eps=eps)
        check_betas(betas)
        check_not_negative(weight_decay=weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state = self.state[param]
        if not state:
            state["step"] = new_step()
            state["exp_avg"] = zeros_like(param)
            state["exp_inf"] = zeros_like(param)
        beta1, beta2 = group["betas"]
        state["step"] += 1
        if group["weight_decay"] != 0:
            grad = grad.add(param, alpha=group["weight_decay"])
        m = state["exp_avg"].lerp_(grad, 1 - beta1)
        u = state["exp_inf"].mul_(beta2)
        u.copy_(functions["maximum"](u, grad.abs().add_(group["eps"])))
        param.addcdiv_(m, u, value=-float(group["lr"]) / (1 - beta1 ** state["step"].item()))


Adamax.__module__ = "torch.optim.adamax"

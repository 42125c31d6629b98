"""RAdam: Adam that waits until the variance of its steps can be told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.optim.optimizer import (
    Optimizer,
    check_betas,
    check_not_negative,
    new_step,
    with_weight_decay,
    zeros_like,
)


class RAdam(Optimizer):
    """m and v as in Adam,  ρ∞ = 2 / (1 - β₂) - 1,  ρ = ρ∞ - 2 t β₂ᵗ / (1 - β₂ᵗ).

    While ρ <= 5:  p -= lr · m / (1 - β₁ᵗ). After that the same times √(1 - β₂ᵗ) / (√v + eps) and the rectification
    √((ρ - 4)(ρ - 2) ρ∞ / ((ρ∞ - 4)(ρ∞ - 2) ρ)).

    weight_decay adds weight_decay · p to g; with `decoupled_weight_decay` p shrinks by lr · weight_decay instead.

    Raises:
        ValueError: a negative option, or a beta outside [0, 1).
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_not_negative(lr=lr, eps=eps)
        check_betas(betas)
        check_not_negative(weight_decay=weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state = self.state[param]
        if not state:
            state["step"] = new_step()
            state["exp_avg"] = zeros_like(param)
            state["exp_avg_sq"] = zeros_like(param)
        lr, (beta1, beta2) = float(group["lr"]), group["betas"]
        state["step"] += 1
        step = state["step"].item()
        grad = with_weight_decay(param, grad, group, lr)
        m = state["exp_avg"].lerp_(grad, 1 - beta1)
        v = state["exp_avg_sq"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        correction2 = 1 - beta2**step
        update = m / (1 - beta1**step) * lr
        rho_inf = 2 / (1 - beta2) - 1
        rho = rho_inf - 2 * step * (beta2**step) / correction2
        if rho > 5.0:
            rectification = ((rho - 4) * (rho - 2) * rho_inf / ((rho_inf - 4) * (rho_inf - 2) * rho)) ** 0.5
            update = update * (correction2**0.5 / v.sqrt().add_(group["eps"])) * rectification
        param.add_(update, alpha=-1.0)


RAdam.__module__ = "torch.optim.radam"

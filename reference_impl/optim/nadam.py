"""NAdam: Adam with Nesterov momentum."""

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


class NAdam(Optimizer):
    """m and v as in Adam,  μₜ = β₁ (1 - ½ 0.96^(t · momentum_decay)),  M = μ₁ … μₜ,  d = √(v / (1 - β₂ᵗ)) + eps,

    p -= lr (1 - μₜ) / (1 - M) · g / d + lr μₜ₊₁ / (1 - M μₜ₊₁) · m / d.

    weight_decay adds weight_decay · p to g; with `decoupled_weight_decay` p shrinks by lr · weight_decay instead.

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
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_not_negative(lr=lr, eps=eps)
        check_betas(betas)
        check_not_negative(weight_decay=weight_decay, momentum_decay=momentum_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state = self.state[param]
        if not state:
            state["step"] = new_step()
            state["mu_product"] = new_step(1.0)
            state["exp_avg"] = zeros_like(param)
            state["exp_avg_sq"] = zeros_like(param)
        lr, (beta1, beta2), decay = float(group["lr"]), group["betas"], group["momentum_decay"]
        state["step"] += 1
        step = state["step"].item()
        grad = with_weight_decay(param, grad, group, lr)
        mu = beta1 * (1.0 - 0.5 * (0.96 ** (step * decay)))
        mu_next = beta1 * (1.0 - 0.5 * (0.96 ** ((step + 1) * decay)))
        state["mu_product"] *= mu
        product = state["mu_product"].item()
        m = state["exp_avg"].lerp_(grad, 1 - beta1)
        v = state["exp_avg_sq"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        denominator = v.div(1 - beta2**step).sqrt().add_(group["eps"])
        param.addcdiv_(grad, denominator, value=-lr * (1.0 - mu) / (1.0 - product))
        param.addcdiv_(m, denominator, value=-lr * mu_next / (1.0 - product * mu_next))


NAdam.__module__ = "torch.optim.nadam"

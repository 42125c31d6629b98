"""Adadelta."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.optim.optimizer import Optimizer, check_not_negative, new_step, zeros_like


class Adadelta(Optimizer):
    """v = ρ v + (1 - ρ) g²,  d = √(u + eps) / √(v + eps) · g,  u = ρ u + (1 - ρ) d²,  p -= lr · d.

    weight_decay adds weight_decay · p to g.

    Raises:
        ValueError: a negative option, or rho outside [0, 1].
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_not_negative(lr=lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        check_not_negative(eps=eps, weight_decay=weight_decay)
        defaults = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "capturable": capturable,
            "foreach": foreach,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state = self.state[param]
        if not state:
            state["step"] = new_step()
            state["square_avg"] = zeros_like(param)
            state["acc_delta"] = zeros_like(param)
        rho, eps = group["rho"], group["eps"]
        state["step"] += 1
        if group["weight_decay"] != 0:
            grad = grad.add(param, alpha=group["weight_decay"])
        v = state["square_avg"].mul_(rho).addcmul_(grad, grad, value=1 - rho)
        delta = state["acc_delta"].add(eps).sqrt_().div_(v.add(eps).sqrt_()).mul_(grad)
        state["acc_delta"].mul_(rho).addcmul_(delta, delta, value=1 - rho)
        param.add_(delta, alpha=-float(group["lr"]))


Adadelta.__module__ = "torch.optim.adadelta"

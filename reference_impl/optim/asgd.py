"""Averaged stochastic gradient descent."""

from __future__ import annotations

from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.ops.elementwise import zeros_like
from reference_impl.optim.optimizer import NotNegative, Optimizer, new_step


class ASGD(Optimizer):
    """Run stochastic gradient descent, and average the values that a parameter has after each step.

        p = (1 - λ η) p - η g,  a += μ (p - a);  for the next step, η = lr / (1 + λ lr t)^α and μ = 1 / max(1, t - t0)

    g is the gradient of the parameter p, t the number of the step, λ is `lambd` and α is `alpha`. At first η = lr and μ = 1. The average
    a is in `state[p]["ax"]`. weight_decay adds weight_decay · p to g.

    Raises:
        ValueError: lr or weight_decay is negative.
    """

    lr: NotNegative = 1e-2
    lambd: float = 1e-4
    alpha: float = 0.75
    t0: float = 1e6
    weight_decay: NotNegative = 0
    foreach: bool | None = None
    maximize: bool = False
    differentiable: bool = False
    capturable: bool = False

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        """Update `param` in place from `grad`, with the options in `group`."""
        state = self.state[param]
        lr, lambd = float(group["lr"]), group["lambd"]
        if not state:
            state["step"] = new_step()
            state["eta"] = new_step(lr)
            state["mu"] = new_step(1.0)
            state["ax"] = zeros_like(param)
        state["step"] += 1
        step, eta, average = state["step"].item(), state["eta"].item(), state["ax"]
        if group["weight_decay"] != 0:
            grad = grad.add(param, alpha=group["weight_decay"])
        param.mul_(1 - lambd * eta)
        param.add_(grad, alpha=-eta)
        mu = state["mu"].item()
        if mu != 1:
            average.add_(param.sub(average).mul_(mu))
        else:
            average.copy_(param)
        state["eta"].fill_(lr / ((1 + lambd * lr * step) ** group["alpha"]))
        state["mu"].fill_(1 / max(1, step - group["t0"]))


ASGD.__module__ = "torch.optim.asgd"

"""The optimizer Adadelta."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reference_impl._fields import KW_ONLY
from reference_impl._tensor import Tensor
from reference_impl.ops.elementwise import zeros_like
from reference_impl.optim.optimizer import NotNegative, Optimizer, new_step, order_options


class Adadelta(Optimizer):
    """Scale gradients by running means of squares, so that updates have the unit of the parameters (Zeiler 2012).

        v = ρ v + (1 - ρ) g²,  d = √(u + eps) / √(v + eps) · g,  u = ρ u + (1 - ρ) d²,  p -= lr · d

    g is the gradient of the parameter p. weight_decay adds weight_decay · p to g.

    Raises:
        ValueError: an option is negative, or rho is outside [0, 1].
    """

    lr: NotNegative = 1.0
    rho: float = 0.9
    eps: NotNegative = 1e-6
    weight_decay: NotNegative = 0
    foreach: bool | None = None
    _: KW_ONLY
    capturable: bool = False
    maximize: bool = False
    differentiable: bool = False

    def _begin(self, params: Iterable[Any], options: dict[str, Any]) -> None:
        if not 0.0 <= options["rho"] <= 1.0:
            raise ValueError(f"Invalid rho value: {options['rho']}")
        super()._begin(params, order_options("lr rho eps weight_decay maximize capturable", options))

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        """Update `param` in place from `grad`, with the options in `group`."""
        state = self.state[param]
        if not state:
            state["step"] = new_step()
            state["square_avg"] = zeros_like(param)
            state["acc_delta"] = zeros_like(param)
        state["step"] += 1
        rho, eps = group["rho"], group["eps"]
        if group["weight_decay"] != 0:
            grad = grad.add(param, alpha=group["weight_decay"])
        squares, steps = state["square_avg"], state["acc_delta"]
        root = squares.mul_(rho).addcmul_(grad, grad, value=1 - rho).add(eps).sqrt_()
        delta = steps.add(eps).sqrt_().div_(root).mul_(grad)
        steps.mul_(rho).addcmul_(delta, delta, value=1 - rho)
        param.add_(delta, alpha=-float(group["lr"]))


Adadelta.__module__ = "torch.optim.adadelta"

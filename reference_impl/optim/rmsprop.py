"""The optimizer RMSprop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.ops.elementwise import zeros_like
from reference_impl.optim.optimizer import NotNegative, Optimizer, new_step, order_options


class RMSprop(Optimizer):
    """Divide gradients by the root of a running mean of their squares.

        v = α v + (1 - α) g²,  p -= lr · g / (√v + eps)

    g is the gradient of the parameter p. weight_decay adds weight_decay · p to g. With centered, the square of a running mean of g is
    subtracted from v under the root. With momentum, b = momentum · b + g / (√v + eps) and p -= lr · b.

    Raises:
        ValueError: an option is negative.
    """

    lr: NotNegative = 1e-2
    alpha: NotNegative = 0.99
    eps: NotNegative = 1e-8
    weight_decay: NotNegative = 0
    momentum: NotNegative = 0
    centered: bool = False
    capturable: bool = False
    foreach: bool | None = None
    maximize: bool = False
    differentiable: bool = False

    def _begin(self, params: Iterable[Any], options: dict[str, Any]) -> None:
        super()._begin(params, order_options("lr momentum alpha eps centered weight_decay", options))

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        """Update `param` in place from `grad`, with the options in `group`."""
        state = self.state[param]
        if not state:
            state["step"] = new_step()
            state["square_avg"] = zeros_like(param)
            if group["momentum"] > 0:
                state["momentum_buffer"] = zeros_like(param)
            if group["centered"]:
                state["grad_avg"] = zeros_like(param)
        state["step"] += 1
        lr, alpha = float(group["lr"]), group["alpha"]
        if group["weight_decay"] != 0:
            grad = grad.add(param, alpha=group["weight_decay"])
        v = state["square_avg"].mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
        if group["centered"]:
            mean = state["grad_avg"].lerp_(grad, 1 - alpha)
            root = v.addcmul(mean, mean, value=-1).sqrt_().add_(group["eps"])
        else:
            root = v.sqrt().add_(group["eps"])
        if group["momentum"] > 0:
            buffer = state["momentum_buffer"].mul_(group["momentum"]).addcdiv_(grad, root)
            param.add_(buffer, alpha=-lr)
        else:
            param.addcdiv_(grad, root, value=-lr)


RMSprop.__module__ = "torch.optim.rmsprop"

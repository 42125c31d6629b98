"""RMSprop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.optim.optimizer import Optimizer, check_not_negative, new_step, zeros_like


class RMSprop(Optimizer):
    """v = α v + (1 - α) g²,  p -= lr · g / (√v + eps).

    weight_decay adds weight_decay · p to g. With `centered`, v - m² takes the place of v, where m = α m + (1 - α) g is the mean
    of the gradients. With momentum, b = momentum · b + g / (√v + eps) and p -= lr · b.

    Raises:
        ValueError: a negative option.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_not_negative(lr=lr, eps=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state = self.state[param]
        if not state:
            state["step"] = new_step()
            state["square_avg"] = zeros_like(param)
            if group["momentum"] > 0:
                state["momentum_buffer"] = zeros_like(param)
            if group["centered"]:
                state["grad_avg"] = zeros_like(param)
        lr, alpha = float(group["lr"]), group["alpha"]
        state["step"] += 1
        if group["weight_decay"] != 0:
            grad = grad.add(param, alpha=group["weight_decay"])
        v = state["square_avg"].mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
        if group["centered"]:
            mean = state["grad_avg"].lerp_(grad, 1 - alpha)
            root = v.addcmul(mean, mean, value=-1).sqrt_()
        else:
            root = v.sqrt()
        root.add_(group["eps"])
        if group["momentum"] > 0:
            buffer = state["momentum_buffer"].mul_(group["momentum"]).addcdiv_(grad, root)
            param.add_(buffer, alpha=-lr)
        else:
            param.addcdiv_(grad, root, value=-lr)


RMSprop.__module__ = "torch.optim.rmsprop"

"""The optimizer Adagrad."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reference_impl._fields import KW_ONLY
from reference_impl._tensor import Tensor
from reference_impl.ops.creation import full_like
from reference_impl.optim.optimizer import NotNegative, Optimizer, new_step, order_options


class Adagrad(Optimizer):
    """Divide gradients by the root of the sum of their squares so far (Duchi et al. 2011).

        s += g²,  p -= lr / (1 + (t - 1) · lr_decay) · g / (√s + eps)

    g is the gradient of the parameter p, t the number of the step. The sum s starts at initial_accumulator_value when the optimizer
    is created. weight_decay adds weight_decay · p to g.

    Raises:
        ValueError: an option is negative.
    """

    lr: NotNegative = 1e-2
    lr_decay: NotNegative = 0
    weight_decay: NotNegative = 0
    initial_accumulator_value: NotNegative = 0
    eps: NotNegative = 1e-10
    foreach: bool | None = None
    _: KW_ONLY
    maximize: bool = False
    differentiable: bool = False
    fused: bool | None = None

    def _begin(self, params: Iterable[Any], options: dict[str, Any]) -> None:
        super()._begin(params, order_options("lr lr_decay eps", options))
        for group in self.param_groups:
            for param in group["params"]:
                self._begin_state(param)

    def _begin_state(self, param: Tensor) -> None:
        total = full_like(param, self.defaults["initial_accumulator_value"])
        self.state[param].update({"step": new_step(), "sum": total})

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        """Update `param` in place from `grad`, with the options in `group`."""
        state = self.state[param]
        if not state:
            self._begin_state(param)
        state["step"] += 1
        if group["weight_decay"] != 0:
            grad = grad.add(param, alpha=group["weight_decay"])
        rate = float(group["lr"]) / (1 + (state["step"].item() - 1) * group["lr_decay"])
        total = state["sum"].addcmul_(grad, grad, value=1)
        param.addcdiv_(grad, total.sqrt().add_(group["eps"]), value=-rate)


Adagrad.__module__ = "torch.optim.adagrad"

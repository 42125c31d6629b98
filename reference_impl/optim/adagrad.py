"""Adagrad."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.optim.optimizer import Optimizer, check_not_negative, new_step, zeros_like


class Adagrad(Optimizer):
    """s += g²,  p -= lr / (1 + (t - 1) lr_decay) · g / (√s + eps), where t counts the steps. weight_decay adds weight_decay · p to g.

    Raises:
        ValueError: a negative option.
        RuntimeError: `fused` together with `differentiable` or `foreach`.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_not_negative(
            lr=lr,
            lr_decay=lr_decay,
            weight_decay=weight_decay,
            initial_accumulator_value=initial_accumulator_value,
            eps=eps,
        )
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
        if fused and differentiable:
            raise RuntimeError("`fused` does not support `differentiable`")
        if fused and foreach:
            raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
        for group in self.param_groups:
            for param in group["params"]:
                self._begin(param)

    def _begin(self, param: Tensor) -> None:
        """Adagrad has its state from the start, not from the first step."""
        state = self.state[param]
        state["step"] = new_step()
        state["sum"] = zeros_like(param).fill_(self.defaults["initial_accumulator_value"])

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        if not self.state[param]:
            self._begin(param)
        state = self.state[param]
        state["step"] += 1
        if group["weight_decay"] != 0:
            grad = grad.add(param, alpha=group["weight_decay"])
        lr = float(group["lr"]) / (1 + (state["step"].item() - 1) * group["lr_decay"])
        total = state["sum"].addcmul_(grad, grad, value=1)
        param.addcdiv_(grad, total.sqrt().add_(group["eps"]), value=-lr)


Adagrad.__module__ = "torch.optim.adagrad"

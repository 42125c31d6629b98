"""Resilient backpropagation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.ops.registry import functions
from reference_impl.optim.optimizer import Optimizer, check_not_negative, new_step, zeros_like


class Rprop(Optimizer):
    """Each element has a step size of its own: it grows by η⁺ where the gradient keeps its sign and shrinks by η⁻ where it turns.

    p -= sign(g) · step size; where the sign has turned, p stays and g counts as 0.

    Raises:
        ValueError: a negative lr, or etas that are not 0 < η⁻ < 1 < η⁺.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_not_negative(lr=lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        defaults = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
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
            state["prev"] = zeros_like(param)
            state["step_size"] = zeros_like(param).fill_(float(group["lr"]))
        (shrink, grow), where = group["etas"], functions["where"]
        state["step"] += 1
        agreement = grad.mul(state["prev"])
        turned = agreement < 0
        step_size = state["step_size"]
        grown = where(agreement > 0, step_size * grow, step_size)
        step_size.copy_(where(turned, step_size * shrink, grown)).clamp_(*group["step_sizes"])
        grad = where(turned, 0.0, grad)
        param.addcmul_(grad.sign(), step_size, value=-1)
        state["prev"].copy_(grad)


Rprop.__module__ = "torch.optim.rprop"

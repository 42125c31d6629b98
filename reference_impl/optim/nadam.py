"""The optimizer NAdam."""

from __future__ import annotations

from typing import Any

from reference_impl._fields import KW_ONLY
from reference_impl._tensor import Tensor
from reference_impl.ops.elementwise import zeros_like
from reference_impl.optim.adam import with_weight_decay
from reference_impl.optim.optimizer import Betas, NotNegative, Optimizer, new_step


class NAdam(Optimizer):
    """Adam with Nesterov's momentum (Dozat 2016): the step also looks ahead along the gradient.

        μₜ = β₁ (1 - 0.96^(t · momentum_decay) / 2),  Πₜ = μ₁ · … · μₜ
        p -= lr · ((1 - μₜ) / (1 - Πₜ) · g + μₜ₊₁ / (1 - Πₜ₊₁) · m) / (√(v / (1 - β₂ᵗ)) + eps)

    m and v are the running means of Adam, g is the gradient of the parameter p, t the number of the step. weight_decay adds
    weight_decay · p to g; with `decoupled_weight_decay`, p is multiplied by 1 - lr · weight_decay instead.

    Raises:
        ValueError: an option is negative, or a beta is outside [0, 1).
    """

    lr: NotNegative = 2e-3
    betas: Betas = (0.9, 0.999)
    eps: NotNegative = 1e-8
    weight_decay: NotNegative = 0
    momentum_decay: NotNegative = 4e-3
    decoupled_weight_decay: bool = False
    _: KW_ONLY
    maximize: bool = False
    foreach: bool | None = None
    capturable: bool = False
    differentiable: bool = False

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        """Update `param` in place from `grad`, with the options in `group`."""
        state = self.state[param]
        if not state:
            state["step"] = new_step()
            state["mu_product"] = new_step(1.0)
            state["exp_avg"] = zeros_like(param)
            state["exp_avg_sq"] = zeros_like(param)
        lr, (beta1, beta2) = float(group["lr"]), group["betas"]
        state["step"] += 1
        step = state["step"].item()
        grad = with_weight_decay(param, grad, group, lr)
        mu, mu_next = [beta1 * (1 - 0.5 * 0.96 ** (t * group["momentum_decay"])) for t in (step, step + 1)]
        state["mu_product"] *= mu
        product = state["mu_product"].item()
        m, v = state["exp_avg"], state["exp_avg_sq"]
        m.lerp_(grad, 1 - beta1)
        v.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        denominator = v.div(1 - beta2**step).sqrt().add_(group["eps"])
        param.addcdiv_(grad, denominator, value=-lr * (1 - mu) / (1 - product))
        param.addcdiv_(m, denominator, value=-lr * mu_next / (1 - product * mu_next))


NAdam.__module__ = "torch.optim.nadam"

"""CyclicLR: raise and lower the learning rate over and over."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from reference_impl.optim.lr_scheduler.momentum import MomentumScheduler
from reference_impl.optim.lr_scheduler.scheduler import (
    check_optimizer,
    per_group,
    restore_callable,
    saved_callable,
    set_value,
)
from reference_impl.optim.optimizer import Optimizer


class CyclicLR(MomentumScheduler):
    """Raise the learning rates from `base_lr` to `max_lr` and lower them again, over and over. Call `step` after each batch.

    The momentum, or the first beta of an optimizer with betas, goes from `max_momentum` to `base_momentum` and back.

    Args:
        base_lr, max_lr, base_momentum, max_momentum: a number, or a list with a number for each group.
        step_size_up, step_size_down: number of steps in which learning rates rise and fall. By default, both are the same.
        mode: "triangular"; "triangular2" to halve the height of each cycle; "exp_range" to multiply it by `gamma` in each step.
        scale_fn: a function that replaces `mode`; it returns the factor of the height.
        scale_mode: the argument of `scale_fn`: "cycle", the number of the cycle from 1 on, or "iterations", the number of the step.
        cycle_momentum: whether to change the momentum.

    Raises:
        ValueError: the mode is unknown, a list has a wrong length, or the optimizer has no momentum.
        TypeError: `optimizer` is not an Optimizer.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: Any,
        max_lr: Any,
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: Any = 0.8,
        max_momentum: Any = 0.9,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        base_lrs = per_group("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for group, lr in zip(optimizer.param_groups, base_lrs, strict=True):
                set_value(group, "lr", lr)
        self.max_lrs = per_group("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode
        if scale_fn is None:
            self.scale_mode = "iterations" if mode == "exp_range" else "cycle"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            is_new = last_epoch == -1
            self.base_momentums, self.max_momentums = self._begin_momentum(base_momentum, max_momentum, is_new)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def scale_fn(self, x: float) -> float:
        """Return the factor of the height in cycle or step `x`."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "exp_range":
            return self.gamma**x
        return 1.0 if self.mode == "triangular" else 1 / (2.0 ** (x - 1))

    def get_lr(self) -> list[Any]:
        """Return the next learning rate of each group, and set its momentum."""
        self._warn_if_called_by_user()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        position = 1.0 + self.last_epoch / self.total_size - cycle
        rising = position <= self.step_ratio
        height = position / self.step_ratio if rising else (position - 1) / (self.step_ratio - 1)
        factor = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            limits = zip(self.base_momentums, self.max_momentums, self.optimizer.param_groups, strict=True)
            for low, high, group in limits:
                self._set_momentum(group, high - (high - low) * height * factor)
        return [low + (high - low) * height * factor for low, high in zip(self.base_lrs, self.max_lrs, strict=True)]

    def state_dict(self) -> dict[str, Any]:
        """Return all attributes except the optimizer. Of `scale_fn`, only the attributes of a callable object are included."""
        state = super().state_dict()
        state["_scale_fn_custom"] = saved_callable(state.pop("_scale_fn_custom"))
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore the attributes from a result of `state_dict()`, from which "_scale_fn_custom" is removed."""
        saved = state_dict.pop("_scale_fn_custom")
        super().load_state_dict(state_dict)
        restore_callable(self._scale_fn_custom, saved)

"""Schedules that lower the momentum while the learning rate rises: cycles, and the one-cycle policy."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from reference_impl.optim.lr_scheduler.scheduler import (
    LRScheduler,
    check_optimizer,
    per_group,
    restore_callable,
    saved_callable,
    set_value,
)
from reference_impl.optim.optimizer import Optimizer


class _WithMomentum(LRScheduler):
    """Sets the momentum too, or the first beta of an optimizer that has betas."""

    use_beta1: bool

    def _prepare_momentum(self, base: Any, largest: Any, last_epoch: int) -> tuple[list[Any], list[Any]]:
        """The smallest and the largest momentum of each group; the groups begin with the largest."""
        defaults = self.optimizer.defaults
        if "momentum" not in defaults and "betas" not in defaults:
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        self.use_beta1 = "betas" in defaults
        bases = per_group("base_momentum", self.optimizer, base)
        tops = per_group("max_momentum", self.optimizer, largest)
        if last_epoch == -1:
            for group, top, low in zip(self.optimizer.param_groups, tops, bases, strict=True):
                self._set_momentum(group, top)
                group["max_momentum"] = top
                group["base_momentum"] = low
        return bases, tops

    def _set_momentum(self, group: dict[str, Any], momentum: Any) -> None:
        if self.use_beta1:
            group["betas"] = (momentum, *group["betas"][1:])
        else:
            group["momentum"] = momentum


class CyclicLR(_WithMomentum):
    """The learning rate goes up from `base_lr` to `max_lr` in `step_size_up` steps and down again, over and over.

    Args:
        mode: "triangular" (the same each time), "triangular2" (the height halves with each cycle), "exp_range" (the height is
            multiplied by gamma each step).
        scale_fn: in the place of mode: the height for a cycle, or for a step if `scale_mode` is "iterations".

    Raises:
        ValueError: an unknown mode, or an optimizer without momentum.
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
            for group, rate in zip(optimizer.param_groups, base_lrs, strict=True):
                set_value(group, "lr", rate)
        self.max_lrs = per_group("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        self.total_size = up + (float(step_size_down) if step_size_down is not None else up)
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode
        self._init_scale_fn()
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.base_momentums, self.max_momentums = self._prepare_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def _init_scale_fn(self) -> None:
        if self._scale_fn_custom is not None:
            return
        functions: dict[str, Callable[[float], float]] = {
            "triangular": _same_height,
            "triangular2": _halved_height,
            "exp_range": functools.partial(pow, self.gamma),
        }
        self._scale_fn_ref = functions[self.mode]
        self.scale_mode = "iterations" if self.mode == "exp_range" else "cycle"

    def scale_fn(self, x: float) -> float:
        """The height of the cycle, or step, number `x`."""
        return (self._scale_fn_custom or self._scale_fn_ref)(x)

    def get_lr(self) -> list[Any]:
        self._warn_if_called_by_user()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        part = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        height = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            limits = zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True)
            for group, low, top in limits:
                self._set_momentum(group, top - (top - low) * part * height)
        return [low + (top - low) * part * height for low, top in zip(self.base_lrs, self.max_lrs, strict=True)]

    def state_dict(self) -> dict[str, Any]:
        """The attributes; of a `scale_fn` only what an object has."""
        state = super().state_dict()
        state.pop("_scale_fn_ref", None)
        state["_scale_fn_custom"] = saved_callable(state.pop("_scale_fn_custom"))
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict()` returned."""
        super().load_state_dict({k: v for k, v in state_dict.items() if k != "_scale_fn_custom"})
        restore_callable(self._scale_fn_custom, state_dict["_scale_fn_custom"])
        self._init_scale_fn()


def _same_height(cycle: float) -> float:
    return 1.0


def _halved_height(cycle: float) -> float:
    return 1 / (2.0 ** (cycle - 1))


class OneCycleLR(_WithMomentum):
    """Up from max_lr / div_factor to `max_lr` in the first `pct_start` of the steps, then down to 1 / final_div_factor of the first.

    With `three_phase` it goes down to the first lr in as many steps as up, and from there to the end.

    Raises:
        ValueError: neither total_steps nor epochs and steps_per_epoch, one of them not positive, pct_start outside [0, 1], an
            unknown strategy, an optimizer without momentum, or a step too many.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: Any,
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: Any = 0.85,
        max_momentum: Any = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        self.total_steps = _total_steps(total_steps, epochs, steps_per_epoch)
        self._schedule_phases = _phases(self.total_steps, pct_start, three_phase)
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_func_type = anneal_strategy
        rates = per_group("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["initial_lr"] = rate / div_factor
                group["max_lr"] = rate
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._prepare_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)

    def _anneal_func(self, start: Any, end: Any, part: float) -> Any:
        if self._anneal_func_type == "cos":
            return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)
        return (end - start) * part + start

    def get_lr(self) -> list[Any]:
        self._warn_if_called_by_user()
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(f"Tried to step {step} times. The specified number of total steps is {self.total_steps}")
        start, number = 0.0, 0
        while number < len(self._schedule_phases) - 1 and step > self._schedule_phases[number]["end_step"]:
            start = self._schedule_phases[number]["end_step"]
            number += 1
        phase = self._schedule_phases[number]
        part = (step - start) / (phase["end_step"] - start)
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(self._anneal_func(group[phase["start_lr"]], group[phase["end_lr"]], part))
            if self.cycle_momentum:
                limits = group[phase["start_momentum"]], group[phase["end_momentum"]]
                self._set_momentum(group, self._anneal_func(*limits, part))
        return rates


def _total_steps(total_steps: int | None, epochs: int | None, steps_per_epoch: int | None) -> int:
    if total_steps is not None:
        _check_positive("total_steps", total_steps)
        return total_steps
    if epochs is None or steps_per_epoch is None:
        raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
    _check_positive("epochs", epochs)
    _check_positive("steps_per_epoch", steps_per_epoch)
    return epochs * steps_per_epoch


def _check_positive(name: str, value: Any) -> None:
    if not isinstance(value, int) or value <= 0:
        raise ValueError(f"Expected positive integer {name}, but got {value}")


def _phases(total_steps: int, pct_start: float, three_phase: bool) -> list[dict[str, Any]]:
    """Where each phase ends, and between which options of a group it goes."""

    def phase(end: float, lrs: tuple[str, str], momentums: tuple[str, str]) -> dict[str, Any]:
        return {
            "end_step": end,
            "start_lr": lrs[0],
            "end_lr": lrs[1],
            "start_momentum": momentums[0],
            "end_momentum": momentums[1],
        }

    up = phase(float(pct_start * total_steps) - 1, ("initial_lr", "max_lr"), ("max_momentum", "base_momentum"))
    down = ("base_momentum", "max_momentum")
    if not three_phase:
        return [up, phase(total_steps - 1, ("max_lr", "min_lr"), down)]
    return [
        up,
        phase(float(2 * pct_start * total_steps) - 2, ("max_lr", "initial_lr"), down),
        phase(total_steps - 1, ("initial_lr", "min_lr"), ("max_momentum", "max_momentum")),
    ]

"""OneCycleLR: raise the learning rate, then lower it to far below the initial one, and change the momentum in the opposite direction."""

from __future__ import annotations

import math
from typing import Any

from reference_impl.optim.lr_scheduler.momentum import MomentumScheduler
from reference_impl.optim.lr_scheduler.scheduler import check_optimizer, per_group
from reference_impl.optim.optimizer import Optimizer


class OneCycleLR(MomentumScheduler):
    """Raise the learning rates from max_lr / div_factor to `max_lr` in a part of the steps, then lower them. Call `step` after each batch.

    The momentum, or the first beta of an optimizer with betas, goes from `max_momentum` to `base_momentum` and back.

    Args:
        max_lr, base_momentum, max_momentum: a number, or a list with a number for each group.
        total_steps: number of steps; by default `epochs` times `steps_per_epoch`.
        pct_start: the part of the steps in which learning rates rise.
        anneal_strategy: "cos" to change along a cosine, "linear" along a line.
        cycle_momentum: whether to change the momentum.
        final_div_factor: ratio of the initial learning rate to the last one.
        three_phase: whether to lower the learning rates first to the initial ones, in as many steps as they rise, and then to the last ones.

    Raises:
        ValueError: the number of steps is missing or not a positive integer, `pct_start` is not a float in [0, 1], a strategy is unknown,
            a list has a wrong length, or the optimizer has no momentum. `step` raises it after the last step.
        TypeError: `optimizer` is not an Optimizer.
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
        max_lrs = per_group("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for group, highest in zip(optimizer.param_groups, max_lrs, strict=True):
                group["initial_lr"] = highest / div_factor
                group["max_lr"] = highest
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._begin_momentum(base_momentum, max_momentum, last_epoch == -1)
        super().__init__(optimizer, last_epoch)

    def _anneal_func(self, start: Any, end: Any, pct: float) -> Any:
        """Return the value after the part `pct` of the way from `start` to `end`."""
        if self._anneal_func_type == "cos":
            return end + (start - end) / 2.0 * (math.cos(math.pi * pct) + 1)
        return (end - start) * pct + start

    def get_lr(self) -> list[Any]:
        """Return the next learning rate of each group, and set its momentum."""
        self._warn_if_called_by_user()
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(f"Tried to step {step} times. The specified number of total steps is {self.total_steps}")
        starts = [0.0, *[phase["end_step"] for phase in self._schedule_phases[:-1]]]
        index = next((i for i, phase in enumerate(self._schedule_phases) if step <= phase["end_step"]), -1)
        start, phase = starts[index], self._schedule_phases[index]
        pct = (step - start) / (phase["end_step"] - start)
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(self._anneal_func(group[phase["start_lr"]], group[phase["end_lr"]], pct))
            if self.cycle_momentum:
                ends = group[phase["start_momentum"]], group[phase["end_momentum"]]
                self._set_momentum(group, self._anneal_func(*ends, pct))
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
    """Return the phases as torch stores them: each with its last step and four names of options.

    In a phase, the learning rate of a parameter group changes from the value of its option `start_lr` to that of
    `end_lr`, and the momentum likewise.
    """

    def phase(end_step: float, *options: str) -> dict[str, Any]:
        keys = ("end_step", "start_lr", "end_lr", "start_momentum", "end_momentum")
        return dict(zip(keys, (end_step, *options), strict=True))

    rise = phase(float(pct_start * total_steps) - 1, "initial_lr", "max_lr", "max_momentum", "base_momentum")
    if not three_phase:
        return [rise, phase(total_steps - 1, "max_lr", "min_lr", "base_momentum", "max_momentum")]
    return [
        rise,
        phase(float(2 * pct_start * total_steps) - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum"),
        phase(total_steps - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum"),
    ]

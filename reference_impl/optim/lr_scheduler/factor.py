"""Schedules that multiply the learning rate by a factor: LambdaLR, StepLR, ConstantLR, LinearLR, ExponentialLR and others."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from typing import Any

from reference_impl.optim.lr_scheduler.scheduler import LRScheduler, restore_callable, saved_callable
from reference_impl.optim.optimizer import Optimizer


class _ByFunction(LRScheduler):
    """Base of schedules whose factors are computed by `lr_lambda(epoch)`. `lr_lambda` may be a list with a function for each group.

    Raises:
        ValueError: the list's length is not the number of groups.
    """

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        self.optimizer = optimizer
        if isinstance(lr_lambda, (list, tuple)):
            if len(lr_lambda) != len(optimizer.param_groups):
                raise ValueError(f"Expected {len(optimizer.param_groups)} lr_lambdas, but got {len(lr_lambda)}")
            self.lr_lambdas = list(lr_lambda)
        else:
            self.lr_lambdas = [lr_lambda] * len(optimizer.param_groups)
        super().__init__(optimizer, last_epoch)

    def state_dict(self) -> dict[str, Any]:
        """Return all attributes except the optimizer.

        "lr_lambdas" has, for each group, the attributes of a callable object, or None for a function, which cannot be saved.
        """
        state = {k: v for k, v in self.__dict__.items() if k not in ("optimizer", "lr_lambdas")}
        state["lr_lambdas"] = [saved_callable(f) for f in self.lr_lambdas]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore the attributes from a result of `state_dict()`.

        In `lr_lambdas`, the attributes of callable objects are restored; functions are kept.
        """
        self.__dict__.update({k: v for k, v in state_dict.items() if k != "lr_lambdas"})
        for function, saved in zip(self.lr_lambdas, state_dict["lr_lambdas"], strict=False):
            restore_callable(function, saved)


_ByFunction.__init__.__qualname__ = "LambdaLR.__init__"  # the name in errors; MultiplicativeLR has its own


class LambdaLR(_ByFunction):
    """Multiply the initial learning rates by `lr_lambda(epoch)`. `lr_lambda` may be a list with a function for each group.

    Raises:
        ValueError: the list's length is not the number of groups.
    """

    def get_lr(self) -> list[Any]:
        """Return the initial learning rate of each group times the factor of this epoch."""
        self._warn_if_called_by_user()
        return [base * f(self.last_epoch) for f, base in zip(self.lr_lambdas, self.base_lrs, strict=True)]


class MultiplicativeLR(_ByFunction):
    """Multiply the learning rates after each epoch by `lr_lambda(epoch)`. `lr_lambda` may be a list with a function for each group.

    Raises:
        ValueError: the list's length is not the number of groups.
        TypeError: `lr_lambda` is not a function.
    """

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        for function in lr_lambda if isinstance(lr_lambda, (list, tuple)) else [lr_lambda]:
            if not callable(function):
                raise TypeError(f"lr_lambda should be a function, but got {type(function).__name__}")
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self) -> list[Any]:
        """Return the learning rate of each group times the factor of this epoch; unchanged when the schedule is created."""
        self._warn_if_called_by_user()
        if self._is_initial:
            return self._current()
        groups = self.optimizer.param_groups
        return [group["lr"] * f(self.last_epoch) for f, group in zip(self.lr_lambdas, groups, strict=True)]


class StepLR(LRScheduler):
    """Multiply the learning rates by gamma every `step_size` epochs."""

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Return the learning rate of each group, multiplied by gamma if the epoch is a positive multiple of `step_size`."""
        self._warn_if_called_by_user()
        if self.last_epoch == 0 or self.last_epoch % self.step_size != 0:
            return self._current()
        return self._scale_lrs(self.gamma)

    def _get_closed_form_lr(self) -> list[Any]:
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Multiply the learning rates by gamma at each of the epochs `milestones`."""

    def __init__(
        self, optimizer: Optimizer, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Return the learning rate of each group, multiplied by gamma as often as `milestones` lists this epoch."""
        self._warn_if_called_by_user()
        if self.last_epoch not in self.milestones:
            return self._current()
        return self._scale_lrs(self.gamma ** self.milestones[self.last_epoch])

    def _get_closed_form_lr(self) -> list[Any]:
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma**passed for base in self.base_lrs]


class ConstantLR(LRScheduler):
    """Multiply the initial learning rates by `factor` until epoch `total_iters`.

    Raises:
        ValueError: `factor` is not in [0, 1].
    """

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        if factor > 1.0 or factor < 0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Return the learning rate of each group: times `factor` at the start, divided by it at epoch `total_iters`."""
        self._warn_if_called_by_user()
        if self.last_epoch == 0:
            return self._scale_lrs(self.factor)
        return self._current() if self.last_epoch != self.total_iters else self._scale_lrs(1.0 / self.factor)

    def _get_closed_form_lr(self) -> list[Any]:
        is_over = self.last_epoch >= self.total_iters
        return [base * (self.factor + is_over * (1 - self.factor)) for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    """Multiply the initial learning rates by (1 - epoch / total_iters) ** power until epoch `total_iters`."""

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Return the learning rate of each group times the ratio of the factors of this epoch and of the previous one."""
        self._warn_if_called_by_user()
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._current()
        epoch, total = self.last_epoch, self.total_iters
        return self._scale_lrs(((1.0 - epoch / total) / (1.0 - (epoch - 1) / total)) ** self.power)

    def _get_closed_form_lr(self) -> list[Any]:
        factor = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * factor**self.power for base in self.base_lrs]


class LinearLR(LRScheduler):
    """Multiply the initial learning rates by a factor that goes evenly from `start_factor` to `end_factor` in `total_iters` epochs.

    Raises:
        ValueError: `start_factor` is not in (0, 1], or `end_factor` is not in [0, 1].
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Return the learning rate of each group times the ratio of the factors of this epoch and of the previous one."""
        self._warn_if_called_by_user()
        if self.last_epoch == 0:
            return self._scale_lrs(self.start_factor)
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._current()
        rise = self.end_factor - self.start_factor
        return self._scale_lrs(1.0 + rise / (self.total_iters * self.start_factor + (self.last_epoch - 1) * rise))

    def _get_closed_form_lr(self) -> list[Any]:
        rise = (self.end_factor - self.start_factor) * min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * (self.start_factor + rise) for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Multiply the learning rates by gamma after each epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Return the learning rate of each group times gamma; unchanged when the schedule is created."""
        self._warn_if_called_by_user()
        return self._current() if self._is_initial else self._scale_lrs(self.gamma)

    def _get_closed_form_lr(self) -> list[Any]:
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]

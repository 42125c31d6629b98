"""Schedules that multiply the learning rate by a factor: LambdaLR, StepLR, MultiStepLR, ExponentialLR."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from reference_impl.optim.lr_scheduler.scheduler import LRScheduler, restore_callable, saved_callable
from reference_impl.optim.optimizer import Optimizer


class LambdaLR(LRScheduler):
    """Multiply the initial learning rates by `lr_lambda(epoch)`. `lr_lambda` may be a list with a function for each group.

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
        """Restore the attributes from a result of `state_dict()`. Functions in `lr_lambdas` stay those of this schedule."""
        self.__dict__.update({k: v for k, v in state_dict.items() if k != "lr_lambdas"})
        for function, saved in zip(self.lr_lambdas, state_dict["lr_lambdas"], strict=False):
            restore_callable(function, saved)

    def get_lr(self) -> list[Any]:
        """Return the initial learning rate of each group times the factor of this epoch."""
        self._warn_if_called_by_user()
        return [base * f(self.last_epoch) for f, base in zip(self.lr_lambdas, self.base_lrs, strict=True)]


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


class ExponentialLR(LRScheduler):
    """Multiply the learning rates by gamma after each epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Return the learning rate of each group times gamma; unchanged when the schedule is created."""
        self._warn_if_called_by_user()
        return self._current() if self._is_initial else self._scale_lrs(self.gamma)

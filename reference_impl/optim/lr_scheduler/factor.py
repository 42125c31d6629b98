"""Schedules that multiply the learning rate: by a function, at steps, exponentially."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from reference_impl.optim.lr_scheduler.scheduler import LRScheduler, restore_callable, saved_callable
from reference_impl.optim.optimizer import Optimizer


class LambdaLR(LRScheduler):
    """Multiply the initial learning rates by `lr_lambda(epoch)`, a function, or a list with a function per group.

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
        """Return the attributes. The entry for `lr_lambdas` has the attributes of callable objects, and None for functions."""
        state = {k: v for k, v in self.__dict__.items() if k not in ("optimizer", "lr_lambdas")}
        state["lr_lambdas"] = [saved_callable(f) for f in self.lr_lambdas]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore the attributes from a result of `state_dict()`."""
        self.__dict__.update({k: v for k, v in state_dict.items() if k != "lr_lambdas"})
        for function, saved in zip(self.lr_lambdas, state_dict["lr_lambdas"], strict=False):
            restore_callable(function, saved)

    def get_lr(self) -> list[Any]:
        """Return the initial learning rates times the factor of this epoch, one per group."""
        self._warn_if_called_by_user()
        return [base * f(self.last_epoch) for f, base in zip(self.lr_lambdas, self.base_lrs, strict=True)]


class StepLR(LRScheduler):
    """Multiply the learning rates by gamma every `step_size` epochs."""

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Return the learning rates, times gamma every `step_size` epochs."""
        self._warn_if_called_by_user()
        if self.last_epoch == 0 or self.last_epoch % self.step_size != 0:
            return self._current()
        return self._scaled(self.gamma)


class MultiStepLR(LRScheduler):
    """Multiply the learning rates by gamma at each of the epochs `milestones`."""

    def __init__(
        self, optimizer: Optimizer, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Return the learning rates, times gamma for each milestone reached in this epoch."""
        self._warn_if_called_by_user()
        if self.last_epoch not in self.milestones:
            return self._current()
        return self._scaled(self.gamma ** self.milestones[self.last_epoch])


class ExponentialLR(LRScheduler):
    """Multiply the learning rates by gamma after each epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Return the learning rates times gamma."""
        self._warn_if_called_by_user()
        return self._current() if self._is_initial else self._scaled(self.gamma)

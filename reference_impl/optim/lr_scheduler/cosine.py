"""Schedules along a cosine: CosineAnnealingLR, CosineAnnealingWarmRestarts."""

from __future__ import annotations

import math
from typing import Any

from reference_impl.optim.lr_scheduler.scheduler import LRScheduler
from reference_impl.optim.optimizer import Optimizer


class CosineAnnealingLR(LRScheduler):
    """Lower the learning rates to `eta_min` along half a period of a cosine in `T_max` epochs, then raise them in the same way.

    In epoch t, a learning rate is eta_min + ½ (initial rate - eta_min) (1 + cos(π t / T_max)).
    """

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:  # noqa: N803
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Return the next learning rate of each group, computed from the current one where this is not `eta_min`."""
        self._warn_if_called_by_user()
        epoch, period, low = self.last_epoch, self.T_max, self.eta_min
        groups = self.optimizer.param_groups
        if self._is_initial:
            return self._current()
        if self._step_count == 1 and epoch > 0:
            return [low + (base - low) * (1 + math.cos(epoch * math.pi / period)) / 2 for base in self.base_lrs]
        if (epoch - 1 - period) % (2 * period) == 0:  # the current rate is `eta_min`, from which no factor leads away
            rise = 1 - math.cos(math.pi / period)
            return [g["lr"] + (base - low) * rise / 2 for base, g in zip(self.base_lrs, groups, strict=True)]
        ratio = (1 + math.cos(math.pi * epoch / period)) / (1 + math.cos(math.pi * (epoch - 1) / period))
        return [ratio * (g["lr"] - low) + low for g in groups]

    def _get_closed_form_lr(self) -> list[Any]:
        height = 1 + math.cos(math.pi * self.last_epoch / self.T_max)
        return [self.eta_min + (base - self.eta_min) * height / 2 for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Lower the learning rates to `eta_min` along half a period of a cosine, and start again from the initial ones.

    The first period has `T_0` epochs, and each further one `T_mult` times as many as the previous one.

    Attributes:
        T_i: number of epochs in the current period.
        T_cur: number of epochs since the current period began.

    Raises:
        ValueError: `T_0` or `T_mult` is not a positive integer, or `eta_min` is not a number.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,  # noqa: N803
        T_mult: int = 1,  # noqa: N803
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}")
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Return the learning rate of each group after `T_cur` of the `T_i` epochs of the period."""
        self._warn_if_called_by_user()
        height = 1 + math.cos(math.pi * self.T_cur / self.T_i)
        return [self.eta_min + (base - self.eta_min) * height / 2 for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        """Set the learning rates of the next epoch, or of `epoch`, which may be a fraction: `step(epoch + batch / batches)`.

        Raises:
            ValueError: `epoch` is negative.
        """
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        else:
            self._find_period(epoch)
        self.last_epoch = math.floor(epoch)
        with self._stepping():
            rates = self.get_lr()
        self._set_lrs(rates)

    def _find_period(self, epoch: float) -> None:
        """Set `T_i` and `T_cur` for `epoch`."""
        if epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        if epoch < self.T_0:
            self.T_i, self.T_cur = self.T_0, epoch
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:  # the first n periods have T_0 (T_mult^n - 1) / (T_mult - 1) epochs
            n = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult**n - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult**n

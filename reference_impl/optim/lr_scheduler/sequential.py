"""SequentialLR uses several schedules one after the other, such as a warm-up and then a decay; ChainedScheduler uses them at once."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from reference_impl.optim.lr_scheduler.plateau import ReduceLROnPlateau
from reference_impl.optim.lr_scheduler.scheduler import LRScheduler, set_value
from reference_impl.optim.optimizer import Optimizer


class _OfSchedules(LRScheduler):
    """Base of schedules that consist of other schedules."""

    _schedulers: Any

    def _check_scheduler(self, index: int, scheduler: Any, optimizer: Optimizer) -> None:
        name = type(self).__name__
        if not hasattr(scheduler, "optimizer"):
            raise TypeError(f"{name} at index {index} should have `optimizer` as its attribute.")
        if isinstance(scheduler, ReduceLROnPlateau):
            raise ValueError(
                f"{name} does not support `ReduceLROnPlateau` scheduler as it requires additional kwargs to be specified "
                f"when calling `step`, but got one at index {index} in the given schedulers sequence."
            )
        if optimizer != scheduler.optimizer:
            raise ValueError(
                f"{name} expects all schedulers to belong to the same optimizer, but got scheduler {type(scheduler).__name__} "
                f"at index {index} has {scheduler.optimizer}, which is different from {type(optimizer).__name__}."
            )

    def state_dict(self) -> dict[str, Any]:
        """Return all attributes except the optimizer. "_schedulers" has the state of each schedule."""
        state = {k: v for k, v in self.__dict__.items() if k not in ("optimizer", "_schedulers")}
        state["_schedulers"] = [scheduler.state_dict() for scheduler in self._schedulers]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore the attributes from a result of `state_dict()`."""
        self.__dict__.update({k: v for k, v in state_dict.items() if k != "_schedulers"})
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"], strict=True):
            scheduler.load_state_dict(state)


class SequentialLR(_OfSchedules):
    """Use the first schedule until the first of the epochs `milestones`, then the second, and so on.

    Raises:
        ValueError: there is no schedule, one belongs to another optimizer or is a ReduceLROnPlateau, or `milestones` is not one shorter
            than `schedulers`.
        TypeError: an item of `schedulers` is not a schedule.
    """

    def __init__(
        self, optimizer: Optimizer, schedulers: list[Any], milestones: list[int], last_epoch: int = -1
    ) -> None:
        if len(schedulers) < 1:
            raise ValueError(f"{type(self).__name__} expects at least one scheduler, but got no scheduler.")
        for index, scheduler in enumerate(schedulers):
            self._check_scheduler(index, scheduler, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone "
                f"points, but got number of schedulers {len(schedulers)} and the number of milestones to be equal to "
                f"{len(milestones)}"
            )
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        # Each schedule made its first step when it was created. Undo these steps, and let only the first schedule begin again.
        for group in optimizer.param_groups:
            set_value(group, "lr", group["initial_lr"])
        self.recursive_undo()
        first = schedulers[bisect_right(milestones, 0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def recursive_undo(self, sched: Any = None) -> None:
        """Take back one epoch of `sched`, by default of this schedule, and of all schedules in it."""
        scheduler = self if sched is None else sched
        if hasattr(scheduler, "_schedulers"):
            for inner in scheduler._schedulers:
                self.recursive_undo(inner)
        elif hasattr(scheduler, "last_epoch"):
            scheduler.last_epoch -= 1

    def step(self) -> None:  # type: ignore[override]
        """Set the learning rates of the next epoch by the schedule for that epoch."""
        self.last_epoch += 1
        index = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[index]
        if index > 0 and self._milestones[index - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(_OfSchedules):
    """Make a step of every schedule in each epoch, so that their factors are multiplied.

    Raises:
        ValueError: there is no schedule, or one belongs to another optimizer or is a ReduceLROnPlateau.
        TypeError: an item of `schedulers` is not a schedule.
    """

    def __init__(self, schedulers: Any, optimizer: Optimizer | None = None) -> None:
        if len(schedulers) < 1:
            name = type(self).__name__
            raise ValueError(f"{name} expects at least one scheduler to be chained, but got no scheduler.")
        self.optimizer = optimizer or schedulers[0].optimizer
        for index, scheduler in enumerate(schedulers):
            self._check_scheduler(index, scheduler, self.optimizer)
        self._schedulers = schedulers
        self._last_lr = self._current()

    def step(self) -> None:  # type: ignore[override]
        """Make a step of each schedule, in order."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = self._current()

"""`LRScheduler`: the base class of learning-rate schedules."""

from __future__ import annotations

import functools
import types
import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from reference_impl._pickle_names import reduce_ex
from reference_impl._tensor import Tensor
from reference_impl.optim.optimizer import Optimizer

EPOCH_DEPRECATION_WARNING = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use "
    "`scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the closed form is "
    "used instead of the new chainable form, where available. Please open an issue if you are unable to replicate your use "
    "case: https://github.com/pytorch/pytorch/issues/new/choose."
)
_STEP_OVERRIDDEN = (
    "Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. Please, make sure to "
    "call `optimizer.step()` before `lr_scheduler.step()`. See more details at "
    "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)
_WRONG_ORDER = (
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call them in "
    "the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in PyTorch "
    "skipping the first value of the learning rate schedule. See more details at "
    "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)


class LRScheduler:
    """Base class of learning-rate schedules.

    A subclass defines `get_lr()`, which returns the next learning rate of each group. Where possible, `get_lr` should compute this rate
    from the current one, so that several schedulers can be combined. A subclass may also define `_get_closed_form_lr()`, which computes the
    learning rates of epoch `last_epoch` from the initial ones.

    Creating a schedule stores "initial_lr" in each group, wraps `optimizer.step` to record its calls, and sets the first learning rates.

    Args:
        last_epoch: -1 for a new schedule. To resume an earlier schedule, its last epoch; each group then needs the key "initial_lr".

    Attributes:
        base_lrs: the initial learning rate of each group.
        last_epoch: the current epoch: at first the argument plus 1, so 0 for a new schedule. Each call of `step` adds 1.

    Raises:
        TypeError: `optimizer` is not an Optimizer.
        KeyError: `last_epoch` is not -1, and a group has no "initial_lr".
    """

    _get_lr_called_within_step: bool = False
    _is_initial: bool = False

    __reduce_ex__ = reduce_ex

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        for index, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", _copy_value(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{index}] when resuming scheduler with last_epoch >= "
                    "0.\nThis typically happens when:\n1. You're trying to resume training from a checkpoint but haven't "
                    "properly loaded the optimizer state\n2. You're using last_epoch >= 0 for a fresh training run (not "
                    "recommended)"
                )
        self.base_lrs = values_of(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        _note_steps(optimizer)
        self._initial_step()

    def _initial_step(self) -> None:
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self) -> dict[str, Any]:
        """Return all attributes except the optimizer."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore the attributes from a result of `state_dict()`."""
        self.__dict__.update(state_dict)

    def get_last_lr(self) -> list[Any]:
        """Return the learning rate of each group that the last call of `step` set."""
        return self._last_lr

    def get_lr(self) -> list[Any]:
        """Return the next learning rate of each group. Subclasses define this method; here it raises NotImplementedError.

        Only `step` should call this method; other calls cause a warning.
        """
        raise NotImplementedError

    def step(self, epoch: int | None = None) -> None:
        """Set the learning rates of the next epoch, or of `epoch`, which is deprecated and causes a warning.

        The first call by a program warns if `optimizer.step()` was not called before, or was replaced after the schedule was created.
        """
        if self._step_count == 1:
            if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
                warnings.warn(_STEP_OVERRIDDEN, UserWarning, stacklevel=2)
            elif not getattr(self.optimizer, "_opt_called", False):
                warnings.warn(_WRONG_ORDER, UserWarning, stacklevel=2)
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning, stacklevel=2)
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        """Set the learning rates of the next epoch, or of `epoch`: by the closed form, if the schedule has one."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        closed_form = getattr(self, "_get_closed_form_lr", self.get_lr)
        with self._stepping():
            rates = self.get_lr() if epoch is None else closed_form()
        self._set_lrs(rates)

    def _set_lrs(self, rates: Sequence[Any]) -> None:
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            set_value(group, "lr", rate)
        self._last_lr = values_of(self.optimizer, "lr")

    @contextmanager
    def _stepping(self) -> Iterator[None]:
        self._get_lr_called_within_step = True
        try:
            yield
        finally:
            self._get_lr_called_within_step = False

    def _warn_if_called_by_user(self) -> None:
        if not self._get_lr_called_within_step:
            warnings.warn(
                "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
                UserWarning,
                stacklevel=2,
            )

    def _current(self) -> list[Any]:
        return values_of(self.optimizer, "lr")

    def _scale_lrs(self, factor: float) -> list[Any]:
        return [group["lr"] * factor for group in self.optimizer.param_groups]


class _LRScheduler(LRScheduler):
    """The base class under its old name."""


def _note_steps(optimizer: Any) -> None:
    """Wrap `optimizer.step` to record that it was called, unless it is wrapped already."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    reference, function = weakref.ref(optimizer), optimizer.step.__func__

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        owner = reference()
        owner._opt_called = True  # type: ignore[union-attr]
        return function.__get__(owner, type(owner))(*args, **kwargs)

    wrapper._wrapped_by_lr_sched = True  # type: ignore[attr-defined]
    optimizer.step = wrapper


def check_optimizer(optimizer: Any) -> None:
    """Raise TypeError, with torch's message, unless the argument is an `Optimizer`."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


def _copy_value(value: Any) -> Any:
    return value.clone() if isinstance(value, Tensor) else value


def values_of(optimizer: Optimizer, key: str) -> list[Any]:
    """Return the option `key` of each parameter group. Values that are tensors are copied."""
    return [_copy_value(group[key]) for group in optimizer.param_groups]


def set_value(group: dict[str, Any], key: str, value: Any) -> None:
    """Set the option `key` of a parameter group to `value`. If the current value is a tensor, write `value` into this tensor."""
    if isinstance(group[key], Tensor):
        group[key].fill_(value.squeeze() if isinstance(value, Tensor) else value)
    else:
        group[key] = value


def per_group(name: str, optimizer: Optimizer, value: Any) -> list[Any]:
    """Return the argument `name` as a list with a value for each parameter group. A single value applies to every group.

    Raises:
        ValueError: `value` is a list of another length.
    """
    count = len(optimizer.param_groups)
    values = list(value) if isinstance(value, (list, tuple)) else [value] * count
    if len(values) != count:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(values)} values, param_groups has "
            f"{count}."
        )
    return [_copy_value(v) for v in values]


# -- functions cannot be saved; callable objects can


def saved_callable(function: Any) -> Any:
    """Return the attributes of a callable object by name; None for a function."""
    return None if function is None or isinstance(function, types.FunctionType) else function.__dict__.copy()


def restore_callable(function: Callable[..., Any] | None, saved: Any) -> None:
    """Set the attributes of a callable object to `saved`, a result of `saved_callable`; do nothing if `saved` is None."""
    if saved is not None:
        function.__dict__.update(saved)  # type: ignore[union-attr]

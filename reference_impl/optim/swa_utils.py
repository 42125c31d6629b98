"""Averages of a model's weights over the course of its training: stochastic weight averaging (Izmailov et al. 2018, "Averaging
weights leads to wider optima and better generalization") and exponential moving averages.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from typing import Any

from reference_impl import _dtype
from reference_impl._tensor import Tensor
from reference_impl.autograd.grad_mode import no_grad
from reference_impl.nn.modules.batchnorm import _BatchNorm
from reference_impl.nn.modules.module import Module
from reference_impl.ops.creation import tensor
from reference_impl.optim.lr_scheduler.scheduler import LRScheduler, per_group
from reference_impl.optim.optimizer import Optimizer

__all__ = [
    "SWALR",
    "AveragedModel",
    "get_ema_avg_fn",
    "get_ema_multi_avg_fn",
    "get_swa_avg_fn",
    "get_swa_multi_avg_fn",
    "update_bn",
]


# -- the functions that average


def _check_decay(decay: float) -> None:
    """Raises:
    ValueError: not in [0, 1]."""
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def _pairs(averages: Sequence[Tensor], currents: Sequence[Tensor]) -> list[tuple[Tensor, Tensor]]:
    """Raises:
    RuntimeError: not equally many."""
    if len(averages) != len(currents):
        raise RuntimeError(
            f"Tensor lists must have the same number of tensors, got {len(averages)} and {len(currents)}"
        )
    return list(zip(averages, currents, strict=True))


def get_ema_avg_fn(decay: float = 0.999) -> Callable[[Tensor, Tensor, Any], Tensor]:
    """A function that returns decay · average + (1 - decay) · current: a moving average.

    Raises:
        ValueError: `decay` is not in [0, 1].
    """
    _check_decay(decay)

    @no_grad()
    def ema_update(ema_param: Tensor, current_param: Tensor, num_averaged: Any) -> Tensor:
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_ema_multi_avg_fn(decay: float = 0.999) -> Callable[[Sequence[Tensor], Sequence[Tensor], Any], None]:
    """As `get_ema_avg_fn`, for lists of tensors of one dtype; the averages are changed in place."""
    _check_decay(decay)

    @no_grad()
    def ema_update(ema_param_list: Sequence[Tensor], current_param_list: Sequence[Tensor], _: Any) -> None:
        for average, current in _pairs(ema_param_list, current_param_list):
            if average.is_floating_point():
                average.lerp_(current, 1 - decay)
            else:
                average.copy_(average * decay + current * (1 - decay))

    return ema_update


def get_swa_avg_fn() -> Callable[[Tensor, Tensor, Any], Tensor]:
    """A function that returns average + (current - average) / (n + 1): the mean, if n were averaged before."""

    @no_grad()
    def swa_update(averaged_param: Tensor, current_param: Tensor, num_averaged: Any) -> Tensor:
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def get_swa_multi_avg_fn() -> Callable[[Sequence[Tensor], Sequence[Tensor], Any], None]:
    """As `get_swa_avg_fn`, for lists of tensors of one dtype; the averages are changed in place."""

    @no_grad()
    def swa_update(
        averaged_param_list: Sequence[Tensor], current_param_list: Sequence[Tensor], num_averaged: Any
    ) -> None:
        weight = 1 / (num_averaged + 1)
        for average, current in _pairs(averaged_param_list, current_param_list):
            if average.is_floating_point():
                average.lerp_(current, float(weight))
            elif isinstance(num_averaged, Tensor):
                average.addcdiv_(current - average, num_averaged + 1)
            else:
                average.add_(current - average, alpha=weight)

    return swa_update


# -- the model


class AveragedModel(Module):
    """A copy of a model, whose parameters become the average of those that `update_parameters` is shown.

    Args:
        device: where the copy is kept.
        avg_fn: called as `avg_fn(average, current, number averaged before)` for each parameter; returns the new average.
        multi_avg_fn: instead, called with lists, those of each device and dtype at a time; changes the averages in place. Without
            either it is the mean.
        use_buffers: average the buffers too, instead of copying them.

    Attributes:
        n_averaged: how many were averaged, an int64 buffer.

    Raises:
        AssertionError: both functions are given.
    """

    n_averaged: Tensor

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Callable[[Tensor, Tensor, Any], Tensor] | None = None,
        multi_avg_fn: Callable[[Sequence[Tensor], Sequence[Tensor], Any], None] | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", tensor(0, dtype=_dtype.int64, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Let the parameters of `model` count in the average; the first time they are it."""
        pairs = [
            (a.detach(), p.detach().to(a.device))
            for a, p in zip(*map(self._averaged, (self.module, model)), strict=False)
        ]
        if self.n_averaged == 0:
            for average, current in pairs:
                average.copy_(current)
        elif self.multi_avg_fn is not None:
            for group in _by_device_and_dtype(pairs):
                averages, currents = map(list, zip(*group, strict=True))
                self.multi_avg_fn(averages, currents, self.n_averaged.to(averages[0].device))
        else:
            average_of = self.avg_fn or get_swa_avg_fn()
            for average, current in pairs:
                average.copy_(average_of(average, current, self.n_averaged.to(average.device)))
        if not self.use_buffers:
            for own, buffer in zip(self.module.buffers(), model.buffers(), strict=True):
                own.detach().copy_(buffer.detach().to(own.device))
        self.n_averaged += 1

    def _averaged(self, model: Module) -> list[Tensor]:
        return [*model.parameters(), *(model.buffers() if self.use_buffers else ())]


def _by_device_and_dtype(pairs: list[tuple[Tensor, Tensor]]) -> Iterable[list[tuple[Tensor, Tensor]]]:
    groups: dict[Any, list[tuple[Tensor, Tensor]]] = {}
    for pair in pairs:
        groups.setdefault((pair[0].device, pair[0].dtype), []).append(pair)
    return groups.values()


@no_grad()
def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Make the running statistics of the model's batch normalisations anew: the averages over all batches of `loader`.

    Args:
        loader: gives inputs, or lists or tuples that begin with one.
        device: where inputs are moved before.
    """
    momenta = {module: module.momentum for module in model.modules() if isinstance(module, _BatchNorm)}
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.reset_running_stats()
        module.momentum = None  # the plain average
    for batch in loader:
        input = batch[0] if isinstance(batch, (list, tuple)) else batch
        model(input if device is None else input.to(device))
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


# -- the learning rate


class SWALR(LRScheduler):
    """From the present learning rate to `swa_lr` within `anneal_epochs`, which it then stays at.

    lr = α swa_lr + (1 - α) lr₀ with α = t or (1 - cos πt) / 2, t = epoch / anneal_epochs; lr₀ is what the present rate tells.

    Args:
        swa_lr: a number, or one for each group.
        anneal_strategy: "cos" or "linear".

    Raises:
        ValueError: another strategy, a number of epochs that is none, or too few or many rates.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: Any,
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        for rate, group in zip(per_group("swa_lr", optimizer, swa_lr), optimizer.param_groups, strict=True):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._set_anneal_func(anneal_strategy)
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    @staticmethod
    def _linear_anneal(t: float) -> float:
        return t

    @staticmethod
    def _cosine_anneal(t: float) -> float:
        return (1 - math.cos(math.pi * t)) / 2

    def _set_anneal_func(self, anneal_strategy: str) -> None:
        self._anneal_strategy = anneal_strategy
        self.anneal_func = self._cosine_anneal if anneal_strategy == "cos" else self._linear_anneal

    def _alpha(self, step: int) -> float:
        return self.anneal_func(max(0, min(1, step / max(1, self.anneal_epochs))))

    @staticmethod
    def _get_initial_lr(lr: Any, swa_lr: Any, alpha: float) -> Any:
        """lr₀ with lr = α swa_lr + (1 - α) lr₀."""
        return swa_lr if alpha == 1 else (lr - alpha * swa_lr) / (1 - alpha)

    def get_lr(self) -> list[Any]:
        """The next learning rates, one per group."""
        if not self._get_lr_called_within_step:
            warnings.warn(
                "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
                UserWarning,
                stacklevel=2,
            )
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._alpha(step - 1), self._alpha(step)
        rates = []
        for group in self.optimizer.param_groups:
            start = self._get_initial_lr(group["lr"], group["swa_lr"], before)
            rates.append(group["swa_lr"] * now + start * (1 - now))
        return rates

    def state_dict(self) -> dict[str, Any]:
        """All attributes but the optimizer and the function of the strategy."""
        return {key: value for key, value in self.__dict__.items() if key not in ("optimizer", "anneal_func")}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict()` returned."""
        super().load_state_dict(state_dict)
        self._set_anneal_func(self._anneal_strategy)


SWALR.__module__ = "torch.optim.swa_utils"

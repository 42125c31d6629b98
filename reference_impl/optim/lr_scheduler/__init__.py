"""Learning-rate schedules: `scheduler.step()` after each epoch sets `lr` in the optimizer's parameter groups."""

from __future__ import annotations

from typing import Any

from reference_impl.arguments.missing_names import absent
from reference_impl.optim.lr_scheduler.cosine import CosineAnnealingLR, CosineAnnealingWarmRestarts
from reference_impl.optim.lr_scheduler.cyclic import CyclicLR
from reference_impl.optim.lr_scheduler.factor import (
    ConstantLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)
from reference_impl.optim.lr_scheduler.one_cycle import OneCycleLR
from reference_impl.optim.lr_scheduler.plateau import ReduceLROnPlateau
from reference_impl.optim.lr_scheduler.scheduler import LRScheduler, _LRScheduler
from reference_impl.optim.lr_scheduler.sequential import ChainedScheduler, SequentialLR

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
    "_LRScheduler",
]

for _name in __all__:
    globals()[_name].__module__ = "torch.optim.lr_scheduler"


def __getattr__(name: str) -> Any:
    raise absent("torch.optim.lr_scheduler", name)

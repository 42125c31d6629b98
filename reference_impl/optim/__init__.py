"""Optimizers and learning-rate schedules."""

from __future__ import annotations

from typing import Any

from reference_impl.arguments.missing_names import absent
from reference_impl.optim import lr_scheduler
from reference_impl.optim.adadelta import Adadelta
from reference_impl.optim.adagrad import Adagrad
from reference_impl.optim.adam import Adam, AdamW
from reference_impl.optim.adamax import Adamax
from reference_impl.optim.asgd import ASGD
from reference_impl.optim.nadam import NAdam
from reference_impl.optim.optimizer import Optimizer
from reference_impl.optim.rmsprop import RMSprop
from reference_impl.optim.sgd import SGD

__all__ = [
    "ASGD",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RMSprop",
    "lr_scheduler",
]


def __getattr__(name: str) -> Any:
    raise absent("torch.optim", name)

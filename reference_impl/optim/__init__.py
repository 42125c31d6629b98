"""Optimizers and learning-rate schedules."""

from __future__ import annotations

import importlib
from typing import Any

from reference_impl.optim import lr_scheduler
from reference_impl.optim.adadelta import Adadelta
from reference_impl.optim.adagrad import Adagrad
from reference_impl.optim.adam import Adam, AdamW
from reference_impl.optim.adamax import Adamax
from reference_impl.optim.asgd import ASGD
from reference_impl.optim.lbfgs import LBFGS
from reference_impl.optim.nadam import NAdam
from reference_impl.optim.optimizer import Optimizer
from reference_impl.optim.radam import RAdam
from reference_impl.optim.rmsprop import RMSprop
from reference_impl.optim.rprop import Rprop
from reference_impl.optim.sgd import SGD

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
    "swa_utils",
]


def __getattr__(name: str) -> Any:
    if name == "swa_utils":  # imported when first used
        return importlib.import_module("reference_impl.optim.swa_utils")
    raise AttributeError(f"module 'torch.optim' has no attribute '{name}'")

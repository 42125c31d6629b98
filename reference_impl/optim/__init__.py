"""Optimizers and learning-rate schedules."""

from __future__ import annotations

from reference_impl.optim.adam import Adam, AdamW
from reference_impl.optim.optimizer import Optimizer
from reference_impl.optim.sgd import SGD

__all__ = ["Adam", "AdamW", "Optimizer", "SGD"]

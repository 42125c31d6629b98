"""`torch.nn.utils`: gradient clipping; parameters as a vector; sequences of different lengths in `rnn`."""

from __future__ import annotations

import importlib
from typing import Any

from reference_impl.arguments.missing_names import absent
from reference_impl.nn.utils.clip_grad import (
    clip_grad_norm_,
    clip_grad_value_,
    clip_grads_with_norm_,
    get_total_norm,
)
from reference_impl.nn.utils.convert_parameters import parameters_to_vector, vector_to_parameters

__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "get_total_norm",
    "parameters_to_vector",
    "vector_to_parameters",
]


def __getattr__(name: str) -> Any:
    if name == "rnn":
        return importlib.import_module("reference_impl.nn.utils.rnn")
    raise absent("torch.nn.utils", name)

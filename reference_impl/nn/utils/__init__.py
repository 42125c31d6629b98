"""`torch.nn.utils`: gradients clipped, parameters as one vector or computed from others, padded and packed sequences."""

from __future__ import annotations

import importlib
from typing import Any

from reference_impl.nn.utils import rnn
from reference_impl.nn.utils.clip_grad import (
    clip_grad_norm,
    clip_grad_norm_,
    clip_grad_value_,
    clip_grads_with_norm_,
    get_total_norm,
)
from reference_impl.nn.utils.convert_parameters import parameters_to_vector, vector_to_parameters

# These two are imported at once: a function of the same name hides the file that it stands in, as in torch.
from reference_impl.nn.utils.spectral_norm import remove_spectral_norm, spectral_norm
from reference_impl.nn.utils.weight_norm import remove_weight_norm, weight_norm

# Imported when first asked for.
_FILES = {
    "fusion": "fuse_conv_bn_eval fuse_conv_bn_weights fuse_linear_bn_eval fuse_linear_bn_weights",
    "init": "skip_init",
    "memory_format": "convert_conv2d_weight_memory_format convert_conv3d_weight_memory_format",
}
_HOMES = {name: file for file, names in _FILES.items() for name in names.split()}
_MODULES = ("fusion", "init", "memory_format", "parametrizations", "parametrize", "prune", "stateless")

__all__ = [
    "clip_grad_norm",
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "get_total_norm",
    "parameters_to_vector",
    "parametrizations",
    "parametrize",
    "remove_spectral_norm",
    "remove_weight_norm",
    "rnn",
    "spectral_norm",
    "stateless",
    "vector_to_parameters",
    "weight_norm",
    *_HOMES,
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        found = getattr(importlib.import_module(f"reference_impl.nn.utils.{_HOMES[name]}"), name)
        globals()[name] = found
        return found
    if name in _MODULES:
        return importlib.import_module(f"reference_impl.nn.utils.{name}")
    raise AttributeError(f"module 'torch.nn.utils' has no attribute '{name}'")

"""Provide PyTorch's API, autograd included, on NumPy and CuPy: `import reference_impl as torch`.

Read `core` first: tensor, graph, backward pass and the common operations. Then follow `autograd`, which extends the core, and `ops`,
which has every operation with its forward and backward side by side. The rest: `nn`, `optim`, `utils.data`, `random`, `_tensor_str`
(printing), `serialization` and `_backend` (NumPy or CuPy).
"""

from __future__ import annotations

import gc as _gc
import importlib
import math as _math
from typing import Any

_collecting = _gc.isenabled()
_gc.disable()  # until the end of this file: the import creates no garbage, and the collector would take a fifth of its time

from reference_impl.fast import install as _install  # isort: skip (before another module imports a function of the core)
from reference_impl import _dtype, autograd, return_types
from reference_impl import ops as _ops
from reference_impl._device import device, get_default_device, set_default_device
from reference_impl._dtype import (
    dtype,
    float16,
    float32,
    float64,
    get_default_dtype,
    int8,
    int16,
    int32,
    int64,
    promote_types,
    set_default_dtype,
    uint8,
)
from reference_impl._layout import (
    channels_last,
    channels_last_3d,
    contiguous_format,
    layout,
    memory_format,
    preserve_format,
    strided,
)
from reference_impl._legacy_types import set_default_tensor_type, typename
from reference_impl._legacy_types import types as _legacy_types
from reference_impl._settings import (
    are_deterministic_algorithms_enabled,
    get_num_threads,
    is_warn_always_enabled,
    set_num_threads,
    set_warn_always,
    use_deterministic_algorithms,
)
from reference_impl._size import Size
from reference_impl.arguments.missing_names import absent, announce_absent_methods
from reference_impl.autograd.anomaly_mode import is_anomaly_check_nan_enabled, is_anomaly_enabled
from reference_impl.autograd.grad_mode import (
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    set_grad_enabled,
)
from reference_impl.core.modes import enable_grad, no_grad
from reference_impl.core.tensor import Tensor
from reference_impl.ops.registry import functions as _functions
from reference_impl.random import (
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)

__version__ = "2.13.0"  # the PyTorch version that the engine follows

pi, e, inf, nan, newaxis = _math.pi, _math.e, _math.inf, _math.nan, None

announce_absent_methods(Tensor, "torch.Tensor")
globals().update(_functions)
globals().update(_legacy_types)
globals().update(_dtype.ALIASES)

# Imported when first used, so that `import reference_impl` costs little more than `import numpy`.
_LAZY_MODULES = (
    "nn",
    "optim",
    "utils",
    "accelerator",
    "functional",
    "storage",
    "serialization",
    "cuda",
    "special",
    "backends",
    "version",
)


_LAZY_FUNCTIONS = {
    "serialization": ("save", "load"),
    "_tensor_str": ("set_printoptions",),
    "nn.functional": (
        "adaptive_avg_pool1d", "avg_pool1d", "celu_", "conv1d", "conv2d", "conv3d", "conv_transpose1d",
        "conv_transpose2d", "conv_transpose3d", "cosine_similarity", "hardshrink", "pairwise_distance", "prelu", "rms_norm",
        "rrelu_", "selu_", "threshold_",
    ),
    "ops.native_normalization": ("native_batch_norm", "native_group_norm", "native_layer_norm"),
}  # fmt: skip
_HOMES = {name: home for home, names in _LAZY_FUNCTIONS.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        module = importlib.import_module(f"reference_impl.{_HOMES[name]}")
        function = globals()[name] = getattr(module, name)
        return function
    if name in _LAZY_MODULES:
        return importlib.import_module(f"reference_impl.{name}")
    raise absent("torch", name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_LAZY_MODULES})


if _collecting:
    if not _gc.get_freeze_count():
        _gc.freeze()  # moves all new objects to the collector's oldest generation without visiting each object
        _gc.unfreeze()
    _gc.enable()

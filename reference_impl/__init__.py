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
from reference_impl import _dtype, autograd
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
from reference_impl.arguments.missing_names import absent, announce_absent_methods, torch_names
from reference_impl.autograd.anomaly_mode import is_anomaly_check_nan_enabled, is_anomaly_enabled
from reference_impl.autograd.grad_mode import (
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    set_grad_enabled,
)
from reference_impl.core.modes import enable_grad, no_grad
from reference_impl.core.tensor import Tensor
from reference_impl.ops.registry import announce_method as _announce_method
from reference_impl.ops.registry import functions as _functions

__version__ = "2.13.0"  # the PyTorch version that the engine follows

pi, e, inf, nan, newaxis = _math.pi, _math.e, _math.inf, _math.nan, None

globals().update(_functions)
globals().update(_legacy_types)
globals().update(_dtype.ALIASES)

# Imported when first used, so that `import reference_impl` takes little longer than `import numpy`.
_LAZY_MODULES = (
    "nn",
    "optim",
    "utils",
    "random",
    "return_types",
    "accelerator",
    "functional",
    "storage",
    "serialization",
    "cuda",
    "special",
    "linalg",
    "backends",
    "version",
)

# The same for modules by the names that they define: `cumsum` stands for the function, the method, and their in-place forms, as far
# as torch has them. `__getattr__` imports the module of a function, and a placeholder in Tensor the module of a method.
_LAZY_NAMES = {
    "random": "Generator default_generator get_rng_state initial_seed manual_seed seed set_rng_state",
    "serialization": "load save",
    "_tensor_str": "set_printoptions",
    "_type_info": "finfo iinfo",
    "nn.functional": """adaptive_avg_pool1d avg_pool1d celu_ conv1d conv2d conv3d conv_transpose1d conv_transpose2d
        conv_transpose3d cosine_similarity hardshrink pairwise_distance prelu rms_norm rrelu_ selu_ threshold_""",
    "ops.activation": "log_softmax relu sigmoid softmax",
    "ops.as_strided": "as_strided",
    "ops.blas": "addmm addmv baddbmm",
    "ops.clamping": "clamp clamp_max clamp_min clip",
    "ops.comparison": """allclose eq equal ge greater greater_equal gt isclose isfinite isinf isnan isneginf isposinf isreal le
        less less_equal lt ne not_equal signbit __eq__ __ge__ __gt__ __le__ __lt__ __ne__""",
    "ops.cross": "cross",
    "ops.cumulative": "cumprod cumsum diff",
    "ops.decompositions": "det inverse svd",
    "ops.distance": "cdist",
    "ops.division": "floor_divide fmod remainder __floordiv__ __rfloordiv__ __ifloordiv__ __mod__ __rmod__ __imod__",
    "ops.einsum": "einsum",
    "ops.elementwise": """abs absolute acos acosh angle arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh ceil
        cos cosh deg2rad exp exp2 expm1 fix floor frac frexp log log10 log1p log2 nan_to_num positive rad2deg round rsqrt sgn
        sign sin sinh sqrt tan tanh trunc __abs__ __pos__""",
    "ops.embedding": "embedding embedding_renorm_",
    "ops.extremes": "amax amin aminmax argmax argmin fmax fmin max maximum min minimum",
    "ops.filling": "copy_ fill masked_fill masked_scatter masked_select zero_",
    "ops.fused": "addcdiv addcmul lerp",
    "ops.histogram": "bincount histogram",
    "ops.index_fill": "index_fill",
    "ops.indexing": "__getitem__ __setitem__ _index _put",
    "ops.inplace_views": "as_strided_ squeeze_ swapaxes_ swapdims_ t_ transpose_ unsqueeze_",
    "ops.linalg": "bmm dot ger matmul mm mv outer vdot __matmul__ __rmatmul__",
    "ops.logical": """all any bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor logical_and
        logical_not logical_or logical_xor __and__ __rand__ __iand__ __or__ __ror__ __ior__ __xor__ __rxor__ __ixor__ __lshift__
        __rlshift__ __ilshift__ __rshift__ __rrshift__ __irshift__ __invert__""",
    "ops.median": "median nanmedian",
    "ops.native_normalization": "native_batch_norm native_group_norm native_layer_norm",
    "ops.norm": "dist norm",
    "ops.pieces": "chunk dsplit hsplit split split_with_sizes tensor_split unbind vsplit",
    "ops.random_creation": """bernoulli exponential_ multinomial normal rand rand_like randint randint_like randn randn_like
        random_ randperm uniform_""",
    "ops.ranges": "arange linspace logspace",
    "ops.rearrangement": """diag diag_embed diagflat diagonal_copy flip fliplr flipud meshgrid repeat repeat_interleave roll
        rot90 tile trace tril tril_indices triu triu_indices""",
    "ops.recurrent": "gru_cell lstm_cell rnn_relu_cell rnn_tanh_cell",
    "ops.resizing": "resize_ resize_as_",
    "ops.scatter": "gather index_add scatter scatter_add",
    "ops.scatter_reduce": "scatter_reduce",
    "ops.selection": "index_put index_select put take take_along_dim",
    "ops.sets": "isin unique",
    "ops.slicing": "diagonal narrow select unfold",
    "ops.sorting": "argsort msort sort topk",
    "ops.special": "erf erfc logit sinc",
    "ops.statistics": "std std_mean var var_mean",
    "ops.tensordot": "tensordot",
    "ops.transposition": "H T mH mT moveaxis movedim",
    "ops.where": "argwhere nonzero where",
}
_HOMES = {
    form: home
    for home, names in _LAZY_NAMES.items()
    for name in names.split()
    for form in ((name,) if "_" in (name[0], name[-1]) else (name, f"{name}_"))
}

_methods = torch_names("torch.Tensor")
for _name, _home in _HOMES.items():
    if _home.startswith("ops.") and (_name in _methods or _name.startswith("_")):
        _announce_method(_name, f"reference_impl.{_home}")
announce_absent_methods(Tensor, "torch.Tensor")


def __getattr__(name: str) -> Any:
    if name in _HOMES and name in torch_names("torch"):
        module = importlib.import_module(f"reference_impl.{_HOMES[name]}")
        function = globals()[name] = _functions.get(name) or getattr(module, name)
        return function
    if name in _LAZY_MODULES:
        return importlib.import_module(f"reference_impl.{name}")
    raise absent("torch", name)


def __dir__() -> list[str]:
    return sorted({*globals(), *torch_names("torch").intersection(_HOMES), *_LAZY_MODULES})


if _collecting:
    if not _gc.get_freeze_count():
        _gc.freeze()  # moves all new objects to the collector's oldest generation without visiting each object
        _gc.unfreeze()
    _gc.enable()

"""The functions and classes of the core, under the names that they have in torch."""

from __future__ import annotations

import types
import warnings

from reference_impl import _dtype
from reference_impl._device import device
from reference_impl._dtype import (
    float16,
    float32,
    float64,
    get_default_dtype,
    int8,
    int16,
    int32,
    int64,
    set_default_dtype,
    uint8,
)
from reference_impl._size import Size
from reference_impl._tensor_str import set_printoptions
from reference_impl.core import node
from reference_impl.core.differentiate import backward, grad
from reference_impl.core.modes import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from reference_impl.core.operations.arithmetic import (
    abs,
    add,
    allclose,
    cos,
    div,
    eq,
    equal,
    exp,
    ge,
    gt,
    le,
    log,
    lt,
    mul,
    ne,
    neg,
    pow,
    reciprocal,
    relu,
    sigmoid,
    sign,
    sin,
    sqrt,
    sub,
    tanh,
    where,
)  # fmt: skip
from reference_impl.core.operations.creation import (
    arange,
    empty,
    full,
    ones,
    ones_like,
    tensor,
    zeros,
    zeros_like,
)  # fmt: skip
from reference_impl.core.operations.indexing import narrow, select
from reference_impl.core.operations.random_numbers import manual_seed, rand, randn
from reference_impl.core.operations.reductions import bmm, dot, matmul, mean, mm, mv, sum
from reference_impl.core.operations.shapes import (
    cat,
    clone,
    permute,
    reshape,
    squeeze,
    stack,
    t,
    transpose,
    unbind,
    unsqueeze,
)  # fmt: skip
from reference_impl.core.tensor import Tensor

__version__ = "2.13.0"
# NumPy warns of a division by 0, torch does not.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"reference_impl\.")

float, double, long, int, bool = _dtype.float32, _dtype.float64, _dtype.int64, _dtype.int32, _dtype.bool_
autograd = types.SimpleNamespace(
    backward=backward,
    grad=grad,
    graph=node,
    no_grad=no_grad,
    enable_grad=enable_grad,
    set_grad_enabled=set_grad_enabled,
)

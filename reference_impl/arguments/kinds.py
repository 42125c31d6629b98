"""Find arguments that torch's parser may reject, although Python accepts them.

Python accepts a bool for an integer, and any object as a condition; torch does not. Comparing all arguments of a call with torch's
signatures takes 20 µs. So this module lists the usual classes of each parameter by its name, and only a call with an argument of
another class is compared with the signatures. A test checks the lists against signatures.txt.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from reference_impl import _dtype
from reference_impl._dtype import dtype

Classes = tuple[frozenset[type] | None, ...]

FLAGS = frozenset(
    """accumulate assume_unique ceil_mode compute_uv count_include_pad cudnn_enable cudnn_enabled density descending enable_gqa equal_nan
    full_matrices implicit include_self invert is_causal keepdim largest left pin_memory replacement requires_grad
    scale_grad_by_freq some sorted sparse sparse_grad stable training unbiased""".split()
)
"""Parameters that are a bool in each function of torch that has them."""

INTEGERS = frozenset(
    """C HxW N axis0 axis1 blocksize chunks col compute_mode count decimals dense_dim destination diagonal dilation dim dim0 dim1
    dim2 dimension dims dims_other dims_self divisor_override end_dim group groups indices_or_sections k kernel_size length low m
    minlength n normalized_shape num_classes num_groups num_samples offset output_padding output_size pad padding_idx path row sections
    shape shifts size sizes sparse_dim split_size split_sizes start_dim steps storage_offset stride""".split()
)
"""Parameters that are an integer or a list of integers in each function of torch that has them."""

NUMBERS = frozenset(
    """alpha atol base beta correction dropout_p element eps fill_value from lambd max_norm momentum nan neginf norm_type posinf
    rtol s scale step test_element threshold to value""".split()
)
"""Parameters that are a number in each function of torch that has them. (`value` is a number in most of them.)"""

_INTEGER = frozenset((int, type(None)))
_CLASSES: dict[str, frozenset[Any]] = {
    **dict.fromkeys(FLAGS, frozenset((bool,))),
    **dict.fromkeys(INTEGERS, _INTEGER),
    **dict.fromkeys(NUMBERS, frozenset((int, float, bool))),
    "dtype": frozenset((dtype, type(None))),
}
"""The usual classes of an argument, by the name of its parameter. None is usual where an integer is, as in `dim=None`."""


def usual_classes(function: Callable[..., Any] | None, skipped: int = 0) -> tuple[int, frozenset[type], Classes]:
    """Return the usual classes of the positional parameters of `function`, as (start, usual, classes).

    Args:
        function: the operation; None if its arguments are not checked.
        skipped: number of leading parameters to leave out: 1 for the `self` of a method.

    Returns:
        start: the position of the first parameter that this module lists; `sys.maxsize` if there is none.
        usual: the usual classes of the parameter at `start`.
        classes: the usual classes of every parameter; None for a parameter that this module does not list.
    """
    if function is None:
        return _NOT_CHECKED
    code = getattr(function, "__wrapped__", function).__code__
    return _usual_classes_of(code.co_varnames[skipped : code.co_argcount])


_NOT_CHECKED: Any = (sys.maxsize, frozenset(), ())


@functools.cache
def _usual_classes_of(names: tuple[str, ...]) -> tuple[int, frozenset[type], Classes]:
    classes = tuple(map(_CLASSES.get, names))
    return next(((i, usual, classes) for i, usual in enumerate(classes) if usual), _NOT_CHECKED)


def are_usual(classes: Classes, args: tuple[Any, ...]) -> bool:
    """Return whether each argument has one of its usual classes. A list or tuple of integers is usual where an integer is.

    For a parameter that this module does not list, any argument is usual.
    """
    for usual, value in zip(classes, args):  # noqa: B905 (most calls pass through here, and `strict=` costs 0.1 µs)
        if usual and value.__class__ not in usual and not (usual is _INTEGER and _is_list(value)):
            return False
    return True


def are_usual_keywords(kwargs: dict[str, Any]) -> bool:
    """Return whether each keyword argument has one of its usual classes, as `are_usual` does for positional arguments."""
    for name, value in kwargs.items():
        usual = _CLASSES.get(name)
        if usual and value.__class__ not in usual and not (usual is _INTEGER and _is_list(value)):
            return False
    return True


def with_integers(classes: Classes, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return `args` with NumPy scalars and 0-d tensors converted to Python numbers, where an integer is usual."""
    integers = [as_number(value) if usual is _INTEGER else value for usual, value in zip(classes, args, strict=False)]
    return (*integers, *args[len(classes) :])


def as_number(value: Any) -> Any:
    """Convert a NumPy scalar or 0-d tensor to a Python number, and a class of numbers to its dtype; return other values unchanged."""
    if isinstance(value, type):
        return _DTYPES.get(value, value)
    return value.item() if hasattr(value, "item") and not value.ndim else value


_DTYPES = {bool: _dtype.bool_, int: _dtype.int64, float: _dtype.float64}
"""The dtypes for which torch also accepts a class of Python."""


def _is_list(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and all([n.__class__ is int for n in value])

"""Find arguments that torch's parser may refuse, although Python accepts them.

Python accepts a bool for an integer, and any object for a condition; torch does not. Comparing all arguments of a call with torch's
signatures takes 20 µs. So this module has the usual classes for each name of a parameter, and only calls with an argument of another
class are compared. A test computes these classes from signatures.txt.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

Classes = tuple[frozenset[type] | None, ...]

FLAGS = frozenset(
    """accumulate assume_unique ceil_mode compute_uv count_include_pad cudnn_enable cudnn_enabled density descending enable_gqa
    equal_nan implicit include_self invert is_causal keepdim largest pin_memory replacement requires_grad scale_grad_by_freq some
    sorted sparse sparse_grad stable training unbiased""".split()
)
"""Parameters that are a bool in each function of torch that has them."""

INTEGERS = frozenset(
    """C HxW N axis0 axis1 blocksize chunks col compute_mode count decimals dense_dim destination diagonal dilation dim dim0 dim1
    dim2 dimension dims divisor_override end_dim group groups indices_or_sections k kernel_size length low m minlength n normalized_shape num_classes
    num_groups num_samples offset output_padding output_size pad padding_idx row sections shape shifts size sizes sparse_dim
    split_size split_sizes start_dim steps storage_offset stride""".split()
)
"""Parameters that are an integer, or several, in each function of torch that has them. (`indices_or_sections` has an overload for each.)"""

NUMBERS = frozenset(
    """alpha atol base beta correction dropout_p element eps fill_value from lambd max_norm momentum nan neginf norm_type posinf
    rtol s scale step test_element threshold to value""".split()
)
"""Parameters that are a number in each function of torch that has them (`value` in most)."""

_INTEGER = frozenset((int, type(None)))
_CLASSES = {
    **dict.fromkeys(FLAGS, frozenset((bool,))),
    **dict.fromkeys(INTEGERS, _INTEGER),
    **dict.fromkeys(NUMBERS, frozenset((int, float, bool))),
}
"""The usual classes of an argument, by the name of its parameter. (None stands for no dimension.)"""


def usual_classes(function: Callable[..., Any] | None, skipped: int = 0) -> tuple[int, frozenset[type], Classes]:
    """Return (start, usual, classes) for the positional parameters of `function`.

    Args:
        function: the operation; None if its arguments are not checked.
        skipped: number of leading parameters to leave out: 1 for the `self` of a method.

    Returns:
        start: the position of the first parameter whose classes are limited.
        usual: the usual classes of this parameter.
        classes: the usual classes of all parameters.
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
    """Return whether each of `args` has one of its `classes`; a list of integers stands for an integer."""
    for usual, value in zip(classes, args):  # noqa: B905 (most calls pass through here, and `strict=` costs 0.1 µs)
        if usual and value.__class__ not in usual and not (usual is _INTEGER and _is_list(value)):
            return False
    return True


def are_usual_keywords(kwargs: dict[str, Any]) -> bool:
    """Return whether each keyword argument has one of the usual classes of its name."""
    for name, value in kwargs.items():
        usual = _CLASSES.get(name)
        if usual and value.__class__ not in usual and not (usual is _INTEGER and _is_list(value)):
            return False
    return True


def with_integers(classes: Classes, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return `args` with NumPy integers and 0-d integer tensors converted to Python integers."""
    integers = [as_number(value) if usual is _INTEGER else value for usual, value in zip(classes, args, strict=False)]
    return (*integers, *args[len(classes) :])


def as_number(value: Any) -> Any:
    """Convert a NumPy scalar or 0-d tensor to a Python number; return other values unchanged."""
    return value.item() if hasattr(value, "item") and not value.ndim else value


def _is_list(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and all([n.__class__ is int for n in value])

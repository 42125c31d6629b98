"""Faster calls of declared operations: specialized functions for operations with one and two operands."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from reference_impl.core import declare
from reference_impl.core.extensions import extensions, states
from reference_impl.core.modes import mode, threads_not_recording
from reference_impl.core.saving import RESULT, SavedTensor
from reference_impl.core.tensor import Tensor
from reference_impl.fast import replaces
from reference_impl.fast.recording import ONLY_RESULT, record
from reference_impl.numerics.masking import zero_unless

_core_make_call, _core_as_method = declare.make_call, declare.as_method
_ndarray, _asarray = np.ndarray, np.asarray


@replaces(declare.as_method)
def as_method(formula: Any, names: Any, saved_names: Any) -> Any:
    """Turn a gradient formula into a method of the node. Replaces `core.declare.as_method`.

    If the formula uses a single saved value, the method reads it without a further function call.
    """
    if len(names) == 1 and names[0] in saved_names:
        index = saved_names.index(names[0])

        def with_one_saved_value(node: Any, g: Any) -> Any:
            saved = node.saved[index] if node.saved else None
            if saved.__class__ is SavedTensor:
                counter = saved.tensor._version_counter
                if (counter is None or counter.value == saved.version) and (
                    saved.output_nr is None or not mode.enabled
                ):
                    return formula(g, saved.tensor)  # also a result, if its place in the graph is not needed
            elif saved.__class__ is float:
                return formula(g, saved)
            return formula(g, node.saved_value(index))

        return with_one_saved_value
    return _core_as_method(formula, names, saved_names)


@replaces(declare.make_call)
def make_call(node_class: Any, forward: Any, promotes: bool, view: bool) -> Any:
    """Return the function that computes and records an operation. Replaces `core.declare.make_call`.

    For most operations with one or two operands, it takes fewer steps than the function of the core.
    """
    general = _core_make_call(node_class, forward, promotes, view)
    arguments, inputs = node_class.arguments, tuple(node_class.uses)
    if len(arguments) == 3 and node_class.__name__ in _IN_C and not promotes:
        return _core_make_call(node_class, _IN_C[node_class.__name__], promotes, view)
    if view or any(default != 1 for default in forward.__defaults__ or ()):
        return general
    forward = _IN_C.get(node_class.__name__, forward)
    if promotes and inputs == arguments[:2] and len(arguments) == 3 and not node_class.saved_names:
        return _make_binary_with_alpha(node_class, forward, general)
    if inputs == arguments and len(arguments) == 2 and "result" not in node_class.saved_names:
        return _make_binary(node_class, forward, promotes)
    if inputs == arguments and len(arguments) == 1 and not node_class.plain_readers:
        return _make_unary(node_class, forward)
    return general


def _threshold_backward(grad_output: Any, self: Any, threshold: float) -> Any:
    """Compute `threshold_backward` without a branch per element."""
    return zero_unless(np.logical_not(np.less_equal(self, threshold)), grad_output)


_IN_C = {
    "AddBackward0": operator.add,
    "SubBackward0": operator.sub,
    "MulBackward0": operator.mul,
    "NegBackward0": operator.neg,
    "ThresholdBackwardBackward0": _threshold_backward,
}
"""Faster forward functions with the same results, by the name of the node class."""


def _make_unary(node_class: Any, forward: Callable[[Any], Any]) -> Any:
    saved_names = node_class.saved_names

    def call(input: Tensor) -> Tensor:
        array = forward(input._array)
        if threads_not_recording and not mode.enabled:
            return Tensor._wrap(array)
        return record(node_class, array, (input,), [RESULT if name == "result" else input for name in saved_names])

    def call_saving_the_result(input: Tensor) -> Tensor:
        return record(node_class, forward(input._array), (input,), ONLY_RESULT)

    return call_saving_the_result if saved_names == ("result",) else call


def _make_binary(node_class: Any, forward: Callable[..., Any], promotes: bool) -> Any:
    first, second = node_class.arguments
    saves_both = node_class.saved_names == (second, first)
    is_product = node_class.uses == {first: (second,), second: (first,)}
    are_second = [name == second for name in node_class.saved_names]
    compute: Any = combine if promotes else _apply_same_dtype
    in_c = promotes and node_class.__name__ in _IN_C

    def call(input: Any, other: Any) -> Tensor:
        if threads_not_recording and not mode.enabled:  # most products come from formulas of gradients
            if in_c and input.__class__ is Tensor and other.__class__ is Tensor:
                x, y = input._array, other._array
                if x.__class__ is y.__class__ is _ndarray and x.dtype is y.dtype and x.ndim < 2 and x.shape == y.shape:
                    if x.ndim:
                        return Tensor._wrap(forward(x, y))
                    if x.dtype.kind == "f":
                        return Tensor._wrap(_asarray(forward(x[()], y[()])))
            return Tensor._wrap(compute(forward, input, other))
        if is_product and other.__class__ is float and not states.pack_hooks:  # saves only the number
            out = record(node_class, compute(forward, input, other), (input, other))
            if out._grad_fn is not None:
                out._grad_fn.saved = (other, None)
            return out
        saved = (other, input) if saves_both else [other if is_second else input for is_second in are_second]
        return record(node_class, compute(forward, input, other), (input, other), saved)

    return call


def _make_binary_with_alpha(node_class: Any, forward: Callable[..., Any], general: Any) -> Any:
    for name in node_class.plain_readers:
        setattr(node_class, name, 1)

    def call(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
        if alpha != 1:
            return general(input, other, alpha=alpha)
        return record(node_class, combine(forward, input, other), (input, other))

    return call


def _apply_same_dtype(forward: Callable[..., Any], a: Tensor, b: Tensor) -> Any:
    """Return `forward` of the arrays of two tensors with the same shape and dtype."""
    x, y = a._array, b._array
    return forward(x, y) if x.ndim or x.__class__ is not _ndarray else np.asarray(forward(x[()], y[()]))


def combine(forward: Callable[..., Any], a: Any, b: Any) -> Any:
    """Return `forward` of two operands, tensors or Python numbers, in their common dtype. Only rare cases call `extensions.operands`.

    Raises:
        RuntimeError: the shapes do not broadcast.
    """
    if isinstance(a, Tensor) and a._array.__class__ is _ndarray:
        x = a._array
        if isinstance(b, Tensor):
            y = b._array
            if x.dtype is y.dtype and y.__class__ is _ndarray:
                n, m = x.ndim, y.ndim
                if n or m:
                    # The order of dimensions cannot differ here.
                    if (n < 2 and m < 2) or (x.flags.c_contiguous and (x.shape == y.shape or y.flags.c_contiguous)):
                        try:
                            return forward(x, y)
                        except ValueError:
                            declare.check_broadcast(x.shape, y.shape)
                            raise
                elif x.dtype.kind == "f":
                    return np.asarray(
                        forward(x[()], y[()])
                    )  # NumPy's scalars are faster than arrays without dimensions
        elif b.__class__ in _NUMBERS and x.dtype.kind == "f":
            return forward(x, _without_dimensions(b, x.dtype) if b else b) if x.ndim else np.asarray(forward(x[()], b))
    return forward(*extensions.operands(a, b))


_NUMBERS = (float, int)


@lru_cache(256)
def _without_dimensions(number: float, dtype: np.dtype) -> np.ndarray:
    """Return `number` as a cached 0-d array. Do not call this function for 0: the cache does not distinguish 0.0 and -0.0."""
    return np.asarray(number, dtype)

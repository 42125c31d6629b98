"""Create tensors: from data, filled with a number, or as a range."""

import numpy as np

from reference_impl import _dtype as dtypes
from reference_impl.core.declare import publish
from reference_impl.core.operations.shapes import shape_of
from reference_impl.core.tensor import Tensor


def wrap_array(array, dtype=None, requires_grad=False) -> Tensor:
    """Return a tensor around `array`, which is converted to `dtype` unless that is None.

    Raises:
        RuntimeError: `requires_grad` is True and the array is not floating-point.
    """
    array = array if dtype is None else array.astype(dtype.numpy)
    if requires_grad and array.dtype.kind != "f":
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    return Tensor._wrap(array).requires_grad_(requires_grad) if requires_grad else Tensor._wrap(array)


def tensor(data, *, dtype=None, requires_grad=False) -> Tensor:
    """Return a tensor with a copy of `data`: a number, a nested list of numbers, a list of 0-d tensors, an array or a tensor.

    Without `dtype`, Python floats get the default dtype, and a list of tensors gets the dtype of the first.
    """
    array = np.array(data._array if isinstance(data, Tensor) else data)
    if dtype is None and array.dtype.kind == "f" and not hasattr(data, "dtype"):
        dtype = dtypes.get_default_dtype()
    elif dtype is None and array.dtype.kind == "O":
        array = np.array([t.tolist() for t in data], data[0]._array.dtype)
    return wrap_array(array, dtype, requires_grad)


def full(size, fill_value, *, dtype=None, requires_grad=False) -> Tensor:
    """Return a tensor of shape `size` filled with `fill_value`, by default in the dtype of this number."""
    dtype = dtypes.number_dtype(fill_value) if dtype is None else dtype
    return wrap_array(np.full(size, fill_value, dtype.numpy), None, requires_grad)


def create_filled(create, size, dtype, requires_grad) -> Tensor:
    """Return a tensor with the array `create(shape, dtype)`, where `create` is a function such as `np.zeros`.

    `size` are the positional arguments of `zeros(2, 3)` or `zeros((2, 3))`. Without `dtype`, the default dtype is used.
    """
    return wrap_array(create(shape_of(size), (dtype or dtypes.get_default_dtype()).numpy), None, requires_grad)


def zeros(*size, dtype=None, requires_grad=False) -> Tensor:
    """Return a tensor of zeros with shape `size`. Without `dtype`, it has the default dtype."""
    return create_filled(np.zeros, size, dtype, requires_grad)


def ones(*size, dtype=None, requires_grad=False) -> Tensor:
    """Return a tensor of ones with shape `size`. Without `dtype`, it has the default dtype."""
    return create_filled(np.ones, size, dtype, requires_grad)


empty = zeros


def zeros_like(self, *, dtype=None, requires_grad=False) -> Tensor:
    """Return zeros in the shape of a tensor and, without `dtype`, in its dtype."""
    return wrap_array(np.zeros_like(self._array), dtype, requires_grad)


def ones_like(self, *, dtype=None, requires_grad=False) -> Tensor:
    """Return ones in the shape of a tensor and, without `dtype`, in its dtype."""
    return wrap_array(np.ones_like(self._array), dtype, requires_grad)


def arange(start, end=None, step=1, *, dtype=None, requires_grad=False) -> Tensor:
    """Return start, start + step, ... below `end` (above it if `step` is negative). `arange(n)` begins at 0.

    Without `dtype`, integers give int64, floats the default dtype.
    """
    start, end = (0, start) if end is None else (start, end)
    is_integer = all(isinstance(n, int) for n in (start, end, step))
    count = -((start - end) // step) if is_integer else int(np.ceil((end - start) / step))
    array = start + step * np.arange(count)
    return wrap_array(array, dtype or (dtypes.int64 if is_integer else dtypes.get_default_dtype()), requires_grad)


publish(lambda self, *size: zeros(*size, dtype=self.dtype), "new_zeros")

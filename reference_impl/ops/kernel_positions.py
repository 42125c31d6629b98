"""Find, for each position in a sliding kernel, the inputs under it and the outputs to which they contribute.

For output o, position i of the kernel lies on the input o · stride - padding + i · dilation. So position i has a slice of outputs and
a strided slice of inputs, which have the same size and leave out the padding. Pooling and `unfold` loop over the positions of the
kernel, with one array operation on the two slices of each.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from reference_impl.core.arrays import checked_dim
from reference_impl.core.tensor import Tensor

Numbers = tuple[int, ...]


def n_times(value: Any, n: int) -> tuple[Any, ...]:
    """Return `value` as a tuple: an iterable is converted, a number is repeated n times."""
    return tuple(value) if hasattr(value, "__iter__") else (value,) * n


def numbers(value: Any, n: int, refusal: str, **names: str) -> Numbers:
    """Return `value` as n integers, one per dimension. A single number, or a list of one, applies to every dimension.

    Args:
        refusal: format string of the error, with the fields n, values, count (the number of values) and those in `names`.

    Raises:
        RuntimeError: the number of values is neither 1 nor n.
        TypeError: a value is not an integer.
    """
    if value.__class__ is int:
        return (value,) * n
    values = tuple([as_integer(v) for v in (value if isinstance(value, (tuple, list)) else (value,))])
    if len(values) == 1:
        return values * n
    if len(values) != n:
        raise RuntimeError(refusal.format(n=n, values=list(values), count=len(values), **names))
    return values


def check_dims(input: Tensor, *dims: int) -> None:
    """Raise torch's IndexError if one of `dims`, whose sizes torch reads before it checks the shape, does not exist."""
    for d in dims:
        if not input._array.ndim:
            raise IndexError(f"Dimension specified as {d} but tensor has no dimensions")
        checked_dim(d, input._array.ndim)


def as_integer(value: Any) -> int:
    """Return an int, a NumPy integer or an integer tensor with one element as an int. Raise TypeError for any other value, and for a bool."""
    if isinstance(value, bool):
        raise TypeError("a size must be int, not bool")
    return operator.index(value)


def window_numbers(value: Any, n: int, name: str, function: str) -> Numbers:
    """Return an argument of pooling or `unfold` as n integers, one per dimension. A single number applies to every dimension.

    Args:
        name: the argument, for errors.
        function: the function, for errors.

    Raises:
        RuntimeError: the number of values is neither 1 nor n. The text is torch's.
        TypeError: a value is not an integer.
    """
    counts = "a single int, or a tuple of {n} ints" if n > 1 else "a single int or a tuple of one int"
    return numbers(value, n, "{function}: {name} must either be " + counts, name=name, function=function)


def output_size(size: int, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool = False) -> int:
    """Return the size of the output along one dimension: (size + 2 padding - dilation (kernel - 1) - 1) / stride + 1.

    The size is rounded down or, with `ceil_mode`, up, unless the last window would then begin beyond the input, in the padding at the end.
    It is 0 or negative if the kernel does not fit into the padded input.
    """
    room = size + 2 * padding - dilation * (kernel - 1) - 1
    count = (-(-room // stride) if ceil_mode else room // stride) + 1
    if ceil_mode and (count - 1) * stride >= size + padding:
        count -= 1
    return count


@functools.lru_cache(maxsize=256)
def positions(
    input_sizes: Numbers, output_sizes: Numbers, kernel: Numbers, stride: Numbers, padding: Numbers, dilation: Numbers
) -> tuple[tuple[Numbers, Any, Any], ...]:
    """Return tuples (position in the kernel, slices of the outputs, slices of the inputs), in row-major order of the positions.

    The slices begin with an Ellipsis, so that they fit arrays with any leading dimensions. A sum over windows, for example, is computed
    by `y[outputs] += x[inputs]` for each tuple. Positions that lie only on padding are left out.
    """
    per_dim = [
        _along_one(*numbers)
        for numbers in zip(input_sizes, output_sizes, kernel, stride, padding, dilation, strict=True)
    ]
    places = []
    for choice in product(*per_dim):
        if all(outs is not None for _, outs, _ in choice):
            places.append(
                (tuple([i for i, _, _ in choice]), (..., *[o for _, o, _ in choice]), (..., *[s for _, _, s in choice]))
            )
    return tuple(places)


def _along_one(size: int, count: int, kernel: int, stride: int, padding: int, dilation: int) -> list[Any]:
    """Return tuples (position, slice of outputs, slice of inputs) for one dimension, with None for slices that are empty."""
    ranges: list[Any] = []
    for i in range(kernel):
        shift = i * dilation - padding
        first = max(0, -(shift // stride))  # the first output whose input is not in the padding
        end = min(count, (size - 1 - shift) // stride + 1)
        if end <= first:
            ranges.append((i, None, None))
            continue
        start = first * stride + shift
        ranges.append((i, slice(first, end), slice(start, start + (end - first - 1) * stride + 1, stride)))
    return ranges


def as_batch(input: Any, spatial: int, compute: Callable[[Any], Any]) -> Any:
    """Return `compute(input)`. If `input` has no batch dimension, insert one for the call and remove it from the result.

    Args:
        spatial: number of spatial dimensions. `input` is (n, c, *spatial) or (c, *spatial).
        compute: function from a batch to a tensor or a tuple of tensors.
    """
    if input._array.ndim == spatial + 2:
        return compute(input)
    result = compute(input.unsqueeze(0))
    return tuple([r.squeeze(0) for r in result]) if isinstance(result, tuple) else result.squeeze(0)


def shape_text(sizes: Sequence[int]) -> str:
    """Return sizes in the form of torch's messages: [3, 4] -> "(3 x 4)"."""
    return "(" + " x ".join(str(n) for n in sizes) + ")"

"""Describe a sliding kernel by its positions: for each, which inputs contribute to which outputs.

At output o, position i of the kernel is on input element o · stride - padding + i · dilation. So for each position there are a slice
of the outputs and a strided slice of the inputs, of the same size and without the padding. Pooling and `unfold` are loops over the
positions, with one array operation on two slices in each step.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

Numbers = tuple[int, ...]


def n_times(value: Any, n: int) -> tuple[Any, ...]:
    """Return one number repeated n times, or several as a tuple."""
    return tuple(value) if hasattr(value, "__iter__") else (value,) * n


def numbers(value: Any, n: int, refusal: str, **names: str) -> Numbers:
    """Return an argument as n numbers: a single number applies to every dimension.

    Args:
        refusal: text of the error, with `n`, `values`, `count` and the `names` in braces.

    Raises:
        RuntimeError: the argument has another number of values.
    """
    if isinstance(value, int):
        return (value,) * n
    values = tuple([int(v) for v in value])
    if len(values) == 1:
        return values * n
    if len(values) != n:
        raise RuntimeError(refusal.format(n=n, values=list(values), count=len(values), **names))
    return values


def repeated(value: Any, n: int, name: str, function: str) -> Numbers:
    """Call `numbers` with the message that torch has for arguments of windows."""
    counts = "a single int, or a tuple of {n} ints" if n > 1 else "a single int or a tuple of one int"
    return numbers(value, n, "{function}: {name} must either be " + counts, name=name, function=function)


def output_size(size: int, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool = False) -> int:
    """Return the number of kernel positions along one dimension: floor or ceil of (size + 2 padding - dilation (kernel - 1) -
    1) / stride + 1.

    With `ceil_mode`, the last window must begin inside the input or its left padding.
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
    """Return per position of the kernel (in row-major order) the position, the slices of its outputs, and the slices of their
    inputs. Both begin with an Ellipsis, so they fit any leading dimensions. Positions that meet only padding are left out.
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
    """Return `positions` of one dimension: (i, slice of outputs, slice of inputs), with None for empty slices."""
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
    """Run `compute` on a batch. An input without a batch dimension is passed as a batch of one.

    Args:
        spatial: the number of spatial dimensions; before them stand channels and, maybe, the batch.
    """
    if input._array.ndim == spatial + 2:
        return compute(input)
    result = compute(input.unsqueeze(0))
    return tuple([r.squeeze(0) for r in result]) if isinstance(result, tuple) else result.squeeze(0)


def shape_text(sizes: Sequence[int]) -> str:
    """Return sizes as torch's messages write them: (3 x 4)."""
    return "(" + " x ".join(str(n) for n in sizes) + ")"

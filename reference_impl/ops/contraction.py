"""Sums of products over named dimensions: einsum, tensordot, kron and the like, all brought down to mm or bmm.

The steps are those of torch's Linear.cpp, so that the graph that they leave is the same.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import prod
from typing import Any

from reference_impl._tensor import Tensor, _checked_dim
from reference_impl.autograd.recording import record
from reference_impl.ops.linalg import bmm, dot, mm
from reference_impl.ops.registry import op
from reference_impl.ops.views import UnsafeViewBackward0, view_array


def _dim_lists(dims: Any, n: int, m: int) -> tuple[list[int], list[int]]:
    """`dims` of tensordot as two lists.

    Raises:
        RuntimeError: a negative number, or lists of different lengths.
    """
    if isinstance(dims, Tensor):
        dims = dims.tolist()
    if isinstance(dims, (tuple, list)):
        pair = [[d] if isinstance(d, int) else list(d) for d in dims]
        a, b = pair
    else:
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(n, m):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        a, b = list(range(-dims, 0)), list(range(dims))
    if len(a) != len(b):
        raise RuntimeError("both dimension lists should have same length")
    return a, b


@op("function", "out_exact")
def tensordot(a: Tensor, b: Tensor, dims: Any = 2) -> Tensor:
    """Products summed over the last `dims` dimensions of `a` and the first of `b`, or over two lists of dimensions.

    Raises:
        RuntimeError: the sizes of the summed dimensions don't match.
    """
    given1, given2 = _dim_lists(dims, a._array.ndim, b._array.ndim)
    if a._array.dtype != b._array.dtype:
        raise RuntimeError("both inputs should have same dtype")
    d1, d2 = ([_checked_dim(d, t._array.ndim) for d in ds] for t, ds in ((a, given1), (b, given2)))
    summed = 1
    for i, j in zip(given1, given2, strict=True):
        n, m = a._array.shape[i], b._array.shape[j]
        if m == 1:
            a = a.sum(i, True)
        elif n == 1:
            b = b.sum(j, True)
        elif n == m:
            summed *= n
        else:
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {n} in dim {i} and second has size {m} in dim {j}"
            )
    x, y = a._array, b._array
    kept1, kept2 = ([d for d in range(t.ndim) if d not in ds] for t, ds in ((x, d1), (y, d2)))
    shape1, shape2 = [x.shape[d] for d in kept1], [y.shape[d] for d in kept2]
    left, right = a.permute(kept1 + d1), b.permute(d2 + kept2)
    if prod(shape1) == prod(shape2) == 1:  # one number: `dot` where nothing need be copied for it, as in torch
        if left.is_contiguous() and right.is_contiguous():
            return dot(left.reshape(summed), right.reshape(summed)).view(shape1 + shape2)
        return (left.squeeze() * right.squeeze()).sum().view(shape1 + shape2)
    return mm(left.reshape(prod(shape1), summed), right.reshape(summed, prod(shape2))).reshape(shape1 + shape2)


@op("function", "method", "out_exact")
def inner(input: Tensor, other: Tensor) -> Tensor:
    """Products summed over the last dimension of both; with a number, the product.

    Raises:
        RuntimeError: the last dimensions differ.
    """
    x, y = input._array, other._array
    if not x.ndim or not y.ndim:
        return input * other
    if x.shape[-1] != y.shape[-1]:
        raise RuntimeError(
            f"inner() the last dimension must match on both input tensors but got shapes {list(x.shape)} and {list(y.shape)}"
        )
    return tensordot(input, other, [[-1], [-1]])


# -- einsum

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ELLIPSIS = "."


def _labels(term: str, operand: int) -> list[str]:
    """The labels of one operand, an ellipsis as "."."""
    found: list[str] = []
    i = 0
    while i < len(term):
        c = term[i]
        if c == ".":
            if _ELLIPSIS in found:
                raise RuntimeError(f"einsum(): found '.' for operand {operand} for which an ellipsis was already found")
            if term[i : i + 3] != "...":
                raise RuntimeError(f"einsum(): found '.' for operand {operand} that is not part of any ellipsis")
            found.append(_ELLIPSIS)
            i += 3
            continue
        if c not in _LETTERS:
            raise RuntimeError(
                f"einsum(): invalid subscript given at index {i} in the equation string, subscripts must be in [a-zA-Z]"
            )
        found.append(c)
        i += 1
    return found


def _output_order(output: str | None, counts: dict[str, int], has_ellipsis: bool) -> list[str]:
    """The labels of the result: those that are given, or else the ellipsis and what occurs once, by the alphabet."""
    if output is None:
        once = [c for c in _LETTERS if counts.get(c) == 1]
        return [_ELLIPSIS, *once] if has_ellipsis else once
    order: list[str] = []
    i = 0
    while i < len(output):
        c = output[i]
        if c == ".":
            if output[i : i + 3] != "...":
                raise RuntimeError(
                    "einsum(): found '.' for output but an ellipsis (...) was already found"
                    if _ELLIPSIS in order
                    else "einsum(): found '.' for output that is not part of any ellipsis (...)"
                )
            order.append(_ELLIPSIS)
            i += 3
            continue
        if c not in _LETTERS:
            raise RuntimeError(
                f"einsum(): invalid subscript given at index {i} in the equation string, subscripts must be in [a-zA-Z]"
            )
        if c in order:
            raise RuntimeError(f"einsum(): output subscript {c} appears more than once in the output")
        if c not in counts:
            raise RuntimeError(f"einsum(): output subscript {c} does not appear in the equation for any input operand")
        order.append(c)
        i += 1
    return order


def _from_sublists(args: tuple[Any, ...]) -> tuple[str, list[Tensor]]:
    """`einsum(x, [0, 1], y, [1, 2], [0, 2])` as an equation."""

    def term(numbers: Sequence[Any]) -> str:
        return "".join("..." if n is Ellipsis else _LETTERS[n] for n in numbers)

    pairs = len(args) // 2
    equation = ",".join(term(args[2 * i + 1]) for i in range(pairs))
    if len(args) % 2:
        equation += "->" + term(args[-1])
    return equation, list(args[0 : 2 * pairs : 2])


@op("function")
def einsum(*args: Any) -> Tensor:
    """Sums of products by labels: `einsum("ij,jk->ik", a, b)` is the product of two matrices.

    A label names a dimension; what is not in the result is summed; a label twice in one operand takes the diagonal; "..."
    stands for dimensions that broadcast. Without "->" the result has the labels that occur once, by the alphabet.

    Raises:
        RuntimeError: labels and operands don't fit together.
    """
    if not args:
        raise ValueError("einsum(): must specify the equation string and at least one operand, or at least one operand and its "
                         "subscripts list")  # fmt: skip
    if isinstance(args[0], Tensor):
        equation, operands = _from_sublists(args)
    else:
        equation = args[0]
        rest = args[1:]
        operands = list(rest[0]) if len(rest) == 1 and isinstance(rest[0], (tuple, list)) else list(rest)
    if not operands:
        raise RuntimeError("einsum(): must provide at least one operand")
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = [_labels(term, i) for i, term in enumerate(left.split(","))]
    if len(terms) > len(operands):
        raise RuntimeError(
            "einsum(): more operands were provided than specified in the equation"
            if len(operands) > len(terms)
            else "einsum(): fewer operands were provided than specified in the equation"
        )
    if len(terms) < len(operands):
        raise RuntimeError("einsum(): more operands were provided than specified in the equation")
    wide = _check_ranks(terms, operands)
    counts: dict[str, int] = {}
    for labels in terms:
        for c in labels:
            counts[c] = counts.get(c, 0) + 1
    has_ellipsis = any(_ELLIPSIS in labels for labels in terms)
    order = _output_order(right if arrow else None, counts, has_ellipsis)
    width = {c: wide if c == _ELLIPSIS else 1 for c in [*order, *counts]}
    kept = sum(width[c] for c in order)
    contracted = [c for c in (_ELLIPSIS, *_LETTERS) if c in counts and c not in order]
    all_labels = order + contracted
    _check_sizes(terms, operands)
    prepared = [
        _in_order(t, labels, all_labels, width, i) for i, (t, labels) in enumerate(zip(operands, terms, strict=True))
    ]
    return _contract(prepared, kept)


def _check_ranks(terms: list[list[str]], operands: list[Tensor]) -> int:
    """How many dimensions the ellipsis stands for at most."""
    wide = 0
    for i, (labels, t) in enumerate(zip(terms, operands, strict=True)):
        named = len(labels) - (_ELLIPSIS in labels)
        if _ELLIPSIS in labels:
            if named > t._array.ndim:
                raise RuntimeError(
                    f"einsum(): the number of subscripts in the equation ({named}) is more than the number of dimensions "
                    f"({t._array.ndim}) for operand {i}"
                )
            wide = max(wide, t._array.ndim - named)
        elif named != t._array.ndim:
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({named}) does not match the number of dimensions "
                f"({t._array.ndim}) for operand {i} and no ellipsis was given"
            )
    return wide


def _check_sizes(terms: list[list[str]], operands: list[Tensor]) -> None:
    """Whether a label has one size wherever it is not 1."""
    seen: dict[str, int] = {}
    for i, (labels, t) in enumerate(zip(terms, operands, strict=True)):
        if _ELLIPSIS in labels:
            k = labels.index(_ELLIPSIS)
            tail = len(labels) - k - 1
            shape = t._array.shape[:k] + (1,) + t._array.shape[t._array.ndim - tail :]
        else:
            shape = t._array.shape
        for k, (c, n) in enumerate(zip(labels, shape, strict=True)):
            if c in labels[:k]:
                continue
            if n != 1 and seen.get(c, 1) not in (1, n):
                raise RuntimeError(
                    f"einsum(): subscript {c} has size {n} for operand {i} which does not broadcast with previously seen size "
                    f"{seen[c]}"
                )
            seen[c] = n if seen.get(c, 1) == 1 else seen[c]


def _in_order(t: Tensor, labels: list[str], all_labels: list[str], width: dict[str, int], operand: int) -> Tensor:
    """`t` with a dimension, of size 1 where it has none, for each of `all_labels`, in their order."""
    places: dict[tuple[str, int], int] = {}
    ndim, j = t._array.ndim, 0
    for c in labels:
        if c == _ELLIPSIS:
            for _ in range(width[c] - (ndim - len(labels) + 1)):
                t = t.unsqueeze(j)
            for k in range(width[c]):
                places[c, k] = j
                j += 1
        elif (c, 0) in places:
            dim = places[c, 0]
            n, m = t._array.shape[j], t._array.shape[dim]
            if n != m:
                raise RuntimeError(
                    f"einsum(): subscript {c} is repeated for operand {operand} but the sizes don't match, {n} != {m}"
                )
            t = t.diagonal(0, dim, j).movedim(-1, dim)
        else:
            places[c, 0] = j
            j += 1
    order = []
    for c in all_labels:
        for k in range(width[c]):
            if (c, k) not in places:
                t = t.unsqueeze(-1)
                places[c, k] = j
                j += 1
            order.append(places[c, k])
    return t.permute(order)


def _contract(operands: list[Tensor], kept: int) -> Tensor:
    """Multiply the operands from the left and sum over the dimensions after the first `kept`."""
    ndim = operands[0]._array.ndim
    sizes = [1] * ndim
    left_to_sum = [0] * ndim
    for i, t in enumerate(operands):
        for d, n in enumerate(t._array.shape):
            if n != 1 and sizes[d] not in (1, n):
                raise RuntimeError(
                    f"einsum(): operands do not broadcast with remapped shapes [original->remapped]: "
                    f"operand {i} has size {n} at dimension {d}, expected {sizes[d]}"
                )
            if n != 1:
                sizes[d] = n
                left_to_sum[d] += 1
    several = len(operands) > 1
    result, rest = operands[0], operands[1:]
    for b in rest:
        a = result
        together: list[int] = []
        alone_a: list[int] = []
        alone_b: list[int] = []
        for d in range(kept, ndim):
            wide_a, wide_b = a._array.shape[d] != 1, b._array.shape[d] != 1
            if wide_a and wide_b:
                left_to_sum[d] -= 1
                if left_to_sum[d] == 1:
                    together.append(d)
                    left_to_sum[d] = 0
            elif left_to_sum[d] == 1 and (wide_a or wide_b):
                (alone_a if wide_a else alone_b).append(d)
                left_to_sum[d] = 0
        if alone_a:
            a = a.sum(alone_a, True)
        if alone_b:
            b = b.sum(alone_b, True)
        result = _sum_of_products(a, b, together)
    if ndim == kept:
        return result
    if several:
        return result.view(result._array.shape[:kept])
    return result.sum(tuple(range(kept, ndim)))


def _sum_of_products(left: Tensor, right: Tensor, summed: list[int]) -> Tensor:
    """a * b summed over the dimensions `summed`, which stay with size 1: one bmm. torch's `sumproduct_pair`."""
    if not summed:
        return left * right
    both: list[int] = []
    only_left: list[int] = []
    only_right: list[int] = []
    for d, (n, m) in enumerate(zip(left._array.shape, right._array.shape, strict=True)):
        if d in summed:
            continue
        (both if n != 1 and m != 1 else only_left if n != 1 else only_right).append(d)
    if only_left and only_right and only_right[-1] < only_left[0]:
        left, right, only_left, only_right = right, left, only_right, only_left
    x, y = left._array.shape, right._array.shape
    b, n, k, m = (
        prod([shape[d] for d in dims]) for shape, dims in ((x, both), (x, only_left), (x, summed), (y, only_right))
    )
    shape = [x[d] for d in both + only_left] + [1] * len(summed) + [y[d] for d in only_right]
    order = both + only_left + summed + only_right
    back = [order.index(d) for d in range(len(order))]
    first = left.permute(both + only_left + summed + only_right).reshape(b, n, k)
    second = right.permute(both + summed + only_right + only_left).reshape(b, k, m)
    return bmm(first, second).view(shape).permute(back)


# -- derived


def _unsafe_view(x: Tensor, shape: list[int]) -> Tensor:
    return record(UnsafeViewBackward0, x._array.reshape(shape), (x,), self_sym_sizes=x._array.shape)


@op("function", "method", "out_exact")
def kron(input: Tensor, other: Tensor) -> Tensor:
    """The Kronecker product: a block `input[i, j] * other` for each element of `input`."""
    x, y = input._array, other._array
    n = max(x.ndim, y.ndim)
    a, b = (1,) * (n - x.ndim) + x.shape, (1,) * (n - y.ndim) + y.shape
    left = _unsafe_view(input, [size for s in a for size in (s, 1)])
    right = _unsafe_view(other, [size for s in b for size in (1, s)])
    product = left * right
    shape = tuple([s * t for s, t in zip(a, b, strict=True)])
    # As in torch 2.13 an error where the product, in the order of transposed operands, cannot be viewed so.
    array = view_array(product._array, shape)
    if array is None:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
            "contiguous subspaces). Use .reshape(...) instead."
        )
    return record(UnsafeViewBackward0, array, (product,), self_sym_sizes=product._array.shape)


@op("function")
def chain_matmul(*matrices: Any) -> Tensor:
    """The product of several matrices, in the order that needs the fewest multiplications."""
    from reference_impl.ops.registry import namespaces

    warnings.warn(
        "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use torch.linalg.multi_dot instead, "
        "which accepts a list of two or more tensors rather than multiple parameters. (Triggered internally at "
        "/__w/pytorch/pytorch/aten/src/ATen/native/LinearAlgebra.cpp:1102.)",
        UserWarning,
        stacklevel=3,
    )
    given = list(matrices[0]) if len(matrices) == 1 and isinstance(matrices[0], (tuple, list)) else list(matrices)
    return given[0] if len(given) == 1 else namespaces["linalg"]["multi_dot"](given)

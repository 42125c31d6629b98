"""`einsum`: a sum of products, written with a letter for each dimension.

The graph is torch's. The dimensions of all operands are brought into the same order. Then the operands are multiplied from the left to
the right. A dimension is summed as soon as no other operand has it, so that each product of two operands is a single `bmm`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import prod
from string import ascii_letters, ascii_lowercase, ascii_uppercase
from typing import Any

from reference_impl.arguments import parser
from reference_impl.core.tensor import Tensor
from reference_impl.ops.linalg import bmm
from reference_impl.ops.registry import functions

ELLIPSIS = "..."
Label = str | int
"""The name of a dimension: a letter, or k for dimension k of those that the ellipsis stands for."""


def einsum(*args: Any) -> Tensor:
    """Return a sum of products: `einsum("ij,jk->ik", a, b)` is the product of two matrices.

    A letter names a dimension, and "..." stands for any number of dimensions, which are broadcast. A letter that is twice in an operand
    takes a diagonal. Dimensions that are not in the result are summed. Without "->", the result has the dimensions of the ellipsis and
    the letters that occur once, in the order of the alphabet.

    Args:
        args: the equation and the operands; or each operand followed by a list of numbers in place of letters, and optionally the list
            of the result at the end: `einsum(a, [0, 1], b, [1, 2], [0, 2])`.

    Raises:
        ValueError: there is no operand, or a number is not in [0, 52).
        RuntimeError: the equation is not valid, or does not fit the operands.
        TypeError: the equation is not a string, or an operand is not a tensor.
    """
    equation, operands = _read_arguments(args)
    if not isinstance(equation, str) or not all([isinstance(t, Tensor) for t in operands]):
        raise TypeError(parser.rejection("einsum", False, (equation, tuple(operands)), {}))
    if not operands:
        raise RuntimeError("einsum(): must provide at least one operand")
    inputs, arrow, output = equation.partition("->")
    terms = _parse_inputs(inputs, len(operands))
    labels, width = _name_dimensions(terms, operands)
    counts = Counter([label for term in terms for label in term if label != ELLIPSIS])
    if arrow:
        result = _parse_output(output, counts, len(inputs) + 2)
    else:
        result = [ELLIPSIS, *sorted([label for label, count in counts.items() if count == 1])]
    summed = [label for label in (ELLIPSIS, *sorted(counts)) if label not in result]
    kept = _expand(result, range(width))
    order = kept + _expand(summed, range(width))
    sizes: dict[Label, int] = {}
    aligned = [_align(t, names, order, sizes, i) for i, (t, names) in enumerate(zip(operands, labels, strict=True))]
    return _contract(aligned, len(kept))


functions["einsum"] = (
    einsum  # not by `op`: torch writes it in Python, so wrong arguments raise the errors of its first lines
)


# -- the equation


def _read_arguments(args: Sequence[Any]) -> tuple[str, list[Tensor]]:
    """Return the equation and the operands from the arguments of `einsum` in either form. Raise ValueError without operands."""
    if len(args) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, or at least one operand and its subscripts "
            "list"
        )
    if isinstance(args[0], Tensor):
        equation = ",".join(map(_letters, args[1::2]))
        if len(args) % 2:
            return f"{equation}->{_letters(args[-1])}", list(args[:-1:2])
        return equation, list(args[::2])
    equation, *operands = args
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        return _read_arguments((equation, *operands[0]))
    return equation, operands


def _letters(numbers: Sequence[Any]) -> str:
    """Return the letters for `numbers`: "A" for 0, "a" for 26. An ellipsis stays one."""
    letters = ascii_uppercase + ascii_lowercase
    for n in numbers:
        if n != Ellipsis and (n >= len(letters) or n < 0):
            raise ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")
    return "".join([ELLIPSIS if n == Ellipsis else letters[n] for n in numbers])


def _tokens(text: str, start: int) -> list[tuple[int, str]]:
    """Return the ellipses and the other characters of `text` without spaces, each with its index in the equation.

    Args:
        start: index of `text` in the equation.
    """
    matches = re.finditer(r"\.\.\.|[^ ]", text)
    return [(start + match.start(), match.group()) for match in matches]


def _check_letter(index: int, token: str) -> None:
    if token not in ascii_letters:
        raise RuntimeError(
            f"einsum(): invalid subscript given at index {index} in the equation string, subscripts must be in [a-zA-Z]"
        )


def _parse_inputs(text: str, count: int) -> list[list[str]]:
    """Return the labels of each of `count` operands."""
    terms: list[list[str]] = [[]]
    for index, token in _tokens(text, 0):
        if token == ",":
            if len(terms) == count:
                raise RuntimeError("einsum(): fewer operands were provided than specified in the equation")
            terms.append([])
            continue
        if token[0] == ".":
            found = f"einsum(): found '.' for operand {len(terms) - 1}"
            if ELLIPSIS in terms[-1]:
                raise RuntimeError(f"{found} for which an ellipsis was already found")
            if token != ELLIPSIS:
                raise RuntimeError(f"{found} that is not part of any ellipsis")
        else:
            _check_letter(index, token)
        terms[-1].append(token)
    if len(terms) < count:
        raise RuntimeError("einsum(): more operands were provided than specified in the equation")
    return terms


def _parse_output(text: str, counts: Counter[str], start: int) -> list[str]:
    """Return the labels of the result. `counts` has the labels of the operands."""
    result: list[str] = []
    for index, token in _tokens(text, start):
        if token[0] == ".":
            if ELLIPSIS in result:
                raise RuntimeError("einsum(): found '.' for output but an ellipsis (...) was already found")
            if token != ELLIPSIS:
                raise RuntimeError("einsum(): found '.' for output that is not part of any ellipsis (...)")
        else:
            _check_letter(index, token)
            if token in result:
                raise RuntimeError(f"einsum(): output subscript {token} appears more than once in the output")
            if token not in counts:
                raise RuntimeError(
                    f"einsum(): output subscript {token} does not appear in the equation for any input operand"
                )
        result.append(token)
    return result


# -- the operands


def _expand(term: Sequence[str], ellipsis: range) -> list[Label]:
    """Return `term` with the numbers `ellipsis` in place of an ellipsis."""
    return [label for token in term for label in (ellipsis if token == ELLIPSIS else [token])]


def _name_dimensions(terms: list[list[str]], operands: list[Tensor]) -> tuple[list[list[Label]], int]:
    """Return the labels of the dimensions of each operand, and the largest number of dimensions that an ellipsis stands for.

    As in broadcasting, the last dimensions of two ellipses have the same labels.
    """
    widths = []
    for i, (term, t) in enumerate(zip(terms, operands, strict=True)):
        has_ellipsis = ELLIPSIS in term
        letters, ndim = len(term) - has_ellipsis, t._array.ndim
        if letters > ndim or letters < ndim and not has_ellipsis:
            relation, end = ("is more than", "") if has_ellipsis else ("does not match", " and no ellipsis was given")
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({letters}) {relation} the number of dimensions ({ndim}) "
                f"for operand {i}{end}"
            )
        widths.append(ndim - letters)
    width = max(widths)
    return [_expand(term, range(width - n, width)) for term, n in zip(terms, widths, strict=True)], width


def _align(t: Tensor, labels: list[Label], order: list[Label], sizes: dict[Label, int], operand: int) -> Tensor:
    """Return `t` with a dimension for each label of `order`. A dimension that `t` does not have gets the size 1.

    Args:
        labels: labels of the dimensions of `t`. If a label is repeated, take the diagonal.
        sizes: sizes of the dimensions of earlier operands, without sizes 1. Those of `t` are added.
        operand: number of `t`, for errors.
    """
    dims: dict[Label, int] = {}
    for label in labels:
        n = t._array.shape[len(dims)]
        if label not in dims:
            if n != 1:
                _check_size(sizes.setdefault(label, n), n, label, len(dims), operand)
            dims[label] = len(dims)
            continue
        first = dims[label]
        if n != t._array.shape[first]:
            raise RuntimeError(
                f"einsum(): subscript {label} is repeated for operand {operand} but the sizes don't match, {n} != "
                f"{t._array.shape[first]}"
            )
        t = t.diagonal(0, first, len(dims)).movedim(-1, first)
    for label in order:
        if label not in dims:
            t = t.unsqueeze(len(dims))
            dims[label] = len(dims)
    return t.permute([dims[label] for label in order])


def _check_size(earlier: int, n: int, label: Label, dim: int, operand: int) -> None:
    if n == earlier:
        return
    if isinstance(label, int):
        raise RuntimeError(
            f"einsum(): dimension {dim} covered by ellipsis in operand {operand}has size {n} which does not broadcast with "
            f"previously seen ellipsis with size {earlier} for the respective dimension"
        )
    raise RuntimeError(
        f"einsum(): subscript {label} has size {n} for operand {operand} which does not broadcast with previously seen size "
        f"{earlier}"
    )


# -- the products


def _contract(operands: list[Tensor], kept: int) -> Tensor:
    """Return the product of aligned operands, summed over all dimensions but the first `kept`."""
    product = operands[0]
    dims = range(kept, product._array.ndim)
    if len(operands) == 1:
        return product.sum(tuple(dims)) if dims else product
    for position, factor in enumerate(operands[1:], 1):
        later = [t._array.shape for t in operands[position + 1 :]]
        complete = [d for d in dims if all([shape[d] == 1 for shape in later])]
        wide = [{d for d in complete if t._array.shape[d] != 1} for t in (product, factor)]
        if wide[0] - wide[1]:
            product = product.sum(sorted(wide[0] - wide[1]), True)
        if wide[1] - wide[0]:
            factor = factor.sum(sorted(wide[1] - wide[0]), True)
        product = _sum_product(product, factor, sorted(wide[0] & wide[1]))
    return product.view(product._array.shape[:kept]) if dims else product


def _sum_product(left: Tensor, right: Tensor, summed: list[int]) -> Tensor:
    """Return the product summed over the dimensions `summed`, which get the size 1: torch's `sumproduct_pair`.

    Dimensions are merged to multiply matrices: (both, only left, summed) and (both, summed, only right) -> (both, only left, only right).
    """
    if not summed:
        return left * right
    x, y = left._array.shape, right._array.shape
    free = [d for d in range(len(x)) if d not in summed]
    both = [d for d in free if x[d] != 1 and y[d] != 1]
    rows = [d for d in free if x[d] != 1 and y[d] == 1]
    columns = [d for d in free if x[d] == 1]
    if (
        rows and columns and columns[-1] < rows[0]
    ):  # then the product of the exchanged operands is in the order of the result
        left, right, x, y, rows, columns = right, left, y, x, columns, rows
    b, n, k = [prod([x[d] for d in dims]) for dims in (both, rows, summed)]
    m = prod([y[d] for d in columns])
    first = left.permute([*both, *rows, *summed, *columns]).reshape(b, n, k)
    second = right.permute([*both, *summed, *columns, *rows]).reshape(b, k, m)
    shape = [*[x[d] for d in both + rows], *[1] * len(summed), *[y[d] for d in columns]]
    order = [*both, *rows, *summed, *columns]
    return bmm(first, second).view(shape).permute([order.index(d) for d in range(len(order))])

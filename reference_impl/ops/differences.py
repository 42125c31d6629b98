"""Differences and integrals along a dimension: diff, gradient, trapezoid, cumulative_trapezoid. All are made of other
operations, as in torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from reference_impl._tensor import Tensor, _checked_dim
from reference_impl.ops.registry import functions, op
from reference_impl.ops.with_number import div_number, mul_number


def _part(x: Tensor, dim: int, start: int, end: int | None = None) -> Tensor:
    """x[start:end] along `dim`; negative bounds count from the end."""
    n = x.shape[dim]
    first = start + n if start < 0 else start
    last = n if end is None else end + n if end < 0 else end
    return x.narrow(dim, first, last - first)


# -- differences


@op("function", "method", "out")
def diff(
    input: Tensor, n: int = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None
) -> Tensor:
    """The `n`-th difference of neighbours along `dim`.

    Args:
        prepend, append: put before and after `input` along `dim` first.

    Raises:
        RuntimeError: `input` has no dimension, `n` is negative, or what is put beside it does not fit.
    """
    if input.ndim < 1:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    d = _checked_dim(dim, input.ndim)
    for beside in (prepend, append):
        if beside is not None:
            _check_beside(input, beside, d)
    if n == 0:
        return functions["zeros_like"](input).copy_(input)
    if prepend is not None or append is not None:
        input = functions["cat"]([t for t in (prepend, input, append) if t is not None], d)
    for _ in range(min(n, input.shape[d])):
        left, right = _part(input, d, 0, -1), _part(input, d, 1)
        input = right - left if input._array.dtype.kind != "b" else right.logical_xor(left)
    return input


def _check_beside(input: Tensor, beside: Tensor, dim: int) -> None:
    if beside.ndim != input.ndim:
        raise RuntimeError("diff expects prepend or append to be the same dimension as input")
    for i in range(input.ndim):
        if i != dim and beside.shape[i] != input.shape[i]:
            raise RuntimeError(
                "diff expects the shape of tensor to prepend or append to match that of input except along the differencing "
                f"dimension; input.size({i}) = {input.shape[i]}, but got tensor.size({i}) = {beside.shape[i]}"
            )


# -- numerical derivatives


@op("function")
def gradient(input: Tensor, *, spacing: Any = None, dim: Any = None, edge_order: int = 1) -> tuple[Tensor, ...]:
    """The derivative along each of `dim`, from the values at the neighbours.

    Args:
        spacing: the distance of neighbours (a number for all dimensions, or one for each), or a tensor of coordinates for each.
        edge_order: of the formula at the ends: 1 or 2.

    Raises:
        RuntimeError: the spacings do not match the dimensions, or a dimension is too short.
    """
    _check_gradient(input, spacing, dim, edge_order)
    dims = list(range(input.ndim)) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    spacings = spacing if isinstance(spacing, (list, tuple)) else [1 if spacing is None else spacing] * len(dims)
    results = []
    for d, step in zip([_checked_dim(d, input.ndim) for d in dims], spacings, strict=True):
        along = _along_coordinates if isinstance(step, Tensor) else _along_even_steps
        results.append(along(input, step, d, edge_order))
    return tuple(results)


def _check_gradient(input: Tensor, spacing: Any, dim: Any, edge_order: int) -> None:
    if input._array.dtype.name == "uint8":
        raise RuntimeError("torch.gradient does not support uint8 input.")
    count = len(spacing) if isinstance(spacing, (list, tuple)) else None
    if count is not None and dim is None and count != input.ndim:
        raise RuntimeError(
            "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to 'self.dim() = "
            f"{input.ndim}', since dim argument was not given, but got a list of length {count}"
        )
    if count is not None and dim is not None and count != (1 if isinstance(dim, int) else len(dim)):
        raise RuntimeError(
            "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments to have the same "
            f"length, but got a spacing argument of length {count} and a dim argument of length "
            f"{1 if isinstance(dim, int) else len(dim)}."
        )
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    dims = range(input.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    checked = [_checked_dim(d, input.ndim) for d in dims]
    for d in checked:
        if checked.count(d) > 1:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    for d in checked:
        if input.shape[d] < edge_order + 1:
            raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")


def _along_even_steps(x: Tensor, step: Any, d: int, edge_order: int) -> Tensor:
    if edge_order == 1:
        first = div_number(_part(x, d, 1, 2) - _part(x, d, 0, 1), step)
        last = div_number(_part(x, d, -1) - _part(x, d, -2, -1), step)
    else:
        first = _weighted(x, d, ((-1.5, 0, 1), (2, 1, 2), (-0.5, 2, 3)), step)
        last = _weighted(x, d, ((1.5, -1, None), (-2, -2, -1), (0.5, -3, -2)), step)
    middle = div_number(div_number(_part(x, d, 2) - _part(x, d, 0, -2), step), 2)
    return functions["cat"]([first, middle, last], d)


def _weighted(x: Tensor, d: int, terms: Sequence[tuple[float, int, int | None]], step: Any) -> Tensor:
    a, b, c = (mul_number(_part(x, d, start, end), abs(weight)) for weight, start, end in terms)
    signs = [weight > 0 for weight, _, _ in terms]
    a = a if signs[0] else mul_number(_part(x, d, terms[0][1], terms[0][2]), terms[0][0])
    total = (a + b if signs[1] else a - b) + c if signs[2] else (a + b if signs[1] else a - b) - c
    return div_number(total, step)


def _along_coordinates(x: Tensor, coordinates: Tensor, d: int, edge_order: int) -> Tensor:
    steps = diff(coordinates, 1, 0)
    shape = [1] * x.ndim
    shape[d] = -1
    left, right = steps[:-1], steps[1:]
    total = left + right
    weights = (-right / (left * total), (right - left) / (left * right), left / (right * total))
    parts = ((0, -2), (1, -1), (2, None))
    middle = _sum3([w.reshape(shape) * _part(x, d, *part) for w, part in zip(weights, parts, strict=True)])
    if edge_order == 1:
        first = (_part(x, d, 1, 2) - _part(x, d, 0, 1)) / steps[0]
        last = (_part(x, d, -1) - _part(x, d, -2, -1)) / steps[-1]
        return functions["cat"]([first, middle, last], d)
    a, b = steps[0], steps[1]
    weights = (-(2.0 * a + b) / (a * (a + b)), (a + b) / (a * b), -a / (b * (a + b)))
    starts = ((0, 1), (1, 2), (2, 3))
    first = _sum3([w * _part(x, d, *part) for w, part in zip(weights, starts, strict=True)])
    a, b = steps[-2], steps[-1]
    weights = (b / (a * (a + b)), -(b + a) / (a * b), (2 * b + a) / (b * (a + b)))
    ends: tuple[tuple[int, int | None], ...] = ((-3, -2), (-2, -1), (-1, None))
    last = _sum3([w * _part(x, d, *part) for w, part in zip(weights, ends, strict=True)])
    return functions["cat"]([first, middle, last], d)


def _sum3(terms: Sequence[Tensor]) -> Tensor:
    return terms[0] + terms[1] + terms[2]


# -- integrals by the trapezoidal rule


def _widths(name: str, y: Tensor, x: Tensor, dim: int) -> Tensor:
    """The distances of the sample points `x`, in the shape of `y` as far as they do not broadcast anyway.

    Raises:
        RuntimeError: there is not one `x` per value of `y` along `dim`.
    """
    for given, letter in ((x, "x"), (y, "y")):
        if given._array.dtype.kind == "b":
            raise RuntimeError(
                f"{name}: received a bool input for `x` or `y`, but bool is not supported" if letter else ""
            )
    if x.ndim == 1:
        if x.shape[0] != y.shape[dim]:
            raise RuntimeError(f"{name}: There must be one `x` value for each sample point")
        shape = [1] * y.ndim
        shape[dim] = x.shape[0]
        x = x.view(shape)
    elif x.ndim < y.ndim:
        x = x.view([1] * (y.ndim - x.ndim) + list(x.shape))
    along = x.shape[dim]
    return _part(x, dim, 1) - _part(x, dim, 0, -1) if along else x


def _check_trapezoid(name: str, y: Tensor, x: Any, dim: int) -> int:
    if y.ndim == 0:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    if x is None and y._array.dtype.kind == "b":
        raise RuntimeError(f"{name}: received a bool input for `y`, but bool is not supported")
    return _checked_dim(dim, y.ndim)


def _trapezoid(name: str) -> Callable[..., Tensor]:
    def call(y: Tensor, x: Tensor | None = None, *, dx: Any = None, dim: int = -1) -> Tensor:
        d = _check_trapezoid(name, y, x, dim)
        if y.shape[d] == 0:
            return functions["zeros"]([n for i, n in enumerate(y.shape) if i != d], dtype=y.dtype)
        if x is None:
            ends = y.select(d, 0) + y.select(d, -1)
            return mul_number(y.sum(d) - mul_number(ends, 0.5), 1 if dx is None else dx)
        widths = _widths("trapezoid", y, x, d)
        return div_number(((_part(y, d, 0, -1) + _part(y, d, 1)) * widths).sum(d), 2.0)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = "The integral of `y` along `dim` by the trapezoidal rule, at distances `dx` or at the points `x`."
    return op("function")(call)


trapezoid = _trapezoid("trapezoid")
trapz = _trapezoid("trapz")


@op("function")
def cumulative_trapezoid(y: Tensor, x: Tensor | None = None, *, dx: Any = None, dim: int = -1) -> Tensor:
    """The integral of `y` up to each point along `dim` by the trapezoidal rule, at distances `dx` or at the points `x`."""
    d = _check_trapezoid("cumulative_trapezoid", y, x, dim)
    if x is None:
        return mul_number(_part(y, d, 0, -1) + _part(y, d, 1), (1 if dx is None else dx) / 2.0).cumsum(d)
    widths = _widths("cumulative_trapezoid", y, x, d)
    return div_number((widths * (_part(y, d, 0, -1) + _part(y, d, 1))).cumsum(d), 2.0)

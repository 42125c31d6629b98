"""`scatter_reduce`: combine values at indices by a sum, mean, product, maximum or minimum.

All values with the same index are reduced to one element of the result, and their gradients are those of this reduction: in a mean of n
values, each receives g / n. See FunctionsManual.cpp, `scatter_reduce_backward`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl.core.modes import mode
from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.saving import RESULT
from reference_impl.core.tensor import Tensor
from reference_impl.ops.creation import ones_like, zeros_like
from reference_impl.ops.indexing import add_at
from reference_impl.ops.registry import op
from reference_impl.ops.scatter import check_index, first_part, grid
from reference_impl.ops.where import where

_UFUNCS: dict[str, Any] = {"sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}


def _identity(reduce: str, dtype: np.dtype) -> Any:
    """Return the number that does not change the result of a reduction: 0 for a sum, 1 for a product, -inf for a maximum of floats."""
    if reduce in ("sum", "mean"):
        return 0
    if reduce == "prod":
        return 1
    if dtype.kind == "f":
        return -np.inf if reduce == "amax" else np.inf
    if dtype.kind == "b":
        return reduce == "amin"
    return np.iinfo(dtype).min if reduce == "amax" else np.iinfo(dtype).max


def reduce_at(x: Any, index: tuple[Any, ...], values: Any, reduce: str, include_self: bool) -> Any:
    """Return a copy of `x` with `values` reduced into the elements at `index`, a NumPy index. `x` must not be 0-d.

    Args:
        reduce: "sum", "mean", "prod", "amax" or "amin".
        include_self: whether the old elements of `x` are included in the reduction.
    """
    out = _backend.contiguous(x).copy()
    if not include_self:
        out[index] = _identity(reduce, x.dtype)
    if reduce in ("sum", "mean"):
        add_at(out, index, values)
    else:
        _backend.at(_UFUNCS[reduce], out, index, values)
    if reduce == "mean":
        counts = np.full_like(out, 1 if include_self else 0, dtype=np.int64)
        add_at(counts, index, _backend.full_like(counts, 1, values.shape))
        counts = np.maximum(counts, 1)
        out = (
            np.floor_divide(out, counts).astype(x.dtype)
            if x.dtype.kind in "iu"
            else np.divide(out, counts).astype(x.dtype)
        )
    return out


class ReduceBackward(Node):
    """Base class of the nodes of `scatter_reduce` and `index_reduce`.

    Subclasses define the methods that read and write elements at the indices; here these methods raise NotImplementedError.
    """

    saved_names = ("self", "src", "index", "result")
    dim: int
    reduce: str
    include_self: bool

    def gather(self, x: Tensor) -> Tensor:
        """Return the elements of `x` at the saved indices."""
        raise NotImplementedError

    def scatter_add(self, x: Tensor, values: Tensor) -> Tensor:
        """Return a copy of `x` with `values` added at the saved indices."""
        raise NotImplementedError

    def with_zeros(self, x: Tensor) -> Tensor:
        """Return a copy of `x` with 0 at the saved indices."""
        raise NotImplementedError

    def apply_again(self, x: Tensor, values: Tensor) -> Tensor:
        """Return the result of the operation for other operands, with the saved indices and arguments."""
        raise NotImplementedError

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradients of both inputs: None if the result receives none.

        Raises:
            RuntimeError: `reduce` is "prod", several zeros have the same index, and autograd records, which torch doesn't support.
        """
        (g,) = grads
        if g is None:
            self.check_saved()
            return None, None
        self.check_saved()
        formula: Callable[[Tensor], tuple[Tensor, Tensor]]
        formula = {"sum": self._sum, "mean": self._mean, "prod": self._prod}.get(self.reduce, self._extreme)
        to_self, to_src = formula(g)
        return to_self if self.include_self else self.with_zeros(to_self), to_src

    def _sum(self, g: Tensor) -> tuple[Tensor, Tensor]:
        return g, self.gather(g)

    def _mean(self, g: Tensor) -> tuple[Tensor, Tensor]:
        start = ones_like(g) if self.include_self else zeros_like(g)
        n = self.scatter_add(start, ones_like(self._saved_src))
        n = n.masked_fill(n == 0, 1)
        return g / n, self.gather(g) / self.gather(n)

    def _prod(self, g: Tensor) -> tuple[Tensor, Tensor]:
        x, src, result = self._saved_self, self._saved_src, self._saved_result
        masked = x.masked_fill(x == 0, 1)
        to_self = g * self.apply_again(masked, src) / masked
        zero = src == 0
        zeros_there = self.gather(self.scatter_add(zeros_like(x), zero.to(x.dtype)))
        alone = zero & (zeros_there == 1)
        without = self.apply_again(x, src.masked_fill(alone, 1))
        product_of_others = self.gather(g * result) / src.masked_fill(zero, 1)
        to_src = where(alone, self.gather(g * without), product_of_others)
        if mode.enabled and bool((zeros_there > 1).any()):
            name = "scatter_reduce" if isinstance(self, ScatterReduceBackward0) else "index_reduce"
            raise RuntimeError(
                f"{name}(): Double backward is unsupported for {'src' if name == 'scatter_reduce' else 'source'} when >1 zeros in "
                f"{'src' if name == 'scatter_reduce' else 'source'} are scattered to the same position in self"
            )
        return to_self, to_src

    def _extreme(self, g: Tensor) -> tuple[Tensor, Tensor]:
        x, src, result = self._saved_self, self._saved_src, self._saved_result
        self_mask = (x == result).to(x.dtype)
        src_mask = (src == self.gather(result)).to(x.dtype)
        share = g / self.scatter_add(self_mask, src_mask)
        return self_mask * share, src_mask * self.gather(share)


class ScatterReduceBackward0(ReduceBackward):
    """out = self with src reduced at `index` along dimension `dim`: the gradient goes to the elements from which out was computed."""

    def gather(self, x: Tensor) -> Tensor:
        """Return the elements of `x` at the saved indices."""
        return x.gather(self.dim, self._saved_index)

    def scatter_add(self, x: Tensor, values: Tensor) -> Tensor:
        """Return a copy of `x` with `values` added at the saved indices."""
        return x.scatter_add(self.dim, self._saved_index, values)

    def with_zeros(self, x: Tensor) -> Tensor:
        """Return a copy of `x` with 0 at the saved indices."""
        return x.scatter(self.dim, self._saved_index, 0)

    def apply_again(self, x: Tensor, values: Tensor) -> Tensor:
        """Return the result of `scatter_reduce` for other operands, with the saved indices and arguments."""
        return scatter_reduce(x, self.dim, self._saved_index, values, self.reduce, include_self=self.include_self)


@op("function", "method", "inplace_apart", "out_exact")
def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """Return a copy of `input` in which all values of `src` with the same index along `dim` are reduced to one element.

    The in-place form `scatter_reduce_` writes into `input` itself. The indices are used as in `scatter`.

    Args:
        reduce: "sum", "prod", "mean", "amax" or "amin".
        include_self: whether the old values of `input` are included in the reduction.

    Raises:
        RuntimeError: `index` or `src` is wrong, as in `scatter`, or `reduce` is unknown.
        IndexError: the dimension does not exist.
    """
    x, i, s = input._array, index._array, src._array
    if reduce not in _UFUNCS:
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    d = check_index("scatter", x, i, dim, s)
    if not i.size:
        out = x.copy()
    else:
        flat = x if x.ndim else np.reshape(x, (1,))
        places = grid(i if i.ndim else np.reshape(i, (1,)), d)
        out = np.reshape(reduce_at(flat, places, first_part(s, i), reduce, include_self), x.shape)
    return record(
        ScatterReduceBackward0, out, (input, src), (input, src, index, RESULT),
        dim=dim, reduce=reduce, include_self=include_self,
    )  # fmt: skip

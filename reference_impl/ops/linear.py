"""`linear`, the function of `nn.Linear`."""

from __future__ import annotations

from math import prod

from reference_impl.core.tensor import Tensor
from reference_impl.ops.blas import addmm
from reference_impl.ops.linalg import matmul
from reference_impl.ops.out_argument import write_out
from reference_impl.ops.registry import builtin


@builtin
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """Return `input @ weight.T + bias`: (*, in_features) and (out_features, in_features) -> (*, out_features).

    `bias` has the shape (out_features).

    Raises:
        RuntimeError: sizes or dtypes don't fit.
        NotImplementedError: the operands are boolean.
        TypeError: `input` is not a tensor.
    """
    if out is not None:
        return write_out(linear(input, weight, bias), out, "linear")
    x = input._array
    if not x.ndim or not weight._array.ndim:
        sizes = f"{x.ndim}D and {weight._array.ndim}D"
        raise RuntimeError(f"both arguments to linear need to be at least 1D, but they are {sizes}")
    columns = weight.t()
    if bias is None:
        return matmul(input, columns)
    if x.ndim == 2:
        return addmm(bias, input, columns)
    if not x.flags.c_contiguous or x.ndim == 0:
        return matmul(input, columns) + bias
    rows = addmm(bias, input.view(prod(x.shape[:-1]), x.shape[-1]), columns)
    return rows.view((*x.shape[:-1], rows._array.shape[1]))

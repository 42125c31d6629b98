"""Linear maps with a weight: what `nn.Linear` and `nn.Bilinear` compute."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import needs_grad, record
from reference_impl.ops.blas import addmm
from reference_impl.ops.linalg import matmul
from reference_impl.ops.out_argument import write_out
from reference_impl.ops.registry import builtin


@builtin
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """`input @ weight.T + bias`: (*, in_features) and (out_features, in_features) -> (*, out_features).

    Raises:
        RuntimeError: sizes or dtypes that don't fit.
        TypeError: `input` is no tensor.
    """
    if out is not None:
        return write_out(linear(input, weight, bias), out, "linear")
    x = input._array
    columns = weight.t()
    if bias is None:
        return matmul(input, columns)
    if x.ndim == 2:
        return addmm(bias, input, columns)
    if not x.flags.c_contiguous or x.ndim == 0:
        return matmul(input, columns) + bias
    rows = addmm(bias, input.view(-1, x.shape[-1]), columns)
    return rows.view((*x.shape[:-1], rows._array.shape[1]))


class TrilinearBackward0(Node):
    """out = Σ i1 · i2 · i3: the gradient of each factor is such a sum of g and the other two.

    A factor is saved where another one needs a gradient. `_terms` names the dimensions of the factors and of the result.
    """

    saved_names = ("i1", "i2", "i3")
    _terms: tuple[str, str, str, str]

    def grad_i1(self, g: Tensor) -> Tensor:
        a, b, c, out = self._terms
        return _trilinear(g, self._saved_i2, self._saved_i3, (out, b, c, a))

    def grad_i2(self, g: Tensor) -> Tensor:
        a, b, c, out = self._terms
        return _trilinear(self._saved_i1, g, self._saved_i3, (a, out, c, b))

    def grad_i3(self, g: Tensor) -> Tensor:
        a, b, c, out = self._terms
        return _trilinear(self._saved_i1, self._saved_i2, g, (a, b, out, c))


def _trilinear(i1: Tensor, i2: Tensor, i3: Tensor, terms: tuple[str, str, str, str]) -> Tensor:
    a, b, c, to = terms
    arrays: list[Any] = [i1._array, i2._array, i3._array]
    out = np.einsum(f"{a},{b},{c}->{to}", *arrays, optimize=True)
    first, second, third = needs_grad(i1), needs_grad(i2), needs_grad(i3)
    saved = (i1 if second or third else None, i2 if first or third else None, i3 if first or second else None)
    return record(TrilinearBackward0, out, (i1, i2, i3), saved, _terms=terms)

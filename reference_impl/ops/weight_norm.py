"""Weights as a length g and a direction v: w = g v / |v| (Salimans and Kingma 2016, "Weight normalization")."""

from __future__ import annotations

import numpy as np

from reference_impl._backend import contiguous
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import RESULT, record, record_many
from reference_impl.ops.distance import NormBackward1
from reference_impl.ops.norm import _p_norm as p_norm
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import builtin


class NormBackward0(NormBackward1):
    """As NormBackward1, over all elements."""


def _norm(x: Tensor, p: float, dim: int | None) -> Tensor:
    """`torch.norm` as C++ calls it: its nodes have other names."""
    dims = tuple(range(x.ndim)) if dim is None else (dim,)
    node = NormBackward0 if dim is None else NormBackward1
    return record(node, p_norm(x._array, p, dims, False), (x,), (x, RESULT), p=p, dim=dims, keepdim=False)


@builtin
def norm_except_dim(v: Tensor, pow: int = 2, dim: int = 0) -> Tensor:
    """The `pow`-norms of the slices of `v` along `dim`, of all elements if -1: 1 in every dimension but `dim`.

    Raises:
        IndexError: no such dimension.
    """
    p = float(pow)
    if dim == -1:
        return _norm(v, p, None)
    kept = [1] * v.ndim
    kept[dim] = v.size(dim)
    if dim == 0:
        return _norm(v.contiguous().view(v.shape[0], -1), p, 1).view(kept)
    if dim == v.ndim - 1:
        return _norm(v.contiguous().view(-1, v.shape[dim]), p, 0).view(kept)
    return norm_except_dim(v.transpose(0, dim), pow, 0).transpose(0, dim)


class WeightNormInterfaceBackward0(Node):
    """w = v · g / n with n = |v|. With s = Σ grad · v over each slice:  ∂g = s / n,  ∂v = g / n · (grad - v s / n²).

    For a second derivative n counts as a constant, in torch too: that derivative is not the true one.
    """

    saved_names = ("v", "g", "result1")
    dim: int

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        grad = grads[0]
        if grad is None:
            return None, None
        v, g, n = self._saved_v, self._saved_g, self._saved_result1
        dims = tuple([d for d in range(v.ndim) if d != self.dim])
        s = grad * v
        if dims:
            s = s.sum(dims, keepdim=True)
        return (g / n) * (grad - v * (s / (n * n))), s / n


@builtin
def _weight_norm_interface(v: Tensor, g: Tensor, dim: int = 0) -> tuple[Tensor, Tensor]:
    """`_weight_norm` where `dim` is the first or the last dimension, and the norms of the slices."""
    x, lengths = v._array, g._array
    if x.dtype.kind != "f":
        refuse_dtype("weight_norm_kernel", x.dtype)
    if lengths.dtype != x.dtype:
        raise RuntimeError(f"expected scalar type {v.dtype.tensor_type} but found {g.dtype.tensor_type}")
    norms = p_norm(x, 2.0, tuple([d for d in range(x.ndim) if d != dim]), True)
    arrays = (contiguous(x * (np.reshape(lengths, norms.shape) / norms)), np.reshape(norms, lengths.shape))
    saved = (v, g, (RESULT, 1))
    made = record_many(WeightNormInterfaceBackward0, arrays, (v, g), saved, differentiable=(True, False), dim=dim)
    return made[0], made[1]


@builtin
def _weight_norm(v: Tensor, g: Tensor, dim: int = 0) -> Tensor:
    """v · g / |v|, the norms |v| taken along `dim` as `norm_except_dim` does.

    Args:
        g: with one element for each slice along `dim`, or one for all if -1.

    Raises:
        IndexError: no such dimension.
        RuntimeError: two dtypes.
    """
    v, g = v.contiguous(), g.contiguous()
    if dim == 0 or dim == v.ndim - 1:
        v.size(dim)  # raises for a tensor without dimensions
        return _weight_norm_interface(v, g, dim)[0]
    return v * (g / norm_except_dim(v, 2, dim))

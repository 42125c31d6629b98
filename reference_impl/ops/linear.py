"""Linear maps with a weight: what `nn.Linear` and `nn.Bilinear` compute."""

from __future__ import annotations

from reference_impl._tensor import Tensor
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


@builtin
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """out[*, o] = Σᵢⱼ input1[*, i] weight[o, i, j] input2[*, j] + bias[o].

    Raises:
        RuntimeError: sizes that don't fit.
    """
    a, b, w = input1._array, input2._array, weight._array
    if a.shape[:-1] != b.shape[:-1]:
        raise RuntimeError(f"bilinear(): input batch dimensions do not match: got {a.shape[:-1]} and {b.shape[:-1]}")
    for number, x, size in ((1, a, w.shape[1]), (2, b, w.shape[2])):
        if x.shape[-1] != size:
            raise RuntimeError(
                f"bilinear(): input{number} size does not match weight size: got {x.shape[-1]} but expected {size}"
            )
    left = input1.reshape(-1, w.shape[1])
    right = input2.reshape(-1, w.shape[2])
    # (b, i) x (i, o j) -> (b, o, j), then with (b, j) -> (b, o)
    half = matmul(left, weight.permute(1, 0, 2).reshape(w.shape[1], w.shape[0] * w.shape[2]))
    out = (half.view(-1, w.shape[0], w.shape[2]) * right.unsqueeze(1)).sum(-1)
    out = out.view((*a.shape[:-1], w.shape[0]))
    return out if bias is None else out + bias

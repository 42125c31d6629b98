"""Functions of C++ below the layers of `torch.nn`: with more results, numbers for modes, and none of the checks made in Python.

torch/nn/functional.py calls these; see aten/src/ATen/native/native_functions.yaml.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record_many
from reference_impl.ops import batch_normalization, normalization, sampling
from reference_impl.ops import convolution as _convolution
from reference_impl.ops import dropout as _dropout
from reference_impl.ops import embedding_bag as _embedding_bag
from reference_impl.ops.embedding import renormalize
from reference_impl.ops.registry import builtin, builtins

embedding_bag = builtins["embedding_bag"] = _embedding_bag.native


@builtin
def embedding_renorm_(input: Tensor, indices: Tensor, max_norm: float, norm_type: float) -> Tensor:
    """Scale the rows of `input` that `indices` name down to the norm `max_norm`, in place and outside the graph."""
    renormalize(input, indices, max_norm, norm_type)
    return input


# -- normalisation


@builtin
def native_layer_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[Tensor, ...]:
    """`torch.layer_norm`, the means and 1 / √(variance + eps)."""
    return normalization.native_layer_norm(input, normalized_shape, weight, bias, eps)


@builtin
def native_group_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, N: int, C: int, HxW: int, group: int, eps: float
) -> tuple[Tensor, ...]:
    """`torch.group_norm` of (N, C, *), the means and 1 / √(variance + eps), both (N, group)."""
    return normalization.native_group_norm(input, weight, bias, N, C, HxW, group, eps)


@builtin
def native_batch_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None,
    training: bool, momentum: float, eps: float,
) -> tuple[Tensor, ...]:  # fmt: skip
    """`torch.batch_norm`, and the batch's means and 1 / √(variance + eps); both empty where `running_mean` is used."""
    if input._array.ndim < 2:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got 1)")
    return batch_normalization.native_batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps
    )


# -- dropout


class NativeDropoutBackward0(Node):
    """out = input · mask / (1 - p):  ∂input = g · mask / (1 - p)."""

    saved_names = ("result1",)
    p: float

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        g = grads[0]
        return (None if g is None else g * (self._saved_result1.to(g.dtype) * _scale(self.p)),)


def _scale(p: float) -> float:
    return 0.0 if p == 1 else 1 / (1 - p)


@builtin
def native_dropout(input: Tensor, p: float, train: bool | None) -> tuple[Tensor, ...]:
    """`torch.dropout`, and where elements were kept. Without `train`, a copy and all; None trains.

    Raises:
        RuntimeError: p is not in [0, 1], or integers.
    """
    x = input._array
    if train is False or x.size == 0:
        return input.clone(), Tensor._wrap(np.ones_like(x, dtype=bool))
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={1 - p:g}")
    if x.dtype.kind != "f":
        raise RuntimeError(f"result type Float can't be cast to the desired output type {input.dtype.tensor_type}")
    kept = _dropout._noise(input, x.shape, 1 - p)
    y = x * (kept * kept.dtype.type(_scale(p)))
    mask = Tensor._wrap(kept.astype(bool))
    return record_many(NativeDropoutBackward0, (y, mask._array), (input,), (mask,), (True, False), p=p)


# -- images


@builtin
def grid_sampler(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """`functional.grid_sample`; modes 0 bilinear, 1 nearest, 2 bicubic, paddings 0 zeros, 1 border, 2 reflection."""
    return sampling.grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners)


@builtin
def grid_sampler_2d(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """`grid_sampler` of images (n, c, h, w) only."""
    return sampling.grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners, 2)


@builtin
def grid_sampler_3d(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """`grid_sampler` of volumes (n, c, d, h, w) only."""
    return sampling.grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners, 3)


@builtin
def affine_grid_generator(theta: Tensor, size: Any, align_corners: bool) -> Tensor:
    """See `functional.affine_grid`."""
    return sampling.affine_grid_generator(theta, size, align_corners)


# -- convolution


@builtin
def convolution(
    input: Tensor, weight: Tensor, bias: Tensor | None, stride: Any, padding: Any, dilation: Any, transposed: bool,
    output_padding: Any, groups: int,
) -> Tensor:  # fmt: skip
    """All of `torch.conv1d` to `torch.conv_transpose3d` in one: how many dimensions is told by `weight`.

    Raises:
        RuntimeError: sizes or dtypes that don't fit.
        TypeError: a number where a list of numbers belongs.
    """
    given = {"stride": stride, "padding": padding, "dilation": dilation, "output_padding": output_padding}
    if not all(isinstance(value, (tuple, list)) for value in given.values()):
        raise TypeError  # which the registry puts into words
    n = weight.ndim - 2
    if input.ndim != weight.ndim:
        raise RuntimeError(
            f"Expected {weight.ndim}-dimensional input for {weight.ndim}-dimensional weight {list(weight.shape)}, but got "
            f"{input.ndim}-dimensional input of size {list(input.shape)} instead"
        )
    numbers = {name: _convolution.numbers(value, n, name) for name, value in given.items()}
    geometry = _convolution.Geometry(transposed=transposed, groups=groups, **numbers)
    _convolution._checked("convolution", input, weight, bias, geometry, n)
    return _convolution.convolution_of(input, weight, bias, geometry)

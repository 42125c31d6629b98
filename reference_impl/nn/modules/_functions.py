"""Functions with a backward of their own that only a module uses."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._tensor import Tensor
from reference_impl.autograd.function import Function


class CrossMapLRN2d(Function):
    """y = x · scale^-beta, scale = k + alpha / size · Σ of x² over `size` neighbouring channels: (n, c, h, w).

    ∂x = g · scale^-beta - 2 alpha beta / size · x · Σ g · y / scale, over the neighbours again.
    """

    @staticmethod
    def forward(ctx: Any, input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1) -> Tensor:
        if input.ndim != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.ndim}D instead.")
        x = input._array
        squares, channels = np.square(x), x.shape[1]
        ahead = int((size - 1) / 2 + 1)
        scale = np.empty_like(x)
        scale[:, 0] = squares[:, :ahead].sum(1)
        for c in range(1, channels):
            scale[:, c] = scale[:, c - 1]
            if c < channels - ahead + 1:
                scale[:, c] += squares[:, c + ahead - 1]
            if c > ahead:  # so that the first channel is never taken out again; torch does the same
                scale[:, c] -= squares[:, c - ahead]
        kind = x.dtype.type
        scale *= kind(alpha / size)
        scale += kind(k)
        output = Tensor._wrap(scale ** kind(-beta) * x)
        ctx.size, ctx.alpha, ctx.beta, ctx.scale = size, alpha, beta, scale
        ctx.save_for_backward(input, output)
        return output

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Any:
        input, output = ctx.saved_tensors
        x, g, scale, size = input._array, grad_output._array, ctx.scale, ctx.size
        channels, kind = x.shape[1], x.dtype.type
        ratio = np.zeros_like(x, shape=(x.shape[0], channels + size - 1, *x.shape[2:]))
        before = int(size - (size - 1) / 2)
        ratio[:, before : before + channels] = g * output._array / scale
        around = np.stack([ratio[:, c : c + size].sum(1) for c in range(channels)], axis=1)
        grad = scale ** kind(-ctx.beta) * g - x * around * kind(2 * ctx.alpha * ctx.beta / size)
        return Tensor._wrap(grad), None, None, None, None

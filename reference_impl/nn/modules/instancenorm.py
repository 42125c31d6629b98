"""Instance normalization layers."""

from __future__ import annotations

import warnings
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.nn import functional as F
from reference_impl.nn.modules.batchnorm import _NormBase
from reference_impl.nn.modules.layer import check_dimensions


class _InstanceNorm(_NormBase):
    """Normalize each channel of each sample. `_spatial` is the number of dimensions after the channel dimension.

    Raises:
        ValueError: the input does not have `_spatial` + 1 or `_spatial` + 2 dimensions, or, with `affine`, `num_features` channels.
            (Without `affine`, another number of channels causes a warning.)
    """

    _spatial: int

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = False,
        track_running_stats: bool = False, device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _check_input_dim(self, input: Tensor) -> None:
        check_dimensions(input, self._spatial + 1, self._spatial + 2)

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        channel_dim = input.ndim - self._spatial - 1
        if input.shape[channel_dim] != self.num_features:
            if self.affine:
                raise ValueError(
                    f"expected input's size at dim={channel_dim} to match num_features ({self.num_features}), but got: "
                    f"{input.shape[channel_dim]}."
                )
            warnings.warn(
                f"input's size at dim={channel_dim} does not match num_features. You can silence this warning by not passing in "
                "num_features, which is not used because affine=False",
                stacklevel=2,
            )
        if channel_dim == 0:
            return self._apply_instance_norm(input.unsqueeze(0)).squeeze(0)
        return self._apply_instance_norm(input)

    def _apply_instance_norm(self, input: Tensor) -> Tensor:
        return F.instance_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )


class InstanceNorm1d(_InstanceNorm):
    """Normalize each channel of each sample of (n, c, l) or (c, l) to mean 0 and variance 1.

    With `track_running_stats`, evaluation uses the running mean and variance instead of those of the sample.
    """

    _spatial = 1


class InstanceNorm2d(_InstanceNorm):
    """Normalize each channel of each sample of (n, c, h, w) or (c, h, w) to mean 0 and variance 1.

    With `track_running_stats`, evaluation uses the running mean and variance instead of those of the sample.
    """

    _spatial = 2


class InstanceNorm3d(_InstanceNorm):
    """Normalize each channel of each sample of (n, c, d, h, w) or (c, d, h, w) to mean 0 and variance 1.

    With `track_running_stats`, evaluation uses the running mean and variance instead of those of the sample.
    """

    _spatial = 3

"""Batch normalization layers."""

from __future__ import annotations

from typing import Any

from reference_impl import _dtype
from reference_impl._tensor import Tensor
from reference_impl.nn import functional as F
from reference_impl.nn import init
from reference_impl.nn.modules.layer import check_dimensions
from reference_impl.nn.modules.lazy import LazyModuleMixin
from reference_impl.nn.modules.module import Module
from reference_impl.nn.parameter import Parameter, UninitializedBuffer, UninitializedParameter
from reference_impl.ops.creation import empty, ones, tensor, zeros


class _NormBase(Module):
    """Base of batch and instance normalization, with weight, bias and running statistics.

    Args:
        momentum: weight of a new batch in the moving averages. With None, BatchNorm computes the plain average of all batches.

    Attributes:
        running_mean, running_var: moving averages over the batches seen in training; None without `track_running_stats`.
        num_batches_tracked: number of batches that a BatchNorm has seen in training; InstanceNorm does not count them.
    """

    _version = 2

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        options = {"device": device, "dtype": dtype}
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = Parameter(empty(num_features, **options))
        else:
            self.register_parameter("weight", None)
        if affine and bias:
            self.bias = Parameter(empty(num_features, **options))
        else:
            self.register_parameter("bias", None)
        tracked = track_running_stats
        self.register_buffer("running_mean", zeros(num_features, **options) if tracked else None)
        self.register_buffer("running_var", ones(num_features, **options) if tracked else None)
        self.register_buffer("num_batches_tracked", tensor(0, dtype=_dtype.int64, device=device) if tracked else None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Reset the running mean to 0, the running variance to 1 and the count of batches to 0, if they are tracked."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Set weight to 1 and bias to 0, and reset the running statistics."""
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)

    def _check_input_dim(self, input: Tensor) -> None:
        raise NotImplementedError

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(self, state_dict: Any, prefix: str, local_metadata: Any, *args: Any) -> None:
        version = local_metadata.get("version", None)
        if (version is None or version < 2) and self.track_running_stats:
            # State dicts saved before version 2 have no `num_batches_tracked`.
            state_dict.setdefault(prefix + "num_batches_tracked", self.num_batches_tracked)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *args)


class _BatchNorm(_NormBase):
    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        factor = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:  # the plain average of all batches
                factor = 1.0 / float(self.num_batches_tracked)
        # Without running statistics, the statistics of the batch are used in evaluation too.
        own_statistics = self.training or (self.running_mean is None and self.running_var is None)
        tracked = not self.training or self.track_running_stats
        return F.batch_norm(
            input,
            self.running_mean if tracked else None,
            self.running_var if tracked else None,
            self.weight,
            self.bias,
            own_statistics,
            factor,
            self.eps,
        )


class BatchNorm1d(_BatchNorm):
    """Normalize each channel of (n, c) or (n, c, l) over the batch and the length.

    Evaluation uses the running mean and variance instead, unless `track_running_stats` is False.

    Raises:
        ValueError: the input does not have two or three dimensions or, in training, has only one value per channel.
    """

    def _check_input_dim(self, input: Tensor) -> None:
        check_dimensions(input, 2, 3)


class BatchNorm2d(_BatchNorm):
    """Normalize each channel of (n, c, h, w) over the batch and the image.

    Evaluation uses the running mean and variance instead, unless `track_running_stats` is False.

    Raises:
        ValueError: the input does not have four dimensions or, in training, has only one value per channel.
    """

    def _check_input_dim(self, input: Tensor) -> None:
        check_dimensions(input, 4)


class BatchNorm3d(_BatchNorm):
    """Normalize each channel of (n, c, d, h, w) over the batch and the volume.

    Evaluation uses the running mean and variance instead, unless `track_running_stats` is False.

    Raises:
        ValueError: the input does not have five dimensions or, in training, has only one value per channel.
    """

    def _check_input_dim(self, input: Tensor) -> None:
        check_dimensions(input, 5)


class _LazyBatchNorm(LazyModuleMixin, _BatchNorm):
    def __init__(
        self, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True, track_running_stats: bool = True,
        device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        # The parent creates no parameters and statistics, because the lines below would replace them.
        super().__init__(0, eps, momentum, False, False, device, dtype, bias=False)
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = UninitializedParameter(device=device, dtype=dtype)
            if bias:
                self.bias = UninitializedParameter(device=device, dtype=dtype)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(device=device, dtype=dtype)
            self.running_var = UninitializedBuffer(device=device, dtype=dtype)
            self.num_batches_tracked = tensor(0, dtype=_dtype.int64, device=device)

    def reset_parameters(self) -> None:
        """Set weight to 1 and bias to 0, and reset the running statistics, unless their shapes are still unknown."""
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:  # type: ignore[override]
        """Set `num_features` to the number of channels of `input`, and initialize parameters and statistics of that size.

        Do nothing if the layer has no parameter or statistic without a shape.
        """
        if self.has_uninitialized_params():
            self.num_features = input.shape[1]
            for value in (self.weight, self.bias, self.running_mean, self.running_var):
                if value is not None:
                    value.materialize((self.num_features,))
            self.reset_parameters()


class LazyBatchNorm1d(_LazyBatchNorm, BatchNorm1d):
    """A BatchNorm1d that takes `num_features` from its first input."""

    cls_to_become = BatchNorm1d


class LazyBatchNorm2d(_LazyBatchNorm, BatchNorm2d):
    """A BatchNorm2d that takes `num_features` from its first input."""

    cls_to_become = BatchNorm2d


class LazyBatchNorm3d(_LazyBatchNorm, BatchNorm3d):
    """A BatchNorm3d that takes `num_features` from its first input."""

    cls_to_become = BatchNorm3d

"""Batch and instance normalisation that take `num_features` from their first input."""

from __future__ import annotations

from typing import Any

from reference_impl import _dtype
from reference_impl._tensor import Tensor
from reference_impl.nn.modules.batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d, _NormBase
from reference_impl.nn.modules.instancenorm import InstanceNorm1d, InstanceNorm2d, InstanceNorm3d
from reference_impl.nn.modules.lazy import LazyModuleMixin, waiting
from reference_impl.ops.creation import tensor


class _LazyNormBase(LazyModuleMixin, _NormBase):
    def __init__(
        self, eps: float = 1e-5, momentum: float = 0.1, affine: bool = True, track_running_stats: bool = True,
        device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(0, eps, momentum, False, False, device, dtype, bias=False)
        self.affine = affine
        self.track_running_stats = track_running_stats
        names = (("weight", "bias") if bias else ("weight",)) if affine else ()
        statistics = ("running_mean", "running_var") if track_running_stats else ()
        waiting(self, device, dtype, names, statistics)
        if track_running_stats:
            self.num_batches_tracked = tensor(0, dtype=_dtype.int64, device=device)

    def initialize_parameters(self, input: Tensor) -> None:
        """num_features is the size of the input's second dimension."""
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        for t in (self.weight, self.bias, self.running_mean, self.running_var):
            if t is not None:
                t.materialize((self.num_features,))
        self.reset_parameters()


class LazyBatchNorm1d(_LazyNormBase, BatchNorm1d):
    """A BatchNorm1d that takes num_features from its first input."""

    cls_to_become = BatchNorm1d


class LazyBatchNorm2d(_LazyNormBase, BatchNorm2d):
    """A BatchNorm2d that takes num_features from its first input."""

    cls_to_become = BatchNorm2d


class LazyBatchNorm3d(_LazyNormBase, BatchNorm3d):
    """A BatchNorm3d that takes num_features from its first input."""

    cls_to_become = BatchNorm3d


class LazyInstanceNorm1d(_LazyNormBase, InstanceNorm1d):
    """An InstanceNorm1d that takes num_features from its first input."""

    cls_to_become = InstanceNorm1d


class LazyInstanceNorm2d(_LazyNormBase, InstanceNorm2d):
    """An InstanceNorm2d that takes num_features from its first input."""

    cls_to_become = InstanceNorm2d


class LazyInstanceNorm3d(_LazyNormBase, InstanceNorm3d):
    """An InstanceNorm3d that takes num_features from its first input."""

    cls_to_become = InstanceNorm3d


for _batch in (LazyBatchNorm1d, LazyBatchNorm2d, LazyBatchNorm3d):
    _batch.__module__ = "torch.nn.modules.batchnorm"
for _instance in (LazyInstanceNorm1d, LazyInstanceNorm2d, LazyInstanceNorm3d):
    _instance.__module__ = "torch.nn.modules.instancenorm"

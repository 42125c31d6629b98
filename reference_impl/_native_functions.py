"""Functions that `torch` has under a name of `torch.nn.functional`, with arguments in another order or under other names.

torch/nn/functional.py calls these; here it is the other way round, and each only puts the arguments in order. See
aten/src/ATen/native/native_functions.yaml.
"""

from __future__ import annotations

from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.nn import functional
from reference_impl.ops.dropout import _dropout as unchecked_dropout
from reference_impl.ops.registry import builtin


def _dropout_functions(name: str, feature: bool, alpha: bool) -> None:
    """Define `torch.<name>` and `torch.<name>_`: see `functional.<name>`."""

    def dropout(input: Tensor, p: float, train: bool) -> Tensor:
        return _drop(input, p, train, inplace=False)

    def dropout_(input: Tensor, p: float, train: bool) -> Tensor:
        return _drop(input, p, train, inplace=True)

    def _drop(input: Tensor, p: float, train: bool, inplace: bool) -> Tensor:
        if p < 0 or p > 1:
            raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p:g}")
        if feature and train and 0 < p < 1 and input._array.ndim < 2 and input._array.size:
            raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
        return unchecked_dropout(input, p, train, inplace, feature, alpha)

    for function, public in ((dropout, name), (dropout_, name + "_")):
        function.__name__ = function.__qualname__ = public
        function.__doc__ = f"`functional.{name}` with arguments in torch's order" + (
            ", in place." if public[-1] == "_" else "."
        )
        globals()[public] = builtin(function)


_dropout_functions("dropout", feature=False, alpha=False)
_dropout_functions("feature_dropout", feature=True, alpha=False)
_dropout_functions("alpha_dropout", feature=False, alpha=True)
_dropout_functions("feature_alpha_dropout", feature=True, alpha=True)


@builtin
def embedding(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Tensor:
    """See `functional.embedding`; here -1 says that there is no padding."""
    padding = None if padding_idx < 0 else padding_idx
    return functional.embedding(indices, weight, padding, scale_grad_by_freq=scale_grad_by_freq, sparse=sparse)


@builtin
def batch_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None,
    training: bool, momentum: float, eps: float, cudnn_enabled: bool,
) -> Tensor:  # fmt: skip
    """See `functional.batch_norm`."""
    return functional.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


@builtin
def instance_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None,
    use_input_stats: bool, momentum: float, eps: float, cudnn_enabled: bool,
) -> Tensor:  # fmt: skip
    """See `functional.instance_norm`."""
    return functional.instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


@builtin
def layer_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> Tensor:  # fmt: skip
    """See `functional.layer_norm`."""
    return functional.layer_norm(input, normalized_shape, weight, bias, eps)


@builtin
def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> Tensor:  # fmt: skip
    """See `functional.group_norm`."""
    return functional.group_norm(input, num_groups, weight, bias, eps)


@builtin
def max_pool1d(
    input: Tensor, kernel_size: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> Tensor:
    """See `functional.max_pool1d`; an empty `stride` is that of the kernel."""
    return functional.max_pool1d(input, kernel_size, stride or None, padding, dilation, ceil_mode)


@builtin
def max_pool1d_with_indices(
    input: Tensor, kernel_size: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> tuple[Tensor, Tensor]:
    """As `max_pool1d`, and the position of each maximum."""
    return functional.max_pool1d(input, kernel_size, stride or None, padding, dilation, ceil_mode, True)


@builtin
def max_pool2d(
    input: Tensor, kernel_size: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> Tensor:
    """See `functional.max_pool2d`; an empty `stride` is that of the kernel."""
    return functional.max_pool2d(input, kernel_size, stride or None, padding, dilation, ceil_mode)


@builtin
def max_pool3d(
    input: Tensor, kernel_size: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> Tensor:
    """See `functional.max_pool3d`; an empty `stride` is that of the kernel."""
    return functional.max_pool3d(input, kernel_size, stride or None, padding, dilation, ceil_mode)


@builtin
def adaptive_max_pool1d(input: Tensor, output_size: Any) -> tuple[Tensor, Tensor]:
    """See `functional.adaptive_max_pool1d`: the maxima and the position of each."""
    return functional.adaptive_max_pool1d(input, output_size, True)


@builtin
def celu(input: Tensor, alpha: float = 1.0) -> Tensor:
    """See `functional.celu`."""
    return functional.celu(input, alpha)


@builtin
def selu(input: Tensor) -> Tensor:
    """See `functional.selu`."""
    return functional.selu(input)


@builtin
def rrelu(input: Tensor, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False) -> Tensor:
    """See `functional.rrelu`."""
    return functional.rrelu(input, lower, upper, training)


@builtin
def threshold(input: Tensor, threshold: float, value: float) -> Tensor:
    """See `functional.threshold`."""
    return functional.threshold(input, threshold, value)

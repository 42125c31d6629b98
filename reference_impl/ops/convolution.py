"""Convolution and transposed convolution in one, two and three dimensions.

A convolution of the input x and the weight w, and its gradients for the gradient gy of its output, are three functions:

    forward           y  = conv(x, w)
    input gradient    gx = transposed conv(gy, w)
    weight gradient   gw = correlation of x and gy

Each function is linear in each of its two operands, and its derivatives are the other two functions. So derivatives of any order
consist of calls of `convolution_of` and `convolution_backward`. See torch/csrc/autograd/FunctionsManual.cpp and
aten/src/ATen/native/Convolution.cpp, `_convolution_double_backward`.

The arithmetic on arrays is in `convolution_kernels`.
"""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

from reference_impl import _dtype, _settings
from reference_impl.autograd.output_mask import output_mask
from reference_impl.core.node import Node
from reference_impl.core.record import needs_grad, record, record_many
from reference_impl.core.tensor import Tensor
from reference_impl.ops import convolution_kernels as kernels
from reference_impl.ops.kernel_positions import Numbers, as_batch, numbers, shape_text
from reference_impl.ops.padding import constant_pad_nd
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import builtin


class Geometry(NamedTuple):
    """The arguments of a convolution besides input, weight and bias."""

    stride: Numbers
    padding: Numbers
    dilation: Numbers
    transposed: bool
    output_padding: Numbers
    groups: int


class ConvolutionBackward0(Node):
    """out = conv(input, weight) + bias:  ∂input = conv_transpose(g, weight),  ∂weight = correlation of input and g,  ∂bias = Σ g."""

    saved_names = ("input", "weight")
    _geometry: Geometry
    stride: Numbers
    padding: Numbers
    dilation: Numbers
    transposed: bool
    output_padding: Numbers
    groups: int

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradients of input, weight and bias. A gradient that is not needed is None; without a gradient of the output, all are None."""
        (g,) = grads
        if g is None:
            self.check_saved()
            return (None, None, None)
        return convolution_backward(g, self._saved_input, self._saved_weight, self._geometry, output_mask(self))

    def __getattr__(self, name: str) -> Any:
        # torch shows these arguments as `_saved_stride` and so on.
        if name in Geometry._fields:
            return getattr(self._geometry, name)
        return object.__getattribute__(self, name)


class ConvolutionBackwardBackward0(Node):
    """(gi, gw, gb) = the gradients of input, weight and bias of conv. With the gradients ggi, ggw and ggb of gi, gw and gb:

    ∂grad_output = conv(ggi, weight) + conv(input, ggw) + ggb
    ∂input = input gradient of (grad_output, ggw)
    ∂weight = weight gradient of (ggi, grad_output)
    """

    saved_names = ("grad_output", "input", "weight")
    _geometry: Geometry

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradients of grad_output, input and weight, None for those that are not needed or to which none of `grads` leads."""
        ggi, ggw, ggb = grads
        needs_output, needs_input, needs_weight = output_mask(self)
        g, x, w, geometry = self._saved_grad_output, self._saved_input, self._saved_weight, self._geometry
        to_output: Tensor | None = None
        if needs_output:
            if ggi is not None:
                to_output = convolution_of(ggi, w, None, geometry)
            if ggw is not None:
                through_weight = convolution_of(x, ggw, None, geometry)
                to_output = through_weight if to_output is None else to_output + through_weight
            if ggb is not None:
                spread = ggb.view(-1, *(1,) * (g._array.ndim - 2)).expand(g._array.shape)
                to_output = spread if to_output is None else to_output + spread
        to_input = to_weight = None
        if ggw is not None and needs_input:
            to_input = convolution_backward(g, x, ggw, geometry, (True, False, False))[0]
        if ggi is not None and needs_weight:
            to_weight = convolution_backward(g, ggi, w, geometry, (False, True, False))[1]
        return to_output, to_input, to_weight


def convolution_of(input: Tensor, weight: Tensor, bias: Tensor | None, geometry: Geometry) -> Tensor:
    """Convolve a batch, and record the operation. If `geometry.transposed` is set, apply the transposed convolution.

    Arguments are not checked.
    """
    x, w = input._array, weight._array
    b = None if bias is None else bias._array
    out = kernels.forward_transposed(x, w, b, geometry) if geometry.transposed else kernels.forward(x, w, b, geometry)
    if not needs_grad(input, weight, bias):
        return Tensor._wrap(out)
    return record(ConvolutionBackward0, out, (input, weight, bias), (input, weight), _geometry=geometry)


def convolution_backward(
    grad: Tensor, input: Tensor, weight: Tensor, geometry: Geometry, mask: tuple[bool, ...]
) -> tuple[Tensor | None, ...]:
    """Return the gradients of input, weight and bias of `convolution_of`, None where `mask` is False."""
    g, x, w = grad._array, input._array, weight._array
    to_input, to_weight = kernels.gradients(g, x, w, geometry, mask[0], mask[1])
    to_bias = kernels.bias_gradient(g) if mask[2] else None
    arrays, operands = (to_input, to_weight, to_bias), (grad, input, weight)
    if not needs_grad(*operands):
        return tuple([None if a is None else Tensor._wrap(a) for a in arrays])
    return record_many(ConvolutionBackwardBackward0, arrays, operands, operands, _geometry=geometry)


# -- the public functions


def _check_operands(
    name: str, input: Tensor, weight: Tensor, bias: Tensor | None, geometry: Geometry, spatial: int
) -> None:
    """Check the operands and the geometry, in the order in which torch checks them.

    Args:
        name: the function, for errors.
        spatial: number of spatial dimensions.

    Raises:
        RuntimeError: a shape, a dtype or an argument in `geometry` is invalid.
    """
    x, w = input._array, weight._array
    n = spatial
    if x.ndim not in (n + 1, n + 2):
        raise RuntimeError(
            f"Expected {n + 1}D (unbatched) or {n + 2}D (batched) input to {name}, but got input of size: {list(x.shape)}"
        )
    if bias is not None and bias._array.dtype != x.dtype:
        raise RuntimeError(f"Input type ({input.dtype.c_name}) and bias type ({bias.dtype.c_name}) should be the same")
    if w.ndim < 3:
        raise RuntimeError("weight should have at least three dimensions")
    if w.ndim != n + 2 and n != 1:
        raise RuntimeError(
            f"expected stride to be a single integer value or a list of {w.ndim - 2} values to match the convolution "
            f"dimensions, but got stride={list(geometry.stride)}"
        )
    if any(p < 0 for p in geometry.padding):
        raise RuntimeError("negative padding is not supported")
    if any(p < 0 for p in geometry.output_padding):
        raise RuntimeError("negative output_padding is not supported")
    if any(s <= 0 for s in geometry.stride):
        raise RuntimeError("non-positive stride is not supported")
    if geometry.groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    batch = x.shape if x.ndim == n + 2 else (1, *x.shape)
    if w.ndim != n + 2:
        _refuse_dimensions(batch, w)
    if any(d < 0 for d in geometry.dilation):
        raise RuntimeError("dilation should be greater than zero")
    _check_channels(batch, w.shape, bias, geometry, n)
    if 0 in geometry.dilation:
        raise RuntimeError("non-positive dilation is not supported")
    if x.dtype != w.dtype:
        input_type, weight_type = (_dtype.from_numpy(a.dtype).tensor_type for a in (x, w))
        raise RuntimeError(
            f"Input type (torch.{input_type}Tensor) and weight type (torch.{weight_type}Tensor) should be the same or input should be a "
            "MKLDNN tensor and weight is a dense tensor"
        )
    if geometry.transposed:
        _check_transposed_size(batch[2:], w.shape[2:], geometry)
        if x.dtype.kind != "f" and x.dtype.itemsize < 8:
            refuse_dtype(f"slow_conv_transpose{max(n, 2)}d_out_cpu", x.dtype)
    elif x.dtype.kind == "b":
        refuse_dtype("compute_columns3d" if n == 3 else "slow_conv2d_cpu", x.dtype)


def _check_transposed_size(sizes: Numbers, kernel: Numbers, geometry: Geometry) -> None:
    """Raise RuntimeError if the output padding is too large, or if the output of a transposed convolution has no elements."""
    stride, dilation, extra = geometry.stride, geometry.dilation, geometry.output_padding
    if any(e >= s and e >= d for e, s, d in zip(extra, stride, dilation, strict=True)):
        # torch computes a convolution over one dimension as one over two, with height 1.
        values = [("output_padding", 0, extra), ("stride", 1, stride), ("dilation", 1, dilation)]
        axes = ("height", "width") if len(sizes) < 3 else ("depth", "height", "width")
        text = " ".join(
            [
                f"{name}_{axis}: {v}"
                for name, one, row in values
                for axis, v in zip(axes, (one, *row)[-len(axes) :], strict=True)
            ]
        )
        raise RuntimeError(f"output padding must be smaller than either stride or dilation, but got {text}")
    out = kernels.transposed_sizes(sizes, kernel, geometry)
    if any(n < 1 for n in out):
        raise RuntimeError(
            f"Given input size per channel: {shape_text(sizes)}. Calculated output size per channel: {shape_text(out)}. Output size is "
            "too small"
        )


def _refuse_dimensions(batch: Numbers, w: Any, space: str = " ") -> NoReturn:
    raise RuntimeError(
        f"Expected {w.ndim}-dimensional input for {w.ndim}-dimensional weight{space}{list(w.shape)}, but got {len(batch)}-dimensional "
        f"input of size {list(batch)} instead"
    )


def _check_channels(x: Any, w: Any, bias: Tensor | None, geometry: Geometry, n: int) -> None:
    groups = geometry.groups
    if w[0] < groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size {list(w)} "
            "instead"
        )
    if w[0] % groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of size "
            f"[{list(w)}] instead"
        )
    if geometry.transposed:
        if x[1] != w[0]:
            raise RuntimeError(
                f"Given transposed=1, weight of size {list(w)}, expected input{list(x)} to have {w[0]} channels, but got "
                f"{x[1]} channels instead"
            )
        if bias is not None and list(bias.shape) != [w[1] * groups]:
            raise RuntimeError(
                f"Given transposed=1, weight of size {list(w)}, expected bias to be 1-dimensional with {w[1] * groups} "
                f"elements, but got bias of size {list(bias.shape)} instead"
            )
        return
    if x[1] != w[1] * groups:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {list(w)}, expected input{list(x)} to have {w[1] * groups} channels, but "
            f"got {x[1]} channels instead"
        )
    if bias is not None and list(bias.shape) != [w[0]]:
        raise RuntimeError(
            f"Given weight of size {list(w)}, expected bias to be 1-dimensional with {w[0]} elements, but got bias of size "
            f"{list(bias.shape)} instead"
        )
    padded = [size + 2 * p for size, p in zip(x[2:], geometry.padding, strict=True)]
    reach = [d * (k - 1) + 1 for d, k in zip(geometry.dilation, w[2:], strict=True)]
    if any(p < r for p, r in zip(padded, reach, strict=True)):
        raise RuntimeError(
            f"Calculated padded input size per channel: {shape_text(padded)}. Kernel size: {shape_text(reach)}. Kernel size "
            "can't be greater than actual input size"
        )


def per_dimension(value: Any, n: int, name: str) -> Numbers:
    """Return `value` as `n` numbers, one per dimension.

    Raises:
        RuntimeError: `value` is a list whose length is neither 1 nor `n`. The text is that of torch's convolutions.
    """
    return numbers(value, n, _ANOTHER_COUNT, name=name)


_ANOTHER_COUNT = "expected {name} to be a single integer value or a list of {n} values to match the convolution dimensions, but got {name}={values}"


def _conv(
    name: str,
    spatial: int,
    input: Tensor,
    weight: Tensor,
    bias: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
) -> Tensor:
    s, d = per_dimension(stride, spatial, "stride"), per_dimension(dilation, spatial, "dilation")
    if isinstance(padding, str):
        return _conv_with_named_padding(name, spatial, input, weight, bias, s, padding, d, groups)
    geometry = Geometry(s, per_dimension(padding, spatial, "padding"), d, False, (0,) * spatial, groups)
    _check_operands(name, input, weight, bias, geometry, spatial)
    return as_batch(input, spatial, lambda x: convolution_of(x, weight, bias, geometry))


def _conv_with_named_padding(
    name: str,
    spatial: int,
    input: Tensor,
    weight: Tensor,
    bias: Any,
    stride: Any,
    padding: str,
    dilation: Any,
    groups: int,
) -> Tensor:
    """Convolve with the padding "valid", which is none, or "same", which makes the output as large as the input.

    If "same" needs an odd number of elements, the end gets one more than the start.

    Raises:
        RuntimeError: `padding` is another string, or is "same" and the stride is not 1.
    """
    if padding == "valid":
        return _conv(name, spatial, input, weight, bias, stride, 0, dilation, groups)
    if padding != "same":
        raise RuntimeError(f"Invalid padding string: '{padding}'")
    if any(s != 1 for s in stride):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    if weight._array.ndim == spatial + 2:
        totals = [d * (k - 1) for d, k in zip(dilation, weight._array.shape[2:], strict=True)]
    elif input._array.ndim == spatial + 2 and weight._array.ndim >= 3:
        _refuse_dimensions(input._array.shape, weight._array, "")
    else:
        totals = [0] * spatial  # `_conv` raises an error for these operands
    extra = [n for t in reversed(totals) for n in (0, t % 2)]
    if any(extra):
        _settings.warn_once(
            "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy of the input be created"
        )

    def pad_and_convolve(x: Tensor) -> Tensor:
        x = constant_pad_nd(x, extra, 0) if any(extra) else x
        return _conv(name, spatial, x, weight, bias, stride, [t // 2 for t in totals], dilation, groups)

    return as_batch(input, spatial, pad_and_convolve) if input._array.ndim == spatial + 1 else pad_and_convolve(input)


@builtin
def conv1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    groups: int = 1,
) -> Tensor:  # fmt: skip
    """Convolve over one dimension: (n, c, w) and (k, c / groups, kw) -> (n, k, w'). The arguments are those of `conv2d`."""
    return _conv("conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


@builtin
def conv2d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    groups: int = 1,
) -> Tensor:  # fmt: skip
    """Convolve (cross-correlate) over two dimensions: (n, c, h, w) and (k, c / groups, kh, kw) -> (n, k, h', w').

        out[n, k, y, x] = bias[k] + Σ_{c, i, j} weight[k, c, i, j] · input[n, c, y · stride - padding + i · dilation, ...]

    This is the formula for one group; elements outside the input are 0. The batch dimension n may be missing.

    Args:
        bias: vector (k), or None for 0.
        stride, dilation: numbers, or pairs (height, width).
        padding: a number, a pair, "valid" (none) or "same" (the output is as large as the input; only for stride 1).
        groups: number of groups into which the channels of input and output are divided; each is convolved separately.

    Raises:
        RuntimeError: sizes or dtypes don't fit, or another argument has an invalid value.
        TypeError: an element of stride, padding or dilation is not an integer.
    """
    return _conv("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


@builtin
def conv3d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    groups: int = 1,
) -> Tensor:  # fmt: skip
    """Convolve over three dimensions: (n, c, d, h, w) and (k, c / groups, kd, kh, kw) -> (n, k, d', h', w'). See `conv2d`."""
    return _conv("conv3d", 3, input, weight, bias, stride, padding, dilation, groups)


def _conv_transpose(
    spatial: int, input: Tensor, weight: Tensor, bias: Any, stride: Any, padding: Any, output_padding: Any, groups: int,
    dilation: Any,
) -> Tensor:  # fmt: skip
    geometry = Geometry(
        per_dimension(stride, spatial, "stride"),
        per_dimension(padding, spatial, "padding"),
        per_dimension(dilation, spatial, "dilation"),
        True,
        per_dimension(output_padding, spatial, "output_padding"),
        groups,
    )
    _check_operands(f"conv_transpose{spatial}d", input, weight, bias, geometry, spatial)
    return as_batch(input, spatial, lambda x: convolution_of(x, weight, bias, geometry))


@builtin
def conv_transpose1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: int = 1, dilation: Any = 1,
) -> Tensor:  # fmt: skip
    """Apply the transposed convolution: the gradient of `conv1d` with respect to its input. See `conv_transpose2d`."""
    return _conv_transpose(1, input, weight, bias, stride, padding, output_padding, groups, dilation)


@builtin
def conv_transpose2d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: int = 1, dilation: Any = 1,
) -> Tensor:  # fmt: skip
    """Apply the transposed convolution: the gradient of `conv2d` with respect to its input.

    (n, k, h, w) and (k, c / groups, kh, kw) -> (n, c, h', w'). The batch dimension n may be missing.

    h' = (h - 1) · stride - 2 padding + dilation · (kh - 1) + output_padding + 1.

    Args:
        bias, stride, dilation, groups: see `conv2d`; the bias is a vector (c).
        padding: a number or a pair.
        output_padding: added to h' and w'. It selects one of the input sizes for which `conv2d` has the output size (h, w).

    Raises:
        RuntimeError: sizes or dtypes don't fit, or another argument has an invalid value. `output_padding` must be smaller than the stride
            or the dilation.
        TypeError: an element of stride, padding or dilation is not an integer.
    """
    return _conv_transpose(2, input, weight, bias, stride, padding, output_padding, groups, dilation)


@builtin
def conv_transpose3d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: int = 1, dilation: Any = 1,
) -> Tensor:  # fmt: skip
    """Apply the transposed convolution: the gradient of `conv3d` with respect to its input. See `conv_transpose2d`."""
    return _conv_transpose(3, input, weight, bias, stride, padding, output_padding, groups, dilation)

"""Create tensors of random numbers, or fill existing tensors. For the same seed the numbers are torch's: see `reference_impl.random`.

The generator is torch's CPU generator, by default the global one, and the samplers fill NumPy arrays. For a tensor on another device, the
numbers are copied there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._layout import preserve_format
from reference_impl.arguments import parser
from reference_impl.arguments.kinds import as_number
from reference_impl.core.declare import check_broadcast
from reference_impl.core.node import Node
from reference_impl.core.record import needs_grad, record
from reference_impl.core.tensor import Tensor
from reference_impl.core.views import check_inplace
from reference_impl.numerics.memory_order import empty_as
from reference_impl.ops.arithmetic import zeros_like
from reference_impl.ops.creation import ABSENT, finish, numpy_dtype, size_of
from reference_impl.ops.direct_writes import change
from reference_impl.ops.out_argument import write_out
from reference_impl.ops.overlap import check_memory
from reference_impl.ops.registry import op
from reference_impl.rng import distributions, permutation
from reference_impl.rng.distribution_checks import check_floating


@op("function", "out_dtype")
def rand(
    *size: Any,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    generator: Any = None,
    **options: Any,
) -> Tensor:
    """Return random numbers from the uniform distribution on [0, 1), in the shape `size`, by default in the default dtype.

    For errors see `size_of`. A dtype that is not floating point raises NotImplementedError.
    """
    return finish(
        distributions.sample_rand(size_of("rand", size, options), numpy_dtype(dtype), generator), device, requires_grad
    )


@op("function", "out_dtype")
def randn(
    *size: Any,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    generator: Any = None,
    **options: Any,
) -> Tensor:
    """Return random numbers from the normal distribution with mean 0 and standard deviation 1, in the shape `size`.

    Dtype and errors are as in `rand`.
    """
    return finish(
        distributions.sample_randn(size_of("randn", size, options), numpy_dtype(dtype), generator),
        device,
        requires_grad,
    )


@op("function", "out_dtype")
def randint(low: int, high: Any = None, size: Any = None, *, dtype: Any = None, device: Any = None, requires_grad: bool = False,
            generator: Any = None, **options: Any) -> Tensor:  # fmt: skip
    """Return random integers from `low` to `high` - 1, in the shape `size`. In `randint(high, size)`, `low` is 0.

    Without `dtype`, they are int64.

    Raises:
        RuntimeError: `low` is not less than `high`, or the dtype cannot hold a bound.
        TypeError: `size` is not a list or tuple.
    """
    if size is None:
        low, high, size = 0, low, high
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"randint(): argument 'size' must be tuple of ints, not {type(size).__name__}")
    if low is None or high is None:
        low, high = 0, high if low is None else low
    kind = np.dtype(np.int64) if dtype is None else dtype.numpy
    array = distributions.sample_randint(
        _bound(low), _bound(high), size_of("randint", (size,), options), kind, generator
    )
    return finish(array, device, requires_grad)


@op("function", "out_dtype")
def randperm(
    n: int, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, generator: Any = None, **_: Any
) -> Tensor:
    """Return the numbers 0 to n - 1 in random order. Without `dtype`, they are int64.

    Raises:
        RuntimeError: `n` is negative, or too large for the dtype.
        NotImplementedError: the dtype is bool, or `n` is above 214,748,363, where torch uses another algorithm.
    """
    kind = np.dtype(np.int64) if dtype is None else dtype.numpy
    return finish(permutation.sample_randperm(int(n), kind, generator), device, requires_grad)


def _bound(value: Any) -> int:
    """Return a bound of random integers: an integer, or the number of a 0-d tensor of integers.

    Raises:
        TypeError: `value` is of another class. `arguments.parser` replaces this message by torch's.
        ValueError: the bound is outside the range of int64.
    """
    number = as_number(value)
    if not isinstance(number, int) or isinstance(number, bool):
        raise TypeError(f"bound must be an integer, got {type(value).__name__}")
    if not -(2**63) <= number < 2**63:
        raise ValueError("Overflow when unpacking long long")
    return number


def _like(input: Tensor, dtype: Any) -> np.ndarray:
    """Return an uninitialized NumPy array in the shape and memory order of `input`; if `dtype` is None, also in its dtype."""
    return empty_as(_backend.to_numpy(input._array), preserve_format, None if dtype is None else dtype.numpy)


def _random_like_input(
    sampler: Any, input: Tensor, dtype: Any, device: Any, requires_grad: bool, generator: Any
) -> Tensor:
    return finish(sampler(_like(input, dtype), 0.0, 1.0, generator), device or input.device, requires_grad)


@op("function")
def rand_like(
    input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, generator: Any = None, **_: Any
) -> Tensor:  # fmt: skip
    """Return uniform random numbers, as `rand` does, in the shape of `input` and by default its dtype and device."""
    return _random_like_input(distributions.uniform_, input, dtype, device, requires_grad, generator)


@op("function")
def randn_like(
    input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, generator: Any = None, **_: Any
) -> Tensor:  # fmt: skip
    """Return normal random numbers, as `randn` does, in the shape of `input` and by default its dtype and device."""
    return _random_like_input(distributions.normal_, input, dtype, device, requires_grad, generator)


@op("function")
def randint_like(input: Tensor, low: int, high: int | None = None, *, dtype: Any = None, device: Any = None,
                 requires_grad: bool = False, generator: Any = None, **_: Any) -> Tensor:  # fmt: skip
    """Return random integers, as `randint` does, in the shape of `input` and by default its dtype and device."""
    low, high = (0, low) if high is None else (low, high)
    drawn = distributions.random_(_like(input, dtype), _bound(low), _bound(high), generator)
    return finish(drawn, device or input.device, requires_grad)


@op("function", "out")
def normal(
    mean: Any = ABSENT, std: Any = ABSENT, size: Any = None, *, dtype: Any = None, device: Any = None, requires_grad: bool = False,
           generator: Any = None, **options: Any) -> Tensor:  # fmt: skip
    """Return random numbers from normal distributions.

    Args:
        mean, std: mean and standard deviation: a number, or a tensor with a value for each element. `std` is 1 by default if `mean` is
            a tensor. Tensors are broadcast.
        size: the shape of the result, if `mean` and `std` are numbers or 0-d tensors.
        dtype: the dtype of the result, if there is a `size`. Otherwise it has no effect, and the dtype is that of the first tensor.

    Raises:
        RuntimeError: a standard deviation is negative, or the shapes of the tensors don't broadcast.
        TypeError: `mean` is missing; `std` or `size` is missing although it is needed; or `size` is passed with a larger tensor.
        NotImplementedError: the dtype is not floating point.
    """
    if mean is ABSENT:
        raise TypeError("normal(): missing argument 'mean'")
    if std is ABSENT:
        if not isinstance(mean, Tensor):
            raise TypeError("normal(): missing argument 'std'")
        std = 1.0
    if size is not None:
        mean, std = as_number(mean), as_number(std)
        if isinstance(mean, Tensor) or isinstance(std, Tensor):
            raise TypeError(parser.rejection("normal", False, (mean, std, size), {}))
    arrays = [_backend.to_numpy(v._array) if isinstance(v, Tensor) else float(v) for v in (mean, std)]
    tensors = [a for a in arrays if not isinstance(a, float)]
    if tensors:
        for a in tensors[1:]:
            check_broadcast(tensors[0].shape, a.shape)
        shape, kind = np.broadcast_shapes(*[a.shape for a in tensors]), tensors[0].dtype
    elif size is None:
        raise TypeError("normal(): missing argument 'size'")
    else:
        shape, kind = size_of("normal", (size,), options), numpy_dtype(dtype)
    check_floating(kind, "normal_kernel_cpu")
    devices = [v.device for v in (mean, std) if isinstance(v, Tensor)]
    numbers = distributions.sample_normal(arrays[0], arrays[1], shape, kind, generator)
    drawn = finish(numbers, devices[0] if devices and device is None else device, requires_grad)
    if isinstance(mean, Tensor) and isinstance(std, Tensor):
        return record(NormalBackward3, drawn._array, (mean, std))
    if isinstance(mean, Tensor) or isinstance(std, Tensor):
        node = NormalBackward1 if isinstance(mean, Tensor) else NormalBackward2
        return record(node, drawn._array, (mean if isinstance(mean, Tensor) else std,))
    return drawn


class NormalBackward1(Node):
    """Random numbers with a mean for each element. The gradient of the mean is 0."""

    def grad_mean(self, g: Tensor) -> Tensor:
        """Return zeros: the gradient of the mean."""
        return zeros_like(g)


class NormalBackward2(Node):
    """Random numbers with a standard deviation for each element. The gradient of the standard deviation is 0."""

    def grad_std(self, g: Tensor) -> Tensor:
        """Return zeros: the gradient of the standard deviation."""
        return zeros_like(g)


class NormalBackward3(Node):
    """Random numbers with a mean and a standard deviation for each element. Both gradients are 0."""

    def grad_mean(self, g: Tensor) -> Tensor:
        """Return zeros: the gradient of the mean."""
        return zeros_like(g)

    def grad_std(self, g: Tensor) -> Tensor:
        """Return zeros: the gradient of the standard deviation."""
        return zeros_like(g)


class BernoulliBackward0(Node):
    """Random zeros and ones. The gradient of the probabilities is 0."""

    def grad_self(self, g: Tensor) -> Tensor:
        """Return zeros: the gradient of the probabilities."""
        return zeros_like(g)


@op("function", "method", "out")
def bernoulli(input: Tensor, p: float | None = None, *, generator: Any = None) -> Tensor:
    """Return random zeros and ones in the shape of `input`: 1 with probability `p`, or with the probability in `input` if `p` is None.

    Raises:
        RuntimeError: a probability is not from 0 to 1.
        NotImplementedError: `p` is None, and `input` is not floating point.
    """
    x = input._array
    out = np.empty(x.shape, x.dtype)
    drawn = distributions.bernoulli_(out, _backend.to_numpy(x) if p is None else p, generator)
    return record(BernoulliBackward0, _backend.to_device_of(drawn, x), (input,))


@op("function", "method")
def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None, out: Tensor | None = None
) -> Tensor:
    """Return random indices of elements of `input`, with probabilities in proportion to these elements.

    The shapes are (n) -> (num_samples) and (m, n) -> (m, num_samples).

    Args:
        replacement: whether an index may be drawn more than once.

    Raises:
        RuntimeError: `input` is not a floating-point vector or matrix; a weight is negative, infinite or nan, or the weights of a row are
            all 0; `num_samples` is not positive or, without `replacement`, above n; n is above 2²⁴; or `out` is not int64.
    """
    x = input._array
    if x.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if x.dtype.kind != "f":
        kind = input.dtype.tensor_type
        raise RuntimeError(f"multinomial only supports floating-point dtypes for input, got: {kind}")
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > x.shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    if x.shape[-1] > 1 << 24:
        raise RuntimeError("number of categories cannot exceed 2^24")
    if out is not None and out._array.dtype != np.int64:
        raise RuntimeError(f"multinomial expects Long tensor out, got: {out.dtype.tensor_type}")
    drawn = distributions.sample_multinomial(_backend.to_numpy(x), num_samples, replacement, generator)
    result = Tensor._wrap(_backend.to_device_of(drawn, x))
    return result if out is None else write_out(result, out, "multinomial")


def _on_cpu(value: Any) -> Any:
    return _backend.to_numpy(value._array) if isinstance(value, Tensor) else value


def _random_fill(
    name: str, node_names: str, sampler: Callable[..., Any], doc: str, number_of: Callable[..., int] = lambda *_: 0
) -> None:
    """Define the method `Tensor.<name>`, which overwrites a tensor with random numbers. The gradient of the old values is 0.

    Args:
        node_names: class names of the nodes of torch's overloads, separated by spaces.
        sampler: function that fills a NumPy array: `sampler(array, *args, generator=generator)`.
        doc: docstring of the method.
        number_of: function of the method's arguments that returns which of `node_names` is recorded, 0 for the first.
    """
    node_classes = [type(n, (Node,), {"grad_self": lambda self, g: zeros_like(g)}) for n in node_names.split()]

    def fill(input: Tensor, *args: Any, generator: Any = None, **kwargs: Any) -> Tensor:
        shape = input._array.shape
        values = [_on_cpu(a.expand(shape) if isinstance(a, Tensor) and a.ndim else a) for a in args]
        named = {key: _on_cpu(value) for key, value in kwargs.items()}

        def write(x: Any) -> None:
            if isinstance(x, np.ndarray):
                sampler(x, *values, generator=generator, **named)
            else:
                x[...] = _backend.to_device(
                    sampler(np.empty_like(_backend.to_numpy(x)), *values, generator=generator, **named), "cuda"
                )

        check_inplace(input, needs_grad(input))
        check_memory(input)
        return change(input, write, node_classes[number_of(*args, *kwargs.values())])

    fill.__name__ = fill.__qualname__ = name
    fill.__doc__ = doc
    op("method")(fill)


def _rename_arguments(sampler: Callable[..., Any], **names: str) -> Callable[..., Any]:
    """Return the sampler with other names of arguments: `names` maps torch's names, such as `from`, to those of `sampler`."""

    def call(out: np.ndarray, *args: Any, generator: Any = None, **kwargs: Any) -> Any:
        return sampler(out, *args, generator=generator, **{names.get(k, k): v for k, v in kwargs.items()})

    return call


def _random(out: np.ndarray, *bounds: Any, generator: Any = None, **named: Any) -> Any:
    """Fill `out` with random integers. `bounds` are the arguments of `random_()`, `random_(to)` or `random_(from, to)`."""
    bounds = (*bounds, *[named[name] for name in ("from", "to") if name in named])
    if not bounds:
        return distributions.random_(out, generator=generator)
    low, high = (0, bounds[0]) if len(bounds) == 1 else bounds
    no_end = len(bounds) == 2 and high is None
    return distributions.random_(out, _bound(low), None if no_end else _bound(high), generator)


_random_fill("uniform_", "UniformBackward0", _rename_arguments(distributions.uniform_, **{"from": "low", "to": "high", "a": "low", "b": "high"}),
             "Overwrite the tensor with random numbers from the uniform distribution on [from, to), by default [0, 1).")  # fmt: skip
_random_fill(
    "normal_", "NormalBackward0", distributions.normal_,
    "Overwrite the tensor with random numbers from the normal distribution with `mean` (default 0) and `std` (default 1).",
)  # fmt: skip
_random_fill(
    "random_",
    "RandomBackward2 RandomBackward1 RandomBackward0",
    _random,
    "Overwrite the tensor with random integers from `from` to `to` - 1; without bounds, with integers that the dtype holds exactly.",
    lambda *bounds: len(bounds),
)
_random_fill(
    "bernoulli_",
    "BernoulliBackward2 BernoulliBackward1",
    distributions.bernoulli_,
    "Overwrite the tensor with random zeros and ones: 1 with probability `p`, by default 0.5.",
    lambda p=0.5: isinstance(p, Tensor),
)
_random_fill(
    "exponential_", "ExponentialBackward0", distributions.exponential_,
    "Overwrite the tensor with random numbers from the exponential distribution with the rate `lambd`, by default 1.",
)  # fmt: skip

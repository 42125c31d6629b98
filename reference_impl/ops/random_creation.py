"""Create tensors of random numbers, or fill existing ones. The numbers are torch's: see `reference_impl.random`.

The samplers work on NumPy arrays, as torch's CPU generator; for another device the numbers are drawn here and moved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._layout import preserve_format
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
    """Return uniform numbers in [0, 1), of shape `size`."""
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
    """Return normal numbers of mean 0 and standard deviation 1, of shape `size`."""
    return finish(
        distributions.sample_randn(size_of("randn", size, options), numpy_dtype(dtype), generator),
        device,
        requires_grad,
    )


@op("function", "out_dtype")
def randint(low: int, high: Any = None, size: Any = None, *, dtype: Any = None, device: Any = None, requires_grad: bool = False,
            generator: Any = None, **options: Any) -> Tensor:  # fmt: skip
    """Return integers in [low, high), of shape `size`; `randint(high, size)` begins at 0.

    Raises:
        RuntimeError: `low` is not less than `high`.
    """
    if size is None:
        low, high, size = 0, low, high
    if not isinstance(size, (tuple, list)):
        raise TypeError("randint(): size must be a tuple")
    if low is None or high is None:
        low, high = 0, high if low is None else low
    kind = np.dtype(np.int64) if dtype is None else dtype.numpy
    array = distributions.sample_randint(int(low), int(high), size_of("randint", (size,), options), kind, generator)
    return finish(array, device, requires_grad)


@op("function", "out_dtype")
def randperm(
    n: int, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, generator: Any = None, **_: Any
) -> Tensor:
    """Return the numbers 0 to n - 1 in random order."""
    kind = np.dtype(np.int64) if dtype is None else dtype.numpy
    return finish(permutation.sample_randperm(int(n), kind, generator), device, requires_grad)


def _like(input: Tensor, dtype: Any) -> np.ndarray:
    """Return memory in the layout of `input`, on the CPU."""
    return empty_as(_backend.to_numpy(input._array), preserve_format, None if dtype is None else dtype.numpy)


def _random_like_input(
    sampler: Any, input: Tensor, dtype: Any, device: Any, requires_grad: bool, generator: Any
) -> Tensor:
    return finish(sampler(_like(input, dtype), 0.0, 1.0, generator), device or input.device, requires_grad)


@op("function")
def rand_like(
    input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, generator: Any = None, **_: Any
) -> Tensor:  # fmt: skip
    """Return `rand` with the shape, dtype and device of `input`."""
    return _random_like_input(distributions.uniform_, input, dtype, device, requires_grad, generator)


@op("function")
def randn_like(
    input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, generator: Any = None, **_: Any
) -> Tensor:  # fmt: skip
    """Return `randn` with the shape, dtype and device of `input`."""
    return _random_like_input(distributions.normal_, input, dtype, device, requires_grad, generator)


@op("function")
def randint_like(input: Tensor, low: int, high: int | None = None, *, dtype: Any = None, device: Any = None,
                 requires_grad: bool = False, generator: Any = None, **_: Any) -> Tensor:  # fmt: skip
    """Return `randint` with the shape, dtype and device of `input`."""
    low, high = (0, low) if high is None else (low, high)
    drawn = distributions.random_(_like(input, dtype), int(low), int(high), generator)
    return finish(drawn, device or input.device, requires_grad)


@op("function", "out")
def normal(
    mean: Any = ABSENT, std: Any = ABSENT, size: Any = None, *, dtype: Any = None, device: Any = None, requires_grad: bool = False,
           generator: Any = None, **options: Any) -> Tensor:  # fmt: skip
    """Return normal numbers: a mean and a standard deviation per element (tensors), or one for all and a `size`."""
    if mean is ABSENT:
        raise TypeError("normal() needs a mean")
    if std is ABSENT:
        if not isinstance(mean, Tensor):
            raise TypeError("normal() needs a standard deviation")
        std = 1.0
    arrays = [_backend.to_numpy(v._array) if isinstance(v, Tensor) else float(v) for v in (mean, std)]
    tensors = [a for a in arrays if not isinstance(a, float)]
    if tensors:
        for a in tensors[1:]:
            check_broadcast(tensors[0].shape, a.shape)
        shape, kind = np.broadcast_shapes(*[a.shape for a in tensors]), tensors[0].dtype
    elif size is None:
        raise TypeError("normal() needs a size")
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
        return zeros_like(g)


class NormalBackward2(Node):
    """Random numbers with a standard deviation for each element. Its gradient is 0."""

    def grad_std(self, g: Tensor) -> Tensor:
        return zeros_like(g)


class NormalBackward3(Node):
    """Random numbers with a mean and a standard deviation for each element. Both gradients are 0."""

    def grad_mean(self, g: Tensor) -> Tensor:
        return zeros_like(g)

    def grad_std(self, g: Tensor) -> Tensor:
        return zeros_like(g)


class BernoulliBackward0(Node):
    """Random zeros and ones. The gradient of the probabilities is 0."""

    def grad_self(self, g: Tensor) -> Tensor:
        return zeros_like(g)


@op("function", "method", "out")
def bernoulli(input: Tensor, p: float | None = None, *, generator: Any = None) -> Tensor:
    """Return 1 with the probability in `input` (or `p`), otherwise 0."""
    x = input._array
    out = np.empty(x.shape, x.dtype)
    drawn = distributions.bernoulli_(out, _backend.to_numpy(x) if p is None else p, generator)
    return record(BernoulliBackward0, _backend.to_device_of(drawn, x), (input,))


@op("function", "method")
def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None, out: Tensor | None = None
) -> Tensor:
    """Return indices drawn with probabilities in proportion to `input`: (n) -> (num_samples), (m, n) -> (m, num_samples).

    Args:
        replacement: whether an index may be drawn more than once.

    Raises:
        RuntimeError: `input` is not a floating-point vector or matrix of weights, or too many samples are requested.
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
    """Define the method `Tensor.<name>`, which overwrites a tensor with random numbers. Old values have the gradient 0.

    Args:
        node_names: class names of the nodes of torch's overloads, separated by spaces.
        number_of: function of the arguments that returns the position in `node_names`.
    """
    node_classes = [type(n, (Node,), {"grad_self": lambda self, g: zeros_like(g)}) for n in node_names.split()]

    def fill(input: Tensor, *args: Any, generator: Any = None, **kwargs: Any) -> Tensor:
        values = [_on_cpu(a) for a in args]
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
    """Translate torch's argument names to the sampler's (`from` is a Python keyword)."""

    def call(out: np.ndarray, *args: Any, generator: Any = None, **kwargs: Any) -> Any:
        return sampler(out, *args, generator=generator, **{names.get(k, k): v for k, v in kwargs.items()})

    return call


def _random(out: np.ndarray, *bounds: Any, generator: Any = None, **named: Any) -> Any:
    """Implement `random_()`, `random_(to)` and `random_(from, to)`."""
    bounds = (*bounds, *[named[name] for name in ("from", "to") if name in named])
    low, high = (0, bounds[0]) if len(bounds) == 1 else bounds if bounds else (None, None)
    return distributions.random_(out, low, high, generator)


_random_fill("uniform_", "UniformBackward0", _rename_arguments(distributions.uniform_, **{"from": "low", "to": "high", "a": "low", "b": "high"}),
             "Overwrite with uniform numbers in [from, to).")  # fmt: skip
_random_fill("normal_", "NormalBackward0", distributions.normal_, "Overwrite with normal numbers.")
_random_fill(
    "random_",
    "RandomBackward2 RandomBackward1 RandomBackward0",
    _random,
    "Overwrite with integers, of [from, to) or of all that the dtype holds exactly.",
    lambda *bounds: len(bounds),
)
_random_fill(
    "bernoulli_",
    "BernoulliBackward2 BernoulliBackward1",
    distributions.bernoulli_,
    "Overwrite with 1 with probability `p`, otherwise with 0.",
    lambda p=0.5: isinstance(p, Tensor),
)
_random_fill("exponential_", "ExponentialBackward0", distributions.exponential_, "Overwrite with exponential numbers.")

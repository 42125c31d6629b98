"""Convolutions of random and chosen geometries agree with torch: values, gradients, second gradients, error texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_impl as engine
from reference_impl.numerics import openblas
from reference_impl.ops.convolution_columns import SharedColumns
from tests.engine.two_engines import outcome_of

TOLERANCE = {"float64": 1e-11, "float32": 2e-5}


class Convolution:
    """A convolution: its operands as random arrays, and its arguments."""

    def __init__(
        self, sizes: dict[str, Any], is_transposed: bool, dtype: str, is_batched: bool = True, has_bias: bool = True
    ) -> None:
        random = np.random.default_rng(0)
        kernel, groups = sizes["kernel"], sizes["groups"]
        channels, filters = sizes["channels"] * groups, sizes["filters"] * groups
        lead = (sizes["batch"], channels) if is_batched else (channels,)
        shape = (channels, filters // groups) if is_transposed else (filters, channels // groups)
        self.arrays = [random.standard_normal((*lead, *sizes["size"])).astype(dtype)]
        self.arrays.append(random.standard_normal((*shape, *kernel)).astype(dtype))
        if has_bias:
            self.arrays.append(random.standard_normal(filters).astype(dtype))
        self.name = f"conv_transpose{len(kernel)}d" if is_transposed else f"conv{len(kernel)}d"
        self.arguments = {name: sizes[name] for name in ("stride", "padding", "dilation", "groups")}
        self.dtype = dtype

    def results(self, library: Any, channels_last: bool = False) -> list[np.ndarray]:
        """Return the output, the gradients of all operands, and second gradients.

        The second gradients are those of the sum of squares of the first, with respect to input, weight and output gradient.
        """
        operands = [library.tensor(a) for a in self.arrays]
        if channels_last:
            operands[0] = operands[0].to(memory_format=library.channels_last)
        operands = [t.requires_grad_() for t in operands]
        out = getattr(library.nn.functional, self.name)(*operands, **self.arguments)
        seed = np.random.default_rng(1).standard_normal(tuple(out.shape)).astype(self.dtype)
        g = library.tensor(seed, requires_grad=True)
        first = library.autograd.grad(out, operands, g, create_graph=True)
        total = sum((grad * grad).sum() for grad in first)
        second = library.autograd.grad(total, [*operands[:2], g]) if out.numel() else ()
        return [t.detach().numpy() for t in (out, *first, *second)]


def strides(array: np.ndarray) -> list[int]:
    """Return the strides that must agree: not those of dimensions of length 1 or of empty arrays."""
    return [stride for stride, n in zip(array.strides, array.shape, strict=True) if n > 1 and array.size]


def check(case: Convolution, **kwargs: Any) -> None:
    """Assert that the results of a convolution agree on both engines. `kwargs` are arguments of `Convolution.results`."""
    results = zip(case.results(engine, **kwargs), case.results(torch, **kwargs), strict=True)
    for number, (actual, expected) in enumerate(results):
        assert actual.shape == expected.shape and actual.dtype == expected.dtype
        scale = max(1.0, float(np.abs(expected).max(initial=0)))
        np.testing.assert_allclose(actual, expected, rtol=0, atol=TOLERANCE[case.dtype] * scale * 10)
        if number <= len(case.arrays):  # strides of second gradients may differ: torch leaves some transposed
            assert strides(actual) == strides(expected)


@st.composite
def sizes(draw: Any, is_transposed: bool) -> dict[str, Any]:
    """Draw the sizes and arguments of a convolution whose output is not empty."""
    spatial = draw(st.sampled_from([1, 2, 2, 2, 3]))

    def numbers(strategy: Any) -> tuple[int, ...]:
        return tuple(draw(st.lists(strategy, min_size=spatial, max_size=spatial)))

    kernel = numbers(st.integers(1, 5 if spatial < 3 else 3))
    dilation, stride = numbers(st.integers(1, 2)), numbers(st.integers(1, 3))
    padding = numbers(st.integers(0, 2))
    if is_transposed:
        low = [
            max(1, -(-(2 * p - d * (k - 1)) // s) + 1)
            for p, d, k, s in zip(padding, dilation, kernel, stride, strict=True)
        ]
    else:
        low = [max(1, d * (k - 1) + 1 - 2 * p) for p, d, k in zip(padding, dilation, kernel, strict=True)]
    return {
        "kernel": kernel,
        "dilation": dilation,
        "stride": stride,
        "padding": padding,
        "size": tuple([n + draw(st.integers(0, 8 if spatial < 3 else 3)) for n in low]),
        "batch": draw(st.sampled_from([1, 2, 3, 9, 40])),
        "channels": draw(st.integers(1, 4)),
        "filters": draw(st.sampled_from([1, 2, 5, 17])),
        "groups": draw(st.sampled_from([1, 1, 1, 2, 3])),
    }


@settings(max_examples=80, deadline=None)
@given(sizes=sizes(False), dtype=st.sampled_from(list(TOLERANCE)), is_batched=st.booleans(), has_bias=st.booleans())
def test_random_convolutions_agree_with_torch(
    sizes: dict[str, Any], dtype: str, is_batched: bool, has_bias: bool
) -> None:
    check(Convolution(sizes, False, dtype, is_batched, has_bias))


@settings(max_examples=50, deadline=None)
@given(sizes=sizes(True), dtype=st.sampled_from(list(TOLERANCE)), is_batched=st.booleans(), has_bias=st.booleans())
def test_random_transposed_convolutions_agree_with_torch(
    sizes: dict[str, Any], dtype: str, is_batched: bool, has_bias: bool
) -> None:
    check(Convolution(sizes, True, dtype, is_batched, has_bias))


def square(batch: int, channels: int, size: int, filters: int, kernel: int, **arguments: Any) -> dict[str, Any]:
    """Return the sizes and arguments of a two-dimensional convolution with square images and kernels."""
    numbers = {"stride": 1, "padding": 0, "dilation": 1, "groups": 1} | arguments
    pairs = {name: (value, value) for name, value in numbers.items() if name != "groups"}
    operands = {"batch": batch, "channels": channels, "filters": filters, "size": (size, size)}
    return operands | pairs | {"kernel": (kernel, kernel), "groups": numbers["groups"]}


# Each case takes a different branch of `convolution_kernels`.
CASES = {
    "LeNet 1: rows share columns, several images": square(64, 1, 28, 6, 5),
    "LeNet 2": square(64, 6, 12, 16, 5),
    "images of 4 KiB, several at once": square(40, 4, 16, 4, 5, padding=2),
    "a chunk that is smaller than the others": square(131, 1, 28, 6, 5),
    "rows share columns, with a stride": square(33, 3, 17, 4, 5, stride=2),
    "one image alone": square(1, 1, 28, 6, 5),
    "image by image, a product per row of the kernel": square(3, 32, 32, 40, 3, padding=1),
    "image by image, one product": square(2, 8, 64, 8, 3, stride=2, padding=1),
    "more padding than the flipped kernel can have": square(2, 16, 40, 8, 3, padding=3),
    "groups": square(5, 4, 16, 6, 3, groups=4, padding=1),
    "a kernel of size 1": square(4, 16, 20, 8, 1),
    "no images": square(0, 3, 8, 4, 3),
}


@pytest.mark.parametrize("is_transposed", [False, True])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("products", ["whole", "in pieces"])
def test_each_branch_of_the_kernels_agrees_with_torch(
    case: str, is_transposed: bool, products: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openblas, "_has_small_kernels", lambda: products == "in pieces")
    monkeypatch.setattr(openblas, "_threads", lambda: 1)
    check(Convolution(CASES[case], is_transposed, "float32"))


@pytest.mark.parametrize("case", ["LeNet 2", "image by image, a product per row of the kernel", "groups"])
def test_an_image_in_channels_last_order_agrees_with_torch(case: str) -> None:
    check(Convolution(CASES[case], False, "float32"), channels_last=True)


def test_the_number_of_rows_that_share_columns_depends_on_the_geometry() -> None:
    """Check how many rows of the output share columns: the names of the cases above rely on it."""
    geometry = engine.ops.convolution.Geometry((1, 1), (0, 0), (1, 1), False, (0, 0), 1)
    rows = [
        SharedColumns(k, (taps, 3), (height, 8), geometry, True).rows
        for k, taps, height in ((6, 5, 24), (6, 5, 22), (6, 5, 23), (6, 3, 24), (6, 1, 24), (64, 5, 24))
    ]
    assert rows == [4, 2, 1, 2, 1, 1]


def test_results_do_not_share_memory() -> None:
    """Check that later convolutions, which reuse buffers, do not overwrite earlier results."""
    case = Convolution(CASES["LeNet 2"], False, "float32")
    first = case.results(engine)
    copies = [a.copy() for a in first]
    Convolution(CASES["LeNet 1: rows share columns, several images"], False, "float32").results(engine)
    for array, copy in zip(first, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_an_infinity_affects_only_windows_that_contain_it() -> None:
    """Check that an infinite input, or output gradient, turns no results outside its windows into NaN."""
    x = np.zeros((3, 1, 12, 12), np.float32)
    w = np.ones((2, 1, 3, 3), np.float32)
    g = np.zeros((3, 2, 10, 10), np.float32)
    x[1, 0, 5, 6] = g[1, 0, 5, 6] = np.inf

    def results(library: Any) -> list[np.ndarray]:
        image, weight = (library.tensor(a, requires_grad=True) for a in (x, w))
        out = library.nn.functional.conv2d(image, weight)
        (gradient,) = library.autograd.grad(out, image, library.tensor(g))
        return [out.detach().numpy(), gradient.numpy()]

    for actual, expected in zip(results(engine), results(torch), strict=True):
        assert 0 < np.isinf(actual).sum() < actual.size / 2
        np.testing.assert_array_equal(actual, expected)


# -- errors

IMAGE, WEIGHT = (2, 4, 8, 8), (6, 4, 3, 3)
REFUSED: dict[str, tuple[Any, ...]] = {
    "too few dimensions": ("conv2d", (8, 8), WEIGHT, None, {}),
    "too many dimensions": ("conv2d", (1, 2, 4, 8, 8), WEIGHT, None, {}),
    "another number of channels": ("conv2d", (2, 3, 8, 8), WEIGHT, None, {}),
    "weight of two dimensions": ("conv1d", (2, 4, 8), (6, 4), None, {}),
    "weight of another rank": ("conv2d", IMAGE, (6, 4, 3), None, {}),
    "kernel larger than the image": ("conv2d", IMAGE, (6, 4, 9, 3), None, {}),
    "dilated kernel larger than the image": ("conv2d", IMAGE, WEIGHT, None, {"dilation": 4}),
    "bias of another size": ("conv2d", IMAGE, WEIGHT, (5,), {}),
    "negative padding": ("conv2d", IMAGE, WEIGHT, None, {"padding": -1}),
    "stride 0": ("conv2d", IMAGE, WEIGHT, None, {"stride": 0}),
    "dilation 0": ("conv2d", IMAGE, WEIGHT, None, {"dilation": 0}),
    "groups 0": ("conv2d", IMAGE, WEIGHT, None, {"groups": 0}),
    "channels that groups don't divide": ("conv2d", IMAGE, WEIGHT, None, {"groups": 4}),
    "weight for other groups": ("conv2d", IMAGE, WEIGHT, None, {"groups": 2}),
    "three strides for two dimensions": ("conv2d", IMAGE, WEIGHT, None, {"stride": (1, 1, 1)}),
    "unknown padding": ("conv2d", IMAGE, WEIGHT, None, {"padding": "full"}),
    "padding 'same' with a stride": ("conv2d", IMAGE, WEIGHT, None, {"padding": "same", "stride": 2}),
    "transposed, another number of channels": ("conv_transpose2d", IMAGE, WEIGHT, None, {}),
    "transposed, bias of another size": ("conv_transpose2d", IMAGE, (4, 6, 3, 3), (5,), {}),
    "transposed, negative padding": ("conv_transpose1d", (2, 4, 8), (4, 6, 3), None, {"padding": -1}),
    "conv3d, another number of channels": ("conv3d", (1, 2, 4, 4, 4), (3, 5, 2, 2, 2), None, {}),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_wrong_arguments_raise_the_error_of_torch(case: str) -> None:
    name, *shapes, arguments = REFUSED[case]

    def error_of(library: Any) -> str | None:
        operands = [None if shape is None else library.ones(shape) for shape in shapes]
        return outcome_of(lambda: getattr(library.nn.functional, name)(*operands, **arguments))[1]

    assert error_of(torch) is not None
    assert error_of(engine) == error_of(torch)


@pytest.mark.parametrize(
    "dtypes", [("float32", "float64", "float32"), ("float32", "float32", "float64"), ("int64", "float32", "float32")]
)
def test_unequal_dtypes_raise_the_error_of_torch(dtypes: tuple[str, ...]) -> None:
    def error_of(library: Any) -> str | None:
        shapes = (IMAGE, WEIGHT, (6,))
        operands = [library.ones(shape, dtype=getattr(library, d)) for shape, d in zip(shapes, dtypes, strict=True)]
        return outcome_of(lambda: library.nn.functional.conv2d(*operands))[1]

    assert error_of(torch) is not None
    assert error_of(engine) == error_of(torch)

"""A sum with a factor, `x + alpha · y`, is rounded once.

The engine is compared with exact fractions, on any processor: it must round float32 once, and float64 once if NumPy's BLAS does. It is
also compared with torch: bit for bit if both round once, else up to the rounding error of the product.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import reference_impl as engine
from reference_impl.numerics.openblas import BLOCK, CHUNK
from reference_impl.ops import multiply_add
from tests.engine.last_bits import TORCH_ROUNDS_ONCE, same_sums

SHAPES = [(), (0,), (1,), (7,), (BLOCK,), (BLOCK + 1,), (CHUNK,), (2 * CHUNK + 3,), (3, 4, 5), (130, 257)]
DTYPES = (np.float32, np.float64)


@pytest.fixture(params=["with BLAS", "without"])
def blas(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test twice: with and without the function of NumPy's BLAS that rounds a sum once."""
    if request.param == "without":
        monkeypatch.setattr(multiply_add, "has_fused_axpy", lambda dtype: False)


def engine_rounds_once(dtype: Any) -> bool:
    """Return whether the engine computes `x + alpha · y` in `dtype` with a single rounding on this processor."""
    return dtype == np.float32 or multiply_add.has_fused_axpy(np.dtype(dtype))


def numbers(shape: tuple[int, ...], seed: int, dtype: Any = np.float32) -> np.ndarray:
    """Return random numbers of magnitudes from 2⁻¹³ to 2¹³, so that sums round off different numbers of bits of the products.

    The numbers are equal on every processor, since no elementary function computes them.
    """
    random = np.random.default_rng(seed)
    return np.ldexp(random.uniform(-1, 1, shape), random.integers(-13, 14, shape)).astype(dtype)


def array_of(t: Any) -> np.ndarray:
    """Return the values of a tensor of either engine as an array."""
    return t.detach().numpy()


def same_as_torch(actual: Any, expected: Any, product: Any) -> bool:
    """Return whether sums are bitwise equal if engine and torch round once, else whether they are equal up to a rounding of `product`."""
    if TORCH_ROUNDS_ONCE and engine_rounds_once(actual.dtype):
        return np.array_equal(actual, expected, equal_nan=True)
    return same_sums(actual, expected, product)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shapes", [((), ()), ((40,), (40,)), ((40,), ()), ((), (40,)), ((9, 1), (1, 9))], ids=str)
@pytest.mark.usefixtures("blas")
def test_the_exact_sum_is_rounded_once(shapes: tuple[Any, Any], dtype: Any) -> None:
    """Compare with exact sums. Float64 may be rounded twice if NumPy's BLAS does not round once."""
    for seed in range(40):
        x, y = numbers(shapes[0], seed, dtype), numbers(shapes[1], seed + 100, dtype)
        alpha = dtype(numbers((), seed + 200))
        actual = array_of(engine.tensor(x).add(engine.tensor(y), alpha=float(alpha)))
        pairs = zip(np.broadcast_to(x, actual.shape).flat, np.broadcast_to(y, actual.shape).flat, strict=True)
        exact = [Fraction(float(a)) + Fraction(float(alpha)) * Fraction(float(b)) for a, b in pairs]
        expected = np.array([nearest(value, dtype) for value in exact], dtype).reshape(actual.shape)
        if engine_rounds_once(dtype):
            np.testing.assert_array_equal(actual, expected)
        else:
            assert same_sums(actual, expected, alpha * y)


def nearest(value: Fraction, dtype: Any) -> Any:
    """Return the number of `dtype` nearest to `value`; of two equally near ones, the even one."""
    near = dtype(float(value))
    candidates = (near, np.nextafter(near, dtype(-np.inf)), np.nextafter(near, dtype(np.inf)))
    return min(candidates, key=lambda c: (abs(Fraction(float(c)) - value), int(c.view(f"i{c.itemsize}")) & 1))


@pytest.mark.parametrize("alpha", [-0.1, 3, 1e-3, 1, 0.0, float("inf")])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("inplace", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.usefixtures("blas")
def test_sums_are_those_of_torch(shape: tuple[int, ...], alpha: Any, inplace: bool, dtype: Any) -> None:
    x, y = numbers(shape, 0, dtype), numbers(shape, 1, dtype)

    def result(library: Any) -> np.ndarray:
        a, b = library.tensor(x), library.tensor(y)
        return array_of(a.add_(b, alpha=alpha) if inplace else a.add(b, alpha=alpha))

    with np.errstate(invalid="ignore"):
        assert same_as_torch(result(engine), result(torch), dtype(alpha) * y)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [1, 7, 70])
@pytest.mark.parametrize("is_tensor", [True, False], ids=["tensor without dimensions", "number"])
def test_the_sum_of_a_tensor_and_a_number_agrees_with_torch(size: int, is_tensor: bool, dtype: Any) -> None:
    """Compare with a tolerance: for elements after the last full vector register, torch rounds alpha · y first."""
    x, y, alpha = numbers((size,), 0, dtype), numbers((), 1, dtype), -0.1

    def result(library: Any) -> np.ndarray:
        return array_of(library.tensor(x).add(library.tensor(y) if is_tensor else float(y), alpha=alpha))

    assert same_sums(result(engine), result(torch), dtype(alpha) * y)


@pytest.mark.parametrize("inplace", [False, True])
@pytest.mark.usefixtures("blas")
def test_sums_are_those_of_torch_in_any_memory_layout(inplace: bool) -> None:
    x, y = numbers((60, 70), 2), numbers((70, 60), 3)

    def results(library: Any) -> list[tuple[tuple[int, ...], np.ndarray, np.ndarray]]:
        a, b = library.tensor(x), library.tensor(y)
        pairs = (
            (a, b.t()), (a.t(), b), (a.t(), a.t()), (a[::2], b.t()[::2]), (a, b[:, 0]), (a.t(), b[:, :1]),
            (b.reshape(7, 10, 60).permute(2, 0, 1), a.reshape(60, 7, 10)), (b.reshape(7, 10, 60).permute(2, 0, 1), a[:, :10].reshape(60, 1, 10)),
        )  # fmt: skip
        sums = []
        for target, other in pairs:
            target = target.clone() if inplace else target
            with library.no_grad():
                total = (target.add_ if inplace else target.add)(other, alpha=-0.3)
            sums.append((tuple(total.stride()), array_of(total.contiguous()), array_of(other * -0.3)))
        return sums

    for (strides, actual, product), (expected_strides, expected, _) in zip(
        results(engine), results(torch), strict=True
    ):
        assert strides == expected_strides
        assert same_as_torch(actual, expected, product)


def test_the_numbers_distinguish_one_rounding_from_two() -> None:
    """Check that some sums of the numbers in these tests differ if the product is rounded first."""
    x, y = numbers((1000,), 0), numbers((1000,), 1)
    twice = x + np.float32(-0.1) * y
    assert not np.array_equal(twice, array_of(engine.tensor(x).add(engine.tensor(y), alpha=-0.1)))


@pytest.mark.usefixtures("blas")
def test_steps_of_sgd_are_those_of_torch() -> None:
    start, slopes = numbers((300, 90), 4), numbers((300, 90), 5)

    def train(library: Any) -> np.ndarray:
        p = library.nn.Parameter(library.tensor(start))
        optimizer = library.optim.SGD([p], lr=0.05, momentum=0.9, weight_decay=1e-3)
        for _ in range(4):
            p.grad = library.tensor(slopes)
            optimizer.step()
        return array_of(p)

    if TORCH_ROUNDS_ONCE:
        np.testing.assert_array_equal(train(engine), train(torch))
    else:  # four steps with two products each, which are up to 2¹³
        np.testing.assert_allclose(train(engine), train(torch), rtol=1e-6, atol=8 * 2.0**13 * 2.0**-24)


@given(
    size=st.integers(0, 3 * BLOCK), skipped=st.integers(0, 9), dtype=st.sampled_from(DTYPES), alpha=st.floats(width=32),
    seed=st.integers(0, 99),
)  # fmt: skip
def test_sums_in_slices_of_memory_are_those_of_torch(
    size: int, skipped: int, dtype: Any, alpha: float, seed: int
) -> None:
    """Add slices at any offset and of any length; the elements around them must not change."""
    x, y = numbers((size + 2 * skipped,), seed, dtype), numbers((size + 2 * skipped,), seed + 1, dtype)
    elements = slice(skipped, skipped + size)

    def add_slices(library: Any) -> np.ndarray:
        a, b = library.tensor(x), library.tensor(y)
        a[elements].add_(b[elements], alpha=alpha)
        return array_of(a)

    actual, product = add_slices(engine), np.zeros_like(y)
    with np.errstate(all="ignore"):
        product[elements] = dtype(alpha) * y[elements]
        assert same_as_torch(actual, add_slices(torch), product)
    around = np.r_[0:skipped, skipped + size : len(x)]
    np.testing.assert_array_equal(actual[around], x[around])


def test_operands_may_be_read_only() -> None:
    x, y = numbers((100,), 0), numbers((100,), 1)
    y.flags.writeable = False
    total = multiply_add.multiply_add(x, y, 0.3, x.dtype)
    assert same_as_torch(total, array_of(torch.tensor(x).add(torch.tensor(y), alpha=0.3)), np.float32(0.3) * y)


class TestInPlaceWithoutACopy:
    """`add_` outside a graph writes without a copy, and has versions and errors like other in-place operations."""

    def test_the_memory_stays_and_the_version_is_incremented(self) -> None:
        x, y = engine.ones(3), engine.ones(3)
        alias, address = x.view(3), x.data_ptr()
        assert x.add_(y, alpha=2) is x
        assert (x._version, alias._version, x.data_ptr(), alias.tolist()) == (1, 1, address, [3.0, 3.0, 3.0])

    def test_a_leaf_outside_no_grad_is_refused(self) -> None:
        def text(library: Any) -> str:
            x = library.ones(3, requires_grad=True)
            with pytest.raises(RuntimeError) as caught:
                x.add_(library.ones(3), alpha=2)
            return str(caught.value)

        assert text(engine) == text(torch)

    @pytest.mark.parametrize("case", ["expanded", "overlapping"])
    def test_shared_memory_is_refused(self, case: str) -> None:
        def text(library: Any) -> str:
            x = library.ones(6)
            target, other = (x[:1].expand(3), x[:3]) if case == "expanded" else (x[:4], x[1:5])
            with library.no_grad(), pytest.raises(RuntimeError) as caught:
                target.add_(other, alpha=2)
            return str(caught.value)

        assert text(engine) == text(torch)

    def test_a_tensor_can_be_added_to_itself(self) -> None:
        with engine.no_grad():
            assert engine.ones(3).add_(engine.ones(3)).tolist() == [2.0] * 3
            x = engine.ones(3)
            assert x.add_(x, alpha=3).tolist() == [4.0] * 3

"""A sum with a factor, `x + alpha · y`, is rounded once, as by torch: bit for bit, in float32 also without NumPy's BLAS."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import reference_impl as engine
from reference_impl._openblas import BLOCK, CHUNK, has_fused_axpy
from reference_impl.ops import multiply_add

SHAPES = [(), (0,), (1,), (7,), (BLOCK,), (BLOCK + 1,), (CHUNK,), (2 * CHUNK + 3,), (3, 4, 5), (130, 257)]

# Wheels of NumPy bring OpenBLAS along but for macOS on arm64; where it is not there only the other way can be tested.
with_blas = pytest.mark.skipif(
    not has_fused_axpy(np.dtype(np.float64)), reason="this NumPy has no BLAS of its own with axpy"
)


@pytest.fixture(params=["with BLAS", "without"])
def blas(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "without":
        monkeypatch.setattr(multiply_add, "has_fused_axpy", lambda dtype: False)


def numbers(shape: tuple[int, ...], seed: int, dtype: Any = np.float32) -> np.ndarray:
    """Of magnitudes from 1e-4 to 1e4, so that the sum cuts off very different parts of the product."""
    random = np.random.default_rng(seed)
    return np.asarray(random.standard_normal(shape) * 10.0 ** random.uniform(-4, 4, shape), dtype)


def bits(t: Any) -> list[int]:
    array = t.detach().numpy()
    return array.view(f"i{array.itemsize}").ravel().tolist()


@pytest.mark.parametrize("alpha", [-0.1, 3, 1e-3, 1, 0.0, float("inf")])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("inplace", [False, True])
@pytest.mark.parametrize(
    ("dtype", "blas"),
    [(np.float32, "with BLAS"), (np.float32, "without"), pytest.param(np.float64, "with BLAS", marks=with_blas)],
    indirect=["blas"],
)
@pytest.mark.usefixtures("blas")
def test_same_bits(shape: tuple[int, ...], alpha: Any, inplace: bool, dtype: Any) -> None:
    x, y = numbers(shape, 0, dtype), numbers(shape, 1, dtype)

    def result(library: Any) -> list[int]:
        a, b = library.tensor(x), library.tensor(y)
        return bits(a.add_(b, alpha=alpha) if inplace else a.add(b, alpha=alpha))

    assert np.array_equal(result(engine), result(torch))


@pytest.mark.parametrize("inplace", [False, True])
@pytest.mark.usefixtures("blas")
def test_same_bits_whatever_the_order_in_memory(inplace: bool) -> None:
    x, y = numbers((60, 70), 2), numbers((70, 60), 3)

    def results(library: Any) -> list[tuple[tuple[int, ...], list[int]]]:
        a, b = library.tensor(x), library.tensor(y)
        pairs = (
            (a, b.t()), (a.t(), b), (a.t(), a.t()), (a[::2], b.t()[::2]), (a, b[:, 0]), (a.t(), b[:, :1]),
            (b.reshape(7, 10, 60).permute(2, 0, 1), a.reshape(60, 7, 10)), (b.reshape(7, 10, 60).permute(2, 0, 1), a[:, :10].reshape(60, 1, 10)),
        )  # fmt: skip
        found = []
        for target, other in pairs:
            target = target.clone() if inplace else target
            with library.no_grad():
                total = (target.add_ if inplace else target.add)(other, alpha=-0.3)
            found.append((tuple(total.stride()), bits(total.contiguous())))
        return found

    assert results(engine) == results(torch)


def test_a_rounded_product_would_be_wrong() -> None:
    """The cases above can tell one rounding from two."""
    x, y = numbers((1000,), 0), numbers((1000,), 1)
    twice = x + np.float32(-0.1) * y
    assert not np.array_equal(twice.view(np.int32), bits(torch.tensor(x).add(torch.tensor(y), alpha=-0.1)))


@pytest.mark.usefixtures("blas")
def test_steps_of_sgd_have_the_same_bits() -> None:
    start, slopes = numbers((300, 90), 4), numbers((300, 90), 5)

    def trained(library: Any) -> list[int]:
        p = library.nn.Parameter(library.tensor(start))
        optimizer = library.optim.SGD([p], lr=0.05, momentum=0.9, weight_decay=1e-3)
        for _ in range(4):
            p.grad = library.tensor(slopes)
            optimizer.step()
        return bits(p)

    assert trained(engine) == trained(torch)


@with_blas
@given(
    size=st.integers(0, 3 * BLOCK), skipped=st.integers(0, 9), wide=st.booleans(), alpha=st.floats(width=32),
    seed=st.integers(0, 99),
)  # fmt: skip
def test_same_bits_of_any_part_of_memory(size: int, skipped: int, wide: bool, alpha: float, seed: int) -> None:
    """Wherever the arrays begin and however much of them is no whole block; what lies around them stays as it is."""
    dtype = np.float64 if wide else np.float32
    x, y = numbers((size + 2 * skipped,), seed, dtype), numbers((size + 2 * skipped,), seed + 1, dtype)
    part = slice(skipped, skipped + size)

    def changed(library: Any) -> list[int]:
        a, b = library.tensor(x), library.tensor(y)
        a[part].add_(b[part], alpha=alpha)
        return bits(a)

    assert changed(engine) == changed(torch)


def test_memory_that_cannot_be_written_to() -> None:
    x, y = numbers((100,), 0), numbers((100,), 1)
    y.flags.writeable = False
    total = multiply_add.multiply_add(x, y, 0.3, x.dtype)
    assert bits(torch.tensor(x).add(torch.tensor(y), alpha=0.3)) == total.view(np.int32).tolist()


class TestInPlaceWithoutACopy:
    """`add_` outside a graph writes where it stands; what other in-place operations keep, it keeps."""

    def test_version_and_memory(self) -> None:
        x, y = engine.ones(3), engine.ones(3)
        alias, address = x.view(3), x.data_ptr()
        assert x.add_(y, alpha=2) is x
        assert (x._version, alias._version, x.data_ptr(), alias.tolist()) == (0 + 1, 1, address, [3.0, 3.0, 3.0])

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

    def test_a_tensor_added_to_itself(self) -> None:
        with engine.no_grad():
            assert engine.ones(3).add_(engine.ones(3)).tolist() == [2.0] * 3
            x = engine.ones(3)
            assert x.add_(x, alpha=3).tolist() == [4.0] * 3

"""Matrix products that the engine splits into small products, for which OpenBLAS has faster kernels, equal those of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.numerics import openblas

DTYPES = st.sampled_from(["float32", "float64"])


@pytest.fixture(autouse=True)
def _split_small_products(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the engine split even small products, as it splits large products on a processor with AVX-512 and one thread."""
    monkeypatch.setattr(openblas, "_has_small_kernels", lambda: True)
    monkeypatch.setattr(openblas, "_threads", lambda: 1)
    monkeypatch.setattr(openblas, "SMALL", 4096)
    monkeypatch.setattr(openblas, "LEAST_COLUMNS", 16)
    monkeypatch.setattr(openblas, "LEAST_DEPTH", 16)
    monkeypatch.setattr(openblas, "LEAST_FEATURES", 16)


def matrices(m: int, k: int, n: int, dtype: str, transposed: tuple[bool, bool]) -> tuple[Any, Any]:
    """Return random matrices of shapes (m, k) and (k, n), each of which may be transposed in memory."""
    random = np.random.default_rng(m + k + n)
    a, b = (
        random.standard_normal(shape[::-1] if is_transposed else shape).astype(dtype)
        for shape, is_transposed in zip(((m, k), (k, n)), transposed, strict=True)
    )
    return (a.T if transposed[0] else a), (b.T if transposed[1] else b)


sizes = st.integers(1, 90)
two_booleans = st.tuples(st.booleans(), st.booleans())


def assert_close(actual: np.ndarray, expected: np.ndarray) -> None:
    """Assert that arrays are equal up to rounding errors of their dtype."""
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-12 if actual.dtype == np.float64 else 1e-4)


@given(m=sizes, k=sizes, n=sizes, dtype=DTYPES, transposed=two_booleans)
def test_matmul_equals_the_product_of_numpy(m: int, k: int, n: int, dtype: str, transposed: tuple[bool, bool]) -> None:
    a, b = matrices(m, k, n, dtype, transposed)
    wide = np.full((m, n + 3), 7, dtype)  # the last three columns must not change
    openblas.matmul(a, b, wide[:, :n])
    assert_close(wide[:, :n], a @ b)
    assert (wide[:, n:] == 7).all()


@given(m=sizes, k=sizes, n=sizes, dtype=DTYPES, transposed=two_booleans)
def test_add_matmul_equals_the_sum_of_numpy(m: int, k: int, n: int, dtype: str, transposed: tuple[bool, bool]) -> None:
    a, b = matrices(m, k, n, dtype, transposed)
    total = np.full((m, n), 7, dtype)
    openblas.add_matmul(a, b, total)
    assert_close(total, 7 + a @ b)


@given(m=sizes, k=sizes, n=sizes, dtype=DTYPES)
def test_multiply_by_transpose_equals_the_product_of_numpy_or_does_nothing(m: int, k: int, n: int, dtype: str) -> None:
    x, w = matrices(m, k, n, dtype, (False, True))
    out = np.full((m, n), 7, dtype)
    if openblas.multiply_by_transpose(x, w.T, out):
        assert_close(out, x @ w)
    else:
        assert (out == 7).all()


def test_the_pieces_are_small_and_cover_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the shapes of the pieces, since the tests above would also pass with a single product."""
    shapes: list[tuple[int, ...]] = []
    matmul = np.matmul

    def matmul_and_record(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        result = matmul(a, b, out=out)
        shapes.append((*result.shape[:-2], result.shape[-2], a.shape[-1], result.shape[-1]))
        return result

    monkeypatch.setattr(np, "matmul", matmul_and_record)
    a, b = matrices(8, 10, 100, "float32", (False, False))
    openblas.matmul(a, b, np.empty((8, 100), "float32"))
    assert shapes == [(2, 8, 10, 48), (8, 10, 4)]
    shapes.clear()
    a, b = matrices(8, 100, 10, "float32", (False, False))
    openblas.add_matmul(a, b, np.zeros((8, 10), "float32"))
    assert shapes == [(2, 8, 48, 10), (8, 4, 10)]
    shapes.clear()
    x, w = matrices(8, 20, 40, "float32", (False, True))
    assert openblas.multiply_by_transpose(x, w.T, np.empty((8, 40), "float32"))
    assert shapes == [(2, 8, 20, 16), (8, 20, 8)]


def test_with_several_threads_products_are_not_split(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openblas, "_threads", lambda: 2)
    assert openblas._block_length(100, 1000, np.empty(0, "float32")) == 0

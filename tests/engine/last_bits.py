"""Compare values whose last bits differ between processors.

On any processor, the engine computes the same bits for sums with a factor in float32 (`ops.multiply_add`), elementary functions of
float32 (`numerics.precision`), and states of generators. torch does not: without AVX2 its kernels have no fused multiply-add, and
MKL, oneDNN and torch's loops add in an order that depends on the width of the registers. So the tests require torch's bits only on
processors on which torch rounds as the engine does, and allow a rounding error on others.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import torch
from snippetcheck.numbers import NUMBER


def _torch_rounds_once() -> bool:
    """Return whether torch rounds x + α · y once on this processor: with two roundings, the sum tested here differs."""
    a = 1 + 2.0**-12
    total = torch.full((64,), -1 - 2.0**-11).add(torch.full((64,), a), alpha=a)
    return bool((total == 2.0**-24).all())


TORCH_ROUNDS_ONCE = _torch_rounds_once()
TORCH_DRAWS_WITH_AVX2 = torch.backends.cpu.get_cpu_capability() in ("AVX2", "AVX512")


def same_sums(actual: Any, expected: Any, product: Any) -> bool:
    """Return whether two arrays of x + α · y differ by at most one rounding of α · y and one unit in the last place of the sum.

    `product` is the array of α · y. nan equals nan.
    """
    with np.errstate(all="ignore"):
        allowed = np.spacing(np.abs(product)) / 2 + np.spacing(np.maximum(np.abs(actual), np.abs(expected)))
        return bool(
            np.all(
                (actual == expected) | (np.isnan(actual) & np.isnan(expected)) | (np.abs(actual - expected) <= allowed)
            )
        )


def same_draws(actual: np.ndarray, expected: np.ndarray) -> bool:
    """Return whether two arrays contain the same random numbers.

    On a processor where torch draws with AVX2, as the engine does (`rng.normal_fill`), every bit must be equal. On others, `normal_` of
    torch takes logarithm and sine from the C library, and differences of up to 20 units in the last place were measured. There, 32 units
    in the last place of the largest number, or of 1 if that is larger, are allowed.
    """
    if actual.dtype != expected.dtype or actual.shape != expected.shape:
        return False
    if TORCH_DRAWS_WITH_AVX2 or actual.dtype.kind != "f":
        return np.array_equal(actual, expected) and np.array_equal(np.signbit(actual), np.signbit(expected))
    size = max(1.0, float(np.max(np.abs(expected), initial=0)))
    return np.allclose(actual, expected, rtol=0, atol=32 * float(np.finfo(expected.dtype).eps) * size)


def same_text(actual: str, expected: str) -> bool:
    """Return whether two printed texts are equal. The last digit of a fraction may differ by 1.

    A number halfway between two decimals, such as 1.93815, is rounded up or down depending on its last bit.
    """
    if actual == expected:
        return True
    if NUMBER.sub("#", actual) != NUMBER.sub("#", expected):
        return False
    return all(_same_number(a, b) for a, b in zip(NUMBER.findall(actual), NUMBER.findall(expected), strict=True))


def _same_number(actual: str, expected: str) -> bool:
    a, b = Decimal(actual), Decimal(expected)
    if actual == expected or not (a.is_finite() and b.is_finite()) or not {".", "e"} & set(expected):
        return actual == expected
    return abs(a - b) <= Decimal(1).scaleb(max(int(x.as_tuple().exponent) for x in (a, b)))

"""Compare values whose last bits differ between processors.

The engine has the same bits on any processor for sums with a factor in float32 (`ops.multiply_add`), elementary functions of float32
(`numerics.precision`) and the generator's state. torch does not: without AVX2 its kernels have no fused multiply-add, and MKL,
oneDNN and torch's loops add in an order that depends on the width of the registers. So tests require torch's bits only where it
rounds as the engine does, and elsewhere allow the difference in rounding.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import torch
from snippetcheck.numbers import NUMBER


def _torch_rounds_once() -> bool:
    """Check whether torch rounds x + α · y once on this processor, on a sum whose result a second rounding would change."""
    a = 1 + 2.0**-12
    total = torch.full((64,), -1 - 2.0**-11).add(torch.full((64,), a), alpha=a)
    return bool((total == 2.0**-24).all())


TORCH_ROUNDS_ONCE = _torch_rounds_once()
TORCH_DRAWS_WITH_AVX2 = torch.backends.cpu.get_cpu_capability() in ("AVX2", "AVX512")


def same_sums(have: Any, want: Any, product: Any) -> bool:
    """Check that two arrays of x + α · y differ by no more than a second rounding of `product`, the array of α · y."""
    with np.errstate(all="ignore"):
        allowed = np.spacing(np.abs(product)) / 2 + np.spacing(np.maximum(np.abs(have), np.abs(want)))
        return bool(np.all((have == want) | (np.isnan(have) & np.isnan(want)) | (np.abs(have - want) <= allowed)))


def same_draws(have: np.ndarray, want: np.ndarray) -> bool:
    """Check that two arrays are the same random numbers.

    Where torch draws with AVX2, as the engine does (`rng.normal_fill`), every bit must be equal. Elsewhere `normal_` takes logarithm
    and sine from the C library; up to 20 units in the last place were measured. Then a difference of 32 units is allowed, where the
    unit is that of the largest number, at least that of 1.
    """
    if have.dtype != want.dtype or have.shape != want.shape:
        return False
    if TORCH_DRAWS_WITH_AVX2 or have.dtype.kind != "f":
        return np.array_equal(have, want) and np.array_equal(np.signbit(have), np.signbit(want))
    size = max(1.0, float(np.max(np.abs(want), initial=0)))
    return np.allclose(have, want, rtol=0, atol=32 * float(np.finfo(want.dtype).eps) * size)


def same_text(have: str, want: str) -> bool:
    """Check that two printed texts are equal, except for the last digit of a fraction.

    A number that lies between two texts, such as 1.93815, is printed as either, depending on its last bit.
    """
    if have == want:
        return True
    if NUMBER.sub("#", have) != NUMBER.sub("#", want):
        return False
    return all(_same_number(a, b) for a, b in zip(NUMBER.findall(have), NUMBER.findall(want), strict=True))


def _same_number(have: str, want: str) -> bool:
    a, b = Decimal(have), Decimal(want)
    if have == want or not (a.is_finite() and b.is_finite()) or not {".", "e"} & set(want):
        return have == want
    return abs(a - b) <= Decimal(1).scaleb(max(int(x.as_tuple().exponent) for x in (a, b)))

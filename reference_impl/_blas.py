"""NumPy's own BLAS, for the one operation that NumPy has no function for: y += α · x, rounded once.

NumPy's wheels bring OpenBLAS along, whose `axpy` uses the processor's fused multiply-add, as torch's kernels do. Where
there is no such library (another build of NumPy, a browser) or where it rounds twice, `has_fused_axpy` is false.
"""

from __future__ import annotations

import ctypes
import functools
from pathlib import Path
from typing import Any

import numpy as np

BLOCK = 64  # elements: `axpy` fuses whole blocks of 16 to 64 and may round twice in what is left over
CHUNK = 156 * BLOCK  # elements: from 10,000 on OpenBLAS divides the work between its threads, and not at whole blocks

_NAMES = {np.dtype(np.float32): ("saxpy", ctypes.c_float), np.dtype(np.float64): ("daxpy", ctypes.c_double)}


def axpy(alpha: float, x: np.ndarray, y: np.ndarray) -> None:
    """`y += alpha * x` with one rounding, for arrays in C order of the same shape and of a dtype that `has_fused_axpy`."""
    routine, size = _routine(y.dtype), y.size
    whole = size - size % BLOCK
    if whole:
        source, target, itemsize = _address(x), _address(y), y.itemsize
        chunk = whole if whole <= CHUNK or _threads() == 1 else CHUNK
        for first in range(0, whole, chunk):
            offset = first * itemsize
            routine(min(chunk, whole - first), alpha, source + offset, 1, target + offset, 1)
    if whole < size:
        rest = y.reshape(-1)[whole:]
        block = np.zeros((2, BLOCK), y.dtype)
        block[0, : size - whole], block[1, : size - whole] = x.reshape(-1)[whole:], rest
        source = _address(block)
        routine(BLOCK, alpha, source, 1, source + BLOCK * y.itemsize, 1)
        rest[...] = block[1, : size - whole]


def has_fused_axpy(dtype: Any) -> bool:
    """Whether `axpy` can be had for `dtype`: float32 and float64 only, and only where NumPy's BLAS rounds once."""
    return _routine(dtype) is not None


def _address(array: np.ndarray) -> int:
    """Address of the first element: in a quarter of the time of NumPy's own ways to it, where the array can be written."""
    if not array.flags.writeable:
        return array.__array_interface__["data"][0]
    return ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type]


@functools.cache
def _routine(dtype: Any) -> Any:
    """BLAS' `axpy` for `dtype`, if it rounds once."""
    if dtype not in _NAMES:
        return None
    library, (name, number) = _library(), _NAMES[dtype]
    for symbol, integer in ((f"scipy_cblas_{name}64_", ctypes.c_int64), (f"scipy_cblas_{name}", ctypes.c_int32)):
        routine = getattr(library, symbol, None)
        if routine is not None:
            routine.argtypes = [integer, number, ctypes.c_void_p, integer, ctypes.c_void_p, integer]
            routine.restype = None
            return routine if _rounds_once(routine, dtype) else None
    return None


def _threads() -> int:
    """How many threads OpenBLAS divides its work between: OPENBLAS_NUM_THREADS, or what threadpoolctl has set since."""
    return _counter()()


@functools.cache
def _counter() -> Any:
    library = _library()
    for symbol in ("scipy_openblas_get_num_threads64_", "scipy_openblas_get_num_threads"):
        counter = getattr(library, symbol, None)
        if counter is not None:
            return counter
    return lambda: 0


@functools.cache
def _library() -> Any:
    """The OpenBLAS of NumPy's wheel, already loaded with NumPy; None where there is none."""
    package = Path(np.__file__).parent
    for folder in (package.with_name("numpy.libs"), package / ".dylibs"):  # Linux and Windows; macOS
        for path in sorted(folder.glob("libscipy_openblas*")):
            try:
                return ctypes.CDLL(str(path))
            except OSError:
                continue
    return None


def _rounds_once(routine: Any, dtype: Any) -> bool:
    """Whether a² - (1 + 2⁻ᵏ⁺¹) with a = 1 + 2⁻ᵏ keeps a²'s last bit, 2⁻²ᵏ, which a rounded product has not."""
    k = 12 if dtype == np.float32 else 27
    x = np.full(BLOCK, 1 + 2.0**-k, dtype)
    y = np.full(BLOCK, -1 - 2.0 ** (1 - k), dtype)
    routine(BLOCK, 1 + 2.0**-k, _address(x), 1, _address(y), 1)
    return bool((y == 2.0 ** (-2 * k)).all())

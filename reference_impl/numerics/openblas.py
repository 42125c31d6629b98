"""Call the `axpy` of NumPy's BLAS, for which NumPy has no function, and split matrix products where that is faster.

NumPy's wheels include OpenBLAS, whose `axpy` (y += α · x, rounded once) uses the processor's fused multiply-add, as
torch's kernels do. Where there is no such library (another build of NumPy, a browser) or where it rounds twice,
`has_fused_axpy` is false.

On processors with AVX-512, OpenBLAS has special kernels for small matrix products, which do not copy their operands to a packed
layout first. A product with a small dimension, for which that copy is costly, takes as little as half of the time in small pieces.

Guaranteed on any processor: `axpy` rounds once wherever `has_fused_axpy` is true, which is measured on the library rather than derived
from the processor's name; and a product in pieces is a sum of the same numbers. Not guaranteed: the bits of a product. The order in which
OpenBLAS adds depends on its kernels for the processor, on the shape, on the number of threads, and on whether there are pieces. The
sizes of small products are those of OpenBLAS 0.3.31; in another version they only affect the speed.
"""

from __future__ import annotations

import ctypes
import functools
from pathlib import Path
from typing import Any

import numpy as np

BLOCK = 64  # elements: `axpy` fuses whole blocks of 16 to 64 and may round twice in the remainder
CHUNK = 156 * BLOCK  # elements: from 10,000 on OpenBLAS divides the work between its threads, and not at whole blocks

# Multiplications up to which OpenBLAS uses the kernels for small products (sgemm_small_kernel_permit_skylakex.c).
SMALL = 100**3
LEAST_COLUMNS, LEAST_DEPTH, LEAST_FEATURES = 64, 768, 512  # below this, splitting costs more than it saves
_WITH_SMALL_KERNELS = (b"SkylakeX", b"Cooperlake", b"SapphireRapids")  # names of processors in OpenBLAS

_NAMES = {np.dtype(np.float32): ("saxpy", ctypes.c_float), np.dtype(np.float64): ("daxpy", ctypes.c_double)}


def axpy(alpha: float, x: np.ndarray, y: np.ndarray) -> None:
    """Compute `y += alpha * x` with one rounding, for arrays in C order of the same shape and of a dtype that `has_fused_axpy`."""
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
    """Return whether `axpy` supports `dtype`: float32 and float64, if NumPy's BLAS rounds once."""
    return _routine(dtype) is not None


# -- products


def matmul(a: Any, b: Any, out: Any) -> None:
    """Compute out = a · b, matrices (m, k), (k, n) and (m, n), in pieces of columns if that is faster."""
    m, k = a.shape
    width = _small(m * k, b.shape[1], out)
    if width < LEAST_COLUMNS or m < 2:
        np.matmul(a, b, out=out)
    else:
        _matmul_in_pieces(a, b, out, width)


def add_matmul(a: Any, b: Any, total: Any) -> None:
    """Compute total += a · b, matrices (m, k), (k, n) and (m, n), in pieces of columns of a and rows of b if that is faster."""
    (m, k), n = a.shape, b.shape[1]
    depth = _small(m * n, k, total)
    if depth < LEAST_DEPTH:
        total += np.matmul(a, b)
        return
    whole = k - k % depth
    total += np.sum(np.matmul(_columns(a[:, :whole], depth), b[:whole].reshape(-1, depth, n)), axis=0)
    if whole < k:
        total += np.matmul(a[:, whole:], b[whole:])


def multiply_by_transpose(x: Any, w: Any, out: Any) -> bool:
    """Compute out = x · wᵀ in pieces of rows of w, if that is faster: matrices (m, k), (n, k) and (m, n).

    Return True if it was done; otherwise leave `out` unchanged and return False.
    """
    (m, k), n = x.shape, w.shape[0]
    if m > 64 or k < LEAST_FEATURES:  # the kernels for small products gain nothing here
        return False
    width = min(_small(m * k, n, out), 16 if m > 32 else 32)
    if width:
        _matmul_in_pieces(x, w.T, out, width)
    return width > 0


def _matmul_in_pieces(a: Any, b: Any, out: Any, width: int) -> None:
    """Multiply all pieces in one batched call, then the remainder."""
    n = b.shape[1]
    whole = n - n % width
    np.matmul(a, _columns(b[:, :whole], width), out=_columns(out[:, :whole], width))
    if whole < n:
        np.matmul(a, b[:, whole:], out=out[:, whole:])


def _columns(x: Any, width: int) -> Any:
    """Return a view (pieces, m, width) of a matrix (m, pieces · width)."""
    return np.swapaxes(x.reshape(len(x), -1, width), 0, 1)


def _small(each: int, n: int, out: Any) -> int:
    """Return the length of the pieces into which dimension `n` is cut for small products; 0 for no cut.

    `each` is the number of multiplications per unit of `n`. With several threads, uncut products are faster, because OpenBLAS
    splits them between the threads.
    """
    if each * n <= SMALL or not isinstance(out, np.ndarray) or out.dtype not in _NAMES or not each:
        return 0
    most = SMALL // each // 16 * 16
    if most < 16 or not _has_small_kernels() or _threads() != 1:
        return 0
    pieces = -(-n // most)
    return min(most, -(-n // pieces // 16) * 16)


@functools.cache
def _has_small_kernels() -> bool:
    name = getattr(_library(), "scipy_openblas_get_corename64_", None)
    if name is None:
        return False
    name.restype = ctypes.c_char_p
    return name() in _WITH_SMALL_KERNELS


# -- the library


def _address(array: np.ndarray) -> int:
    """Return the address of the first element. For a writable array this takes a quarter of the time of NumPy's methods."""
    if not array.flags.writeable:
        return array.__array_interface__["data"][0]
    return ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type]


@functools.cache
def _routine(dtype: Any) -> Any:
    """Return BLAS' `axpy` for `dtype`, if it rounds once."""
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
    """Return the number of threads of OpenBLAS: OPENBLAS_NUM_THREADS, or the number set later by threadpoolctl."""
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
    """Return the OpenBLAS that NumPy's wheel has loaded; None if NumPy uses another BLAS."""
    package = Path(np.__file__).parent
    for folder in (package.with_name("numpy.libs"), package / ".dylibs"):  # Linux and Windows; macOS
        for path in sorted(folder.glob("libscipy_openblas*")):
            try:
                return ctypes.CDLL(str(path))
            except OSError:
                continue
    return None


def _rounds_once(routine: Any, dtype: Any) -> bool:
    """Return whether `routine` rounds once: it computes a² - (1 + 2⁻ᵏ⁺¹) for a = 1 + 2⁻ᵏ.

    The exact result is 2⁻²ᵏ. If the product a² is rounded first, the result is 0.
    """
    k = 12 if dtype == np.float32 else 27
    x = np.full(BLOCK, 1 + 2.0**-k, dtype)
    y = np.full(BLOCK, -1 - 2.0 ** (1 - k), dtype)
    routine(BLOCK, 1 + 2.0**-k, _address(x), 1, _address(y), 1)
    return bool((y == 2.0 ** (-2 * k)).all())

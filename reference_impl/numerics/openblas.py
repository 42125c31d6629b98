"""Call the `axpy` of NumPy's BLAS, for which NumPy has no function, and split matrix products where that is faster.

NumPy's wheels include OpenBLAS, whose `axpy` (y += α · x, rounded once) uses the processor's fused multiply-add, as
torch's kernels do. Where there is no such library (another build of NumPy, a browser) or where it rounds twice,
`has_fused_axpy` is false.

On processors with AVX-512, OpenBLAS has special kernels for small matrix products, which do not copy their operands to a packed
layout first. For a product with a small dimension that copy is costly. If such a product is split into blocks that are small products,
it takes as little as half of the time.

On any processor, `axpy` rounds once if `has_fused_axpy` is true: the module tests the library instead of trusting the name of the
processor. A product split into blocks adds the same numbers as an unsplit product, but perhaps in another order, so the last bits
may differ. The order depends on the processor, the shape, the number of threads and the blocks. The sizes below are those of
OpenBLAS 0.3.31; with another version they only affect the speed.
"""

from __future__ import annotations

import ctypes
import functools
from pathlib import Path
from typing import Any

import numpy as np

BLOCK = 64  # elements: `axpy` rounds once in full blocks of 16 to 64 elements, but may round twice in the remainder
CHUNK = 156 * BLOCK  # elements: from 10,000 elements on, OpenBLAS splits the work between threads, also within a block

# The largest number of multiplications for which OpenBLAS uses its kernels for small products (sgemm_small_kernel_permit_skylakex.c).
SMALL = 100**3
LEAST_COLUMNS, LEAST_DEPTH, LEAST_FEATURES = 64, 768, 512  # below this, splitting costs more than it saves
_WITH_SMALL_KERNELS = (b"SkylakeX", b"Cooperlake", b"SapphireRapids")  # names of processors in OpenBLAS

_NAMES = {np.dtype(np.float32): ("saxpy", ctypes.c_float), np.dtype(np.float64): ("daxpy", ctypes.c_double)}


def axpy(alpha: float, x: np.ndarray, y: np.ndarray) -> None:
    """Compute `y += alpha * x` with one rounding per element.

    Both arrays must be in C order, with the same shape and the same dtype, for which `has_fused_axpy` must be true.
    """
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
    """Return whether `axpy` supports `dtype`: true for float32 and float64, if NumPy's BLAS rounds once."""
    return _routine(dtype) is not None


# -- products


def matmul(a: Any, b: Any, out: Any) -> None:
    """Write the product a · b into `out`: (m, k), (k, n) -> (m, n). Split b into blocks of columns if that is faster."""
    m, k = a.shape
    width = _block_length(m * k, b.shape[1], out)
    if width < LEAST_COLUMNS or m < 2:
        np.matmul(a, b, out=out)
    else:
        _matmul_in_blocks(a, b, out, width)


def add_matmul(a: Any, b: Any, total: Any) -> None:
    """Add the product a · b to `total`: (m, k), (k, n) -> (m, n). Split dimension k into blocks if that is faster."""
    (m, k), n = a.shape, b.shape[1]
    depth = _block_length(m * n, k, total)
    if depth < LEAST_DEPTH:
        total += np.matmul(a, b)
        return
    whole = k - k % depth
    total += np.sum(np.matmul(_columns(a[:, :whole], depth), b[:whole].reshape(-1, depth, n)), axis=0)
    if whole < k:
        total += np.matmul(a[:, whole:], b[whole:])


def multiply_by_transpose(x: Any, w: Any, out: Any) -> bool:
    """Write the product x · wᵀ into `out` if it is faster to split w into blocks of rows: (m, k), (n, k) -> (m, n).

    Return True if the product was written. Otherwise leave `out` unchanged and return False; the caller should use `np.matmul`.
    """
    (m, k), n = x.shape, w.shape[0]
    if m > 64 or k < LEAST_FEATURES:  # the kernels for small products gain nothing here
        return False
    width = min(_block_length(m * k, n, out), 16 if m > 32 else 32)
    if width:
        _matmul_in_blocks(x, w.T, out, width)
    return width > 0


def _matmul_in_blocks(a: Any, b: Any, out: Any, width: int) -> None:
    """Write a · b into `out`: all blocks of `width` columns of b in one batched product, then the remaining columns."""
    n = b.shape[1]
    whole = n - n % width
    np.matmul(a, _columns(b[:, :whole], width), out=_columns(out[:, :whole], width))
    if whole < n:
        np.matmul(a, b[:, whole:], out=out[:, whole:])


def _columns(x: Any, width: int) -> Any:
    """Split a matrix into blocks of `width` columns: return a view, (m, blocks · width) -> (blocks, m, width)."""
    return np.swapaxes(x.reshape(len(x), -1, width), 0, 1)


def _block_length(each: int, n: int, out: Any) -> int:
    """Return the length of the blocks into which a dimension of length `n` is split; 0 if it is faster not to split it.

    With several threads it is faster not to split, because OpenBLAS divides the product between the threads.

    Args:
        each: number of multiplications per unit of `n`.
    """
    if each * n <= SMALL or not isinstance(out, np.ndarray) or out.dtype not in _NAMES or not each:
        return 0
    most = SMALL // each // 16 * 16
    if most < 16 or not _has_small_kernels() or _threads() != 1:
        return 0
    blocks = -(-n // most)
    return min(most, -(-n // blocks // 16) * 16)


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
    """Return the `axpy` function of BLAS for `dtype`; None if there is no such function or it rounds twice."""
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
    """Return the number of threads of OpenBLAS, as OPENBLAS_NUM_THREADS or later threadpoolctl has set it; 0 if NumPy uses another BLAS."""
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
    """Return whether `routine` rounds once. To test it, compute a² - (1 + 2⁻ᵏ⁺¹) for a = 1 + 2⁻ᵏ.

    The exact result is 2⁻²ᵏ. If the product a² is rounded before the subtraction, the result is 0.
    """
    k = 12 if dtype == np.float32 else 27
    x = np.full(BLOCK, 1 + 2.0**-k, dtype)
    y = np.full(BLOCK, -1 - 2.0 ** (1 - k), dtype)
    routine(BLOCK, 1 + 2.0**-k, _address(x), 1, _address(y), 1)
    return bool((y == 2.0 ** (-2 * k)).all())

"""Check without a GPU whether CuPy would accept the calls that the engine makes on a device.

Without a GPU, CuPy can be imported, makes views and checks most arguments before it starts a kernel. So each call that the engine
makes on the imitated device is repeated on real `cupy.ndarray`s. These use the memory of NumPy arrays, which is never read: when
CuPy raises an error because it needs the GPU, it has accepted the call. An error before that (a missing function, an unknown
argument, a missing method of a ufunc) would occur on a GPU too.

Two things are not checked: the values, and the errors that CuPy raises only after it has started a kernel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

try:
    import cupy
    from cupy_backends.cuda.api.runtime import CUDARuntimeError
    from cupyx.scipy import special
except ImportError:
    cupy = None

SKIP_REASON = "CuPy is not installed: `make cupy` installs it, and needs no GPU"
if cupy is not None and cupy.cuda.is_available():  # a kernel would run on memory that the GPU must not access
    cupy, SKIP_REASON = (
        None,
        "CuPy would run kernels on this GPU: `python -m tests.engine.make_tables.gpu` compares the results there",
    )


def on_gpu(host: np.ndarray) -> Any:
    """Return a `cupy.ndarray` on the memory of `host`, with its shape, strides and dtype."""
    address = host.__array_interface__["data"][0] if host.size else 0
    memory = cupy.cuda.UnownedMemory(address, host.nbytes, host, device_id=0)
    return cupy.ndarray(host.shape, host.dtype, cupy.cuda.MemoryPointer(memory, 0), strides=host.strides)


call_counts: Counter[tuple[str, str]] = Counter()
"""Number of calls that were repeated on CuPy, by kind ("a ufunc", "a method", ...) and name."""


def check_call(call: Callable[[], Any], result: Any) -> None:
    """Run `call`, which uses CuPy arrays, and compare its result with `result`, the result of NumPy, unless this is None.

    An error that says that the GPU or a CUDA library is missing means that CuPy has accepted the call.

    Raises:
        Exception: the error of CuPy, if it refuses the call.
        AssertionError: dtype, shape or strides differ in a result that CuPy computes without a kernel, such as a view.
    """
    try:
        cupy_result = call()
    except CUDARuntimeError:
        return
    except ImportError as error:
        if "Failure finding" in str(error):  # cuBLAS, cuSOLVER and cuFFT are loaded at their first use
            return
        raise
    if result is None:
        return
    for actual, expected in zip(_arrays(cupy_result), _arrays(result), strict=True):
        cupy_layout, numpy_layout = [(a.dtype, a.shape, _strides(a)) for a in (actual, expected)]
        assert cupy_layout == numpy_layout, f"CuPy returns {cupy_layout}, NumPy {numpy_layout}"


def _arrays(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [a for v in value for a in _arrays(v)]
    if isinstance(value, np.generic):  # NumPy returns a scalar where CuPy returns an array of shape ()
        value = np.asarray(value)
    return [value] if isinstance(value, (np.ndarray, cupy.ndarray)) else []


def _strides(array: Any) -> tuple[int, ...]:
    return tuple(s for n, s in zip(array.shape, array.strides, strict=True) if n > 1) if array.size else ()


def check_types(ufunc: np.ufunc, inputs: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> None:
    """Check that CuPy's ufunc has a loop that takes the dtypes of `inputs` and returns the dtype that NumPy returns.

    If `kwargs` contain `dtype`, any loop that returns this dtype is enough. CuPy itself looks for the loop only after it
    has accessed the GPU.

    Raises:
        TypeError: the loop is missing, or has another result dtype.
    """
    cupy_ufunc = getattr(cupy, ufunc.__name__, None) or getattr(special, ufunc.__name__, None)
    if cupy_ufunc is None or ufunc.signature is not None or not hasattr(cupy_ufunc, "types"):
        return  # `matmul` has a kernel for every dtype, and `check_call` reports a missing function
    requested = np.dtype(kwargs["dtype"]).char if kwargs.get("dtype") is not None else None
    dtypes = [x.dtype for x in inputs if isinstance(x, np.ndarray)]
    common = np.result_type(*inputs)
    for loop in cupy_ufunc.types:
        input_chars, output_chars = loop.split("->")
        if requested is not None:
            if output_chars[0] == requested:
                return
        elif all(np.can_cast(d, t, "safe") for d, t in zip(dtypes, input_chars, strict=False)) and np.can_cast(
            common, input_chars[0]
        ):
            actual_dtype, expected_dtype = (
                np.dtype(output_chars[0]),
                result[0].dtype if isinstance(result, tuple) else result.dtype,
            )
            if actual_dtype != expected_dtype and "out" not in kwargs:
                raise TypeError(
                    f"cupy.{ufunc.__name__} returns {actual_dtype} for {[str(d) for d in dtypes]}, NumPy {expected_dtype}"
                )
            return
    raise TypeError(
        f"cupy.{ufunc.__name__} has no loop for {[str(d) for d in dtypes]}, dtype={requested}: {cupy_ufunc.types}"
    )

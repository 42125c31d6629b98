"""Asks CuPy itself, on a machine without a GPU, whether it would take a call.

CuPy imports without a GPU, makes views without one, and looks at most arguments before it starts a kernel. So a call that the
engine makes on a device is made on real `cupy.ndarray`s too. They lie on the memory of NumPy's arrays, which is never read: where
CuPy gets as far as to ask for the GPU, it has taken the call. What it refuses before (a function that it has not got, an argument
that it does not know, a method of a ufunc that it lacks) it would refuse on a GPU as well.

Not seen here: the values, and what a function of CuPy finds fault with after its first kernel.
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

NOT_ASKED = "CuPy is not there to be asked: `make cupy` installs it, and needs no GPU"
if cupy is not None and cupy.cuda.is_available():  # a kernel would run, on memory that a GPU must not touch
    cupy, NOT_ASKED = (
        None,
        "CuPy would not refuse here but run: `python -m tests.engine.gpu_table` judges it on this GPU",
    )


def on_gpu(host: np.ndarray) -> Any:
    """A `cupy.ndarray` with the shape, strides and dtype of `host`."""
    address = host.__array_interface__["data"][0] if host.size else 0
    memory = cupy.cuda.UnownedMemory(address, host.nbytes, host, device_id=0)
    return cupy.ndarray(host.shape, host.dtype, cupy.cuda.MemoryPointer(memory, 0), strides=host.strides)


asked: Counter[tuple[str, str]] = Counter()
"""How often each was asked, by kind and name."""


def ask(call: Callable[[], Any], result: Any) -> None:
    """Make `call` on CuPy's arrays; `result` is what NumPy gave for the same.

    Raises:
        Exception: what CuPy refuses the call with.
        AssertionError: it gives a view, or an array without a kernel, that differs from NumPy's.
    """
    try:
        given = call()
    except CUDARuntimeError:
        return
    except ImportError as error:
        if "Failure finding" in str(error):  # cuBLAS, cuSOLVER, cuFFT: loaded when they are first used
            return
        raise
    if result is None:
        return
    for have, want in zip(_arrays(given), _arrays(result), strict=True):
        seen = [(a.dtype, a.shape, _strides(a)) for a in (have, want)]
        assert seen[0] == seen[1], f"CuPy gives {seen[0]}, NumPy {seen[1]}"


def _arrays(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [a for v in value for a in _arrays(v)]
    if isinstance(value, np.generic):  # what NumPy gives where CuPy has an array without dimensions
        value = np.asarray(value)
    return [value] if isinstance(value, (np.ndarray, cupy.ndarray)) else []


def _strides(array: Any) -> tuple[int, ...]:
    return tuple(s for n, s in zip(array.shape, array.strides, strict=True) if n > 1) if array.size else ()


def check_types(ufunc: np.ufunc, inputs: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> None:
    """Whether CuPy's ufunc has a loop for these dtypes that gives NumPy's: it looks for one only after it has asked for the GPU.

    Raises:
        TypeError: there is none, or it gives another dtype.
    """
    own = getattr(cupy, ufunc.__name__, None) or getattr(special, ufunc.__name__, None)
    if own is None or ufunc.signature is not None or not hasattr(own, "types"):
        return  # `matmul` has a kernel for every dtype; a missing function is refused by CuPy itself
    wanted = np.dtype(kwargs["dtype"]).char if kwargs.get("dtype") is not None else None
    dtypes = [x.dtype for x in inputs if isinstance(x, np.ndarray)]
    common = np.result_type(*inputs)
    for loop in own.types:
        takes, gives = loop.split("->")
        if wanted is not None:
            if gives[0] == wanted:
                return
        elif all(np.can_cast(d, t, "safe") for d, t in zip(dtypes, takes, strict=False)) and np.can_cast(
            common, takes[0]
        ):
            has, want = np.dtype(gives[0]), result[0].dtype if isinstance(result, tuple) else result.dtype
            if has != want and "out" not in kwargs:
                raise TypeError(f"cupy.{ufunc.__name__} gives {has} for {[str(d) for d in dtypes]}, NumPy {want}")
            return
    raise TypeError(f"cupy.{ufunc.__name__} has no loop for {[str(d) for d in dtypes]}, dtype={wanted}: {own.types}")

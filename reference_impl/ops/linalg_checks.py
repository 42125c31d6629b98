"""What the functions of linear algebra ask of their operands, in torch's words."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._dtype import from_numpy


class LinAlgError(RuntimeError):
    """A factorisation that does not exist: a singular matrix, one that is not positive definite."""


LinAlgError.__name__ = "_LinAlgError"
LinAlgError.__qualname__ = "_LinAlgError"
LinAlgError.__module__ = "torch._C"


def check_matrix(name: str, x: Any, letter: str = "A") -> None:
    """Raises:
    RuntimeError: fewer than two dimensions."""
    if x.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor {letter} must have at least 2 dimensions.")


def check_square(name: str, x: Any, letter: str = "A") -> None:
    """Raises:
    RuntimeError: not square matrices."""
    check_matrix(name, x, letter)
    if x.shape[-1] != x.shape[-2]:
        raise RuntimeError(
            f"{name}: {letter} must be batches of square matrices, but they are {x.shape[-2]} by {x.shape[-1]} matrices"
        )


def check_floating(name: str, x: Any, low_precision: bool = False) -> None:
    """Raises:
    RuntimeError: not floating point, or float16."""
    if x.dtype.kind != "f":
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {from_numpy(x.dtype).tensor_type}"
        )
    if x.dtype == np.float16 and not low_precision:
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got {from_numpy(x.dtype).tensor_type}")


def raise_on(info: Any, message: Any) -> None:
    """Raise for the first matrix of the batch whose `info` is not 0.

    Args:
        message: makes the text from that `info`.
    """
    flat = np.reshape(info, (-1,))
    bad = np.nonzero(flat)[0]
    if bad.size:
        first = int(bad[0])
        name, text = message(int(flat[first]))
        where = f"{name}: " + (f"(Batch element {first}): " if info.ndim else "")
        raise LinAlgError(where + text)

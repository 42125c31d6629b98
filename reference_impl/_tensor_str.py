"""Print tensors exactly as torch 2.13 does.

All numbers of a tensor are padded to the same width. Floating-point numbers also share one format, which depends only on the finite
nonzero numbers. The format is scientific notation if the largest absolute value is over 1000 times the smallest or over 1e8, or if the
smallest is under 1e-4. Otherwise the format is `1.` if all are whole numbers, else `precision` decimals. The option `sci_mode` overrides
the choice of scientific notation. For a tensor of more than `threshold` elements, torch prints only `edgeitems` elements at each end of
each dimension, and only the printed elements determine format and width.

Source: torch/_tensor_str.py of PyTorch 2.13.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from reference_impl._backend import to_numpy
from reference_impl._dtype import get_default_dtype

_PROFILES: dict[str, dict[str, Any]] = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}

_options = SimpleNamespace(**_PROFILES["default"], sci_mode=None)


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Change how tensors print. Arguments that are None change nothing, except `sci_mode`.

    Args:
        precision: number of decimals, by default 4.
        threshold: number of elements above which a tensor is summarised, by default 1000.
        edgeitems: number of elements at each end of a dimension of a summary, by default 3.
        linewidth: number of columns, by default 80.
        profile: "default", "short" or "full", applied before the other arguments. Other names are ignored.
        sci_mode: whether to use scientific notation. With None, the default, it depends on the numbers.
    """
    options = dict(_PROFILES.get(profile, {})) if profile is not None else {}
    requested = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    options.update({name: value for name, value in requested.items() if value is not None})
    for name, value in options.items():
        setattr(_options, name, value)
    _options.sci_mode = sci_mode


def get_printoptions() -> dict[str, Any]:
    """Return the current options, as keyword arguments of `set_printoptions`."""
    return dict(vars(_options))


@contextlib.contextmanager
def printoptions(**options: Any) -> Iterator[None]:
    """Context manager: call `set_printoptions(**options)`, and restore the previous options at the end of the block."""
    before = get_printoptions()
    set_printoptions(**options)
    try:
        yield
    finally:
        set_printoptions(**before)


def repr_of(tensor: Any) -> str:
    """Return the text of `Tensor.__repr__`; `Parameter.__repr__` puts "Parameter containing:" above it.

    For a subclass `Mask` of Tensor, the text is `Mask(...)` instead of `tensor(...)`. For a subclass `Scale` of Parameter, it is
    `Parameter(Scale(...))`.
    """
    cls = type(tensor)
    plain = cls.__name__ in ("Tensor", "Parameter") and cls.__module__.startswith(("torch", "reference_impl"))
    try:
        node = tensor.grad_fn
        grad_fn_name = None if node is None else type(node).__name__
    except RuntimeError:
        # `grad_fn` raises for a view that was created under `no_grad` and then modified in place.
        grad_fn_name = "Invalid"
    text = array_repr(
        to_numpy(tensor._array),
        prefix="tensor(" if plain else f"{cls.__name__}(",
        device=None if tensor.device.type == "cpu" else str(tensor.device),
        grad_fn_name=grad_fn_name,
        requires_grad=tensor.requires_grad,
        default_dtype=get_default_dtype().name,
    )
    if not plain and any(base.__name__ == "Parameter" for base in cls.__mro__):
        return f"Parameter({text})"
    return text


def array_repr(
    array: np.ndarray,
    *,
    prefix: str = "tensor(",
    device: str | None = None,
    grad_fn_name: str | None = None,
    requires_grad: bool = False,
    default_dtype: str = "float32",
) -> str:
    """Return the text that torch prints for a tensor with the values of `array`.

    Args:
        prefix: the text before the values.
        device: device to print, or None. torch prints every device except the CPU.
        grad_fn_name: class name of the tensor's `grad_fn`, or None. If there is a name, `requires_grad` is not printed.
        default_dtype: the floating-point dtype that is omitted, as int64 and bool are.
    """
    suffixes = []
    if device is not None:
        suffixes.append(f"device='{device}'")
    size = f"size={tuple(int(n) for n in array.shape)}"
    if array.size == 0:
        # Without elements, only the shape (0,) and the default dtype are not printed.
        shows_size, shows_dtype = array.ndim != 1, array.dtype.name != default_dtype
    else:
        shows_size = not _options.edgeitems
        shows_dtype = array.dtype.name not in (default_dtype, "int64", "bool")
    if shows_size:
        suffixes.append(size)
    if shows_dtype:
        suffixes.append(f"dtype=torch.{array.dtype.name}")
    if grad_fn_name is not None:
        suffixes.append(f"grad_fn=<{grad_fn_name}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    return _with_suffixes(prefix + array_str(array, len(prefix)), suffixes, len(prefix))


def array_str(array: np.ndarray, indent: int = 0) -> str:
    """Return the values in nested brackets. Lines after the first are indented by `indent` + 1 spaces."""
    if array.size == 0:
        return "[]"
    summarize = array.size > _options.threshold
    formatter = _Formatter(_summary_elements(array) if summarize else array)
    return _nested_text(array, indent, summarize, formatter)


class _Formatter:
    """Format numbers as text of one width, floating-point numbers in one format. The elements of `array` determine both."""

    def __init__(self, array: np.ndarray) -> None:
        self.is_float = array.dtype.kind == "f"
        self.int_mode = True
        self.sci_mode = False
        self.max_width = 1
        if not self.is_float:
            self.max_width = max((len(str(v)) for v in array.ravel().tolist()), default=1)
            return
        values = array[np.isfinite(array) & (array != 0)]
        if values.size == 0:
            return
        self.int_mode = bool((values == np.ceil(values)).all())
        magnitudes = np.abs(values)
        self.sci_mode = _needs_sci(float(magnitudes.min()), float(magnitudes.max()))
        self.max_width = max(len(self._number(v)) for v in values.tolist())

    def format(self, value: Any) -> str:
        text = self._number(value) if self.is_float else str(value)
        return text.rjust(self.max_width)

    def _number(self, value: float) -> str:
        if self.sci_mode:
            return f"{value:.{_options.precision}e}"
        if self.int_mode:
            return f"{value:.0f}" + ("." if math.isfinite(value) else "")
        return f"{value:.{_options.precision}f}"


def _needs_sci(smallest: float, largest: float) -> bool:
    if _options.sci_mode is not None:
        return _options.sci_mode
    return largest / smallest > 1000.0 or largest > 1.0e8 or smallest < 1.0e-4


def _summary_elements(array: np.ndarray) -> np.ndarray:
    """Return the elements that a summary prints, as one array."""
    edge = _options.edgeitems
    for dim, n in enumerate(array.shape):
        if n > 2 * edge:
            ends = np.r_[:edge, n - edge : n].astype(np.intp)
            array = np.take(array, ends, axis=dim)
    return array


def _nested_text(array: np.ndarray, indent: int, summarize: bool, formatter: _Formatter) -> str:
    """Return the values in nested brackets. Between subarrays of k dimensions there are k line breaks.

    With `summarize`, "..." replaces the elements in the middle of a long dimension.
    """
    if array.ndim == 0:
        return formatter.format(array.item())
    if array.ndim == 1:
        return _row(array, indent, summarize, formatter)
    edge, n = _options.edgeitems, len(array)
    if summarize and n > 2 * edge:
        parts = [_nested_text(array[i], indent + 1, summarize, formatter) for i in range(edge)]
        parts.append("...")
        parts += [_nested_text(array[i], indent + 1, summarize, formatter) for i in range(n - edge, n)]
    else:
        parts = [_nested_text(part, indent + 1, summarize, formatter) for part in array]
    between = "," + "\n" * (array.ndim - 1) + " " * (indent + 1)
    return "[" + between.join(parts) + "]"


def _row(array: np.ndarray, indent: int, summarize: bool, formatter: _Formatter) -> str:
    edge = _options.edgeitems
    if summarize and not edge:
        data = ["..."]
    elif summarize and len(array) > 2 * edge:
        data = [formatter.format(v) for v in array[:edge].tolist()]
        data.append(" ...")
        data += [formatter.format(v) for v in array[-edge:].tolist()]
    else:
        data = [formatter.format(v) for v in array.tolist()]
    per_line = max(1, math.floor((_options.linewidth - indent) / (formatter.max_width + 2)))
    lines = [", ".join(data[i : i + per_line]) for i in range(0, len(data), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _with_suffixes(text: str, suffixes: list[str], indent: int) -> str:
    """Return `text, suffix, ...)`. A suffix that does not fit into the line begins a new line, indented by `indent` spaces."""
    last_line = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if last_line + len(suffix) + 2 > _options.linewidth:
            text += ",\n" + " " * indent + suffix
            last_line = indent + len(suffix)
        else:
            text += ", " + suffix
            last_line += len(suffix) + 2
    return text + ")"

"""`torch.testing`: whether two results are the same, within what their dtype can hold; if not, where and by how much they differ.

The tolerances and the words are those of torch/testing/_comparison.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from reference_impl._dtype import dtype, float16, float32, float64, int64, promote_types
from reference_impl._tensor import Tensor
from reference_impl.autograd.grad_mode import no_grad
from reference_impl.ops.comparison import isclose
from reference_impl.ops.creation import as_tensor

__all__ = ["assert_close"]

TOLERANCES = {float16: (1e-3, 1e-5), float32: (1.3e-6, 1e-5), float64: (1e-7, 1e-7)}
"""Per dtype `rtol` and `atol`; integers and bools must be equal."""

_DTYPES_OF_NUMBERS = {int: int64, float: float64}


class _Options(NamedTuple):
    rtol: float | None
    atol: float | None
    equal_nan: bool
    allow_subclasses: bool
    check_device: bool
    check_dtype: bool
    check_layout: bool
    check_stride: bool


class _Difference(Exception):
    """What is wrong at one place: the type of the error to raise, its text, and the keys and indices that lead there."""

    def __init__(self, kind: type[Exception], text: str, place: tuple[Any, ...]) -> None:
        self.kind, self.text, self.place = kind, text, place

    def as_error(self, msg: str | Callable[[str], str] | None) -> Exception:
        text = self.text
        if self.place:
            text += f"\n\nThe failure occurred for item {''.join(str([step]) for step in self.place)}"
        if msg is not None:
            text = msg(text) if callable(msg) else msg
        return self.kind(text)


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: str | Callable[[str], str] | None = None,
) -> None:
    """Pass if |actual - expected| <= atol + rtol · |expected| for each element, and shapes and dtypes are the same.

    Args:
        actual, expected: tensors, what `as_tensor` takes, Python numbers, bools or None; or sequences and mappings of these.
        allow_subclasses: whether a Tensor may stand beside one of its subclasses.
        rtol, atol: both or neither; by default the looser of what TOLERANCES has for the two dtypes.
        equal_nan: whether nan is close to nan.
        check_device, check_dtype, check_layout, check_stride: whether a difference in this is an error.
        msg: the text of the error; or a function that makes it of the one given here.

    Raises:
        AssertionError: they differ; the text says how many elements, and where most.
        ValueError: only one of `rtol` and `atol` is given.
        TypeError: nothing that can be compared.
    """
    __tracebackhide__ = True  # pytest shows the line of the caller
    options = _Options(rtol, atol, equal_nan, allow_subclasses, check_device, check_dtype, check_layout, check_stride)
    error: Exception | None = None
    with no_grad():
        try:
            checks = list(
                _checks(actual, expected, (), options)
            )  # what has no counterpart is said first, and not in words of `msg`
        except _Difference as difference:
            error, checks = difference.as_error(None), []
        try:
            for check in checks:
                check()
        except _Difference as difference:
            error = difference.as_error(msg)
    if error is not None:
        raise error


def _checks(actual: Any, expected: Any, place: tuple[Any, ...], options: _Options) -> Iterator[Callable[[], None]]:
    """What is to be checked, through sequences and mappings; `place` leads to where this pair stands."""

    def fail(kind: type[Exception], text: str) -> NoReturn:
        raise _Difference(kind, text, place)

    if all(isinstance(x, Sequence) and not isinstance(x, str) for x in (actual, expected)):
        if len(actual) != len(expected):
            fail(AssertionError, f"The length of the sequences mismatch: {len(actual)} != {len(expected)}")
        for index in range(len(actual)):
            yield from _checks(actual[index], expected[index], (*place, index), options)
    elif isinstance(actual, Mapping) and isinstance(expected, Mapping):
        if actual.keys() != expected.keys():
            fail(AssertionError, _different_keys(actual, expected))
        for key in _sorted_if_possible(actual):
            yield from _checks(actual[key], expected[key], (*place, key), options)
    elif actual is None or expected is None:
        if actual is not expected:
            yield lambda: fail(AssertionError, f"None mismatch: {actual} is not {expected}")
    elif all(isinstance(x, (bool, np.bool_)) for x in (actual, expected)):
        if bool(actual) is not bool(expected):
            yield lambda: fail(AssertionError, f"Booleans mismatch: {bool(actual)} is not {bool(expected)}")
    elif all(isinstance(x, (int, float, np.number)) for x in (actual, expected)):
        one, other = (x.item() if isinstance(x, np.number) else x for x in (actual, expected))
        tolerances = _tolerances(options, fail, *[_DTYPES_OF_NUMBERS.get(type(x), int64) for x in (one, other)])
        yield lambda: _compare_numbers(one, other, *tolerances, options, fail)
    else:
        first, second = _as_tensors(actual, expected, options, fail)
        tolerances = _tolerances(options, fail, first.dtype, second.dtype)
        yield lambda: _compare_tensors(first, second, *tolerances, options, fail)


def _different_keys(actual: Mapping[Any, Any], expected: Mapping[Any, Any]) -> str:
    return (
        "The keys of the mappings do not match:\n"
        f"Missing keys in the actual mapping: {sorted(expected.keys() - actual.keys())}\n"
        f"Additional keys in the actual mapping: {sorted(actual.keys() - expected.keys())}"
    )


def _sorted_if_possible(keys: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(keys)
    except TypeError:
        return list(keys)


def _tolerances(options: _Options, fail: Callable[..., NoReturn], *dtypes: dtype) -> tuple[float, float]:
    """`rtol` and `atol` as given, or the looser ones of these dtypes."""
    rtol, atol = options.rtol, options.atol
    if rtol is not None and atol is not None:
        return rtol, atol
    if rtol is not None or atol is not None:
        missing = "rtol" if rtol is None else "atol"
        fail(ValueError, f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}.")
    rtols, atols = zip(*[TOLERANCES.get(each, (0.0, 0.0)) for each in dtypes], strict=True)
    return max(rtols), max(atols)


def _as_tensors(actual: Any, expected: Any, options: _Options, fail: Callable[..., NoReturn]) -> tuple[Tensor, Tensor]:
    """Both as tensors, if they are of related types that `as_tensor` takes."""
    related = isinstance(actual, type(expected)) or isinstance(expected, type(actual))
    if related and (options.allow_subclasses or type(actual) is type(expected)):
        try:
            return as_tensor(actual), as_tensor(expected)
        except Exception:  # whatever it is that as_tensor does not take
            pass
    types = f"{type(actual)} and {type(expected)}"
    return fail(TypeError, f"No comparison pair was able to handle inputs of type {types}.")


def _compare_numbers(
    actual: Any, expected: Any, rtol: float, atol: float, options: _Options, fail: Callable[..., NoReturn]
) -> None:
    if options.check_dtype and type(actual) is not type(expected):
        fail(AssertionError, f"The (d)types do not match: {type(actual)} != {type(expected)}.")
    if actual == expected or (options.equal_nan and math.isnan(actual) and math.isnan(expected)):
        return
    difference = abs(actual - expected)
    if not (math.isfinite(difference) and difference <= atol + rtol * abs(expected)):
        fail(AssertionError, _text_for_numbers(actual, expected, rtol, atol))


def _compare_tensors(
    actual: Tensor, expected: Tensor, rtol: float, atol: float, options: _Options, fail: Callable[..., NoReturn]
) -> None:
    for name, one, other, matters in (
        ("shape", actual.shape, expected.shape, True),
        ("layout", actual.layout, expected.layout, options.check_layout),
        ("stride()", actual.stride(), expected.stride(), options.check_stride),
        ("device", actual.device, expected.device, options.check_device),
        ("dtype", actual.dtype, expected.dtype, options.check_dtype),
    ):
        if matters and one != other:
            fail(AssertionError, f"The values for attribute '{name}' do not match: {one} != {other}.")
    if actual.device != expected.device:
        actual, expected = actual.cpu(), expected.cpu()
    if actual.dtype != expected.dtype:
        common = promote_types(actual.dtype, expected.dtype)
        actual, expected = actual.to(common), expected.to(common)
    matches = isclose(actual, expected, rtol, atol, options.equal_nan)
    if matches.all():
        return
    if actual.ndim == 0:
        fail(AssertionError, _text_for_numbers(actual.item(), expected.item(), rtol, atol))
    fail(AssertionError, _text_for_tensors(actual, expected, matches, rtol, atol))


def _text_for_numbers(actual: Any, expected: Any, rtol: float, atol: float) -> str:
    absolute = abs(actual - expected)
    relative = math.inf if expected == 0 else absolute / abs(expected)
    allowed = ("", "") if rtol == atol == 0 else (f" (up to {atol} allowed)", f" (up to {rtol} allowed)")
    return (
        f"Scalars are not {'equal' if rtol == atol == 0 else 'close'}!\n\n"
        f"Expected {expected} but got {actual}.\n"
        f"Absolute difference: {absolute}{allowed[0]}\n"
        f"Relative difference: {relative}{allowed[1]}"
    )


def _text_for_tensors(actual: Tensor, expected: Tensor, matches: Tensor, rtol: float, atol: float) -> str:
    """How many elements differ, and where by most; those that match count as no difference."""
    count, shape = matches.numel(), tuple(matches.shape)
    different = count - int(matches.sum())
    if not actual.dtype.is_floating_point:
        actual, expected = actual.to(int64), expected.to(int64)  # a difference of uint8 must not wrap around
    same = matches.flatten()
    absolute = (actual.flatten() - expected.flatten()).abs()
    absolute[same] = 0
    relative = absolute / expected.flatten().abs()
    relative[same] = 0
    lines = [f"Mismatched elements: {different} / {count} ({different / count:.1%})"]
    for name, values, allowed in (("absolute", absolute, atol), ("relative", relative, rtol)):
        most, where = values.max(0)
        place = tuple(int(index) for index in np.unravel_index(int(where), shape))
        tolerance = "" if rtol == atol == 0 else f" (up to {allowed} allowed)"
        lines.append(f"Greatest {name} difference: {most.item()} at index {place}{tolerance}")
    return f"Tensor-likes are not {'equal' if rtol == atol == 0 else 'close'}!\n\n" + "\n".join(lines)

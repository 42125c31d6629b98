"""Compare an operation of the engine with PyTorch, on the samples of PyTorch's test suite.

`torch.testing._internal.common_methods_invocations.op_db` holds an OpInfo per operation: sample inputs for every dtype and
inputs that must raise an error. `judge(op)` runs all of them on both engines and compares

    forward     values, dtype and shape of the results, of the function and of the tensor method
    layout      strides of dimensions longer than 1, and whether the result shares memory with an input
    grad_fn     which results require a gradient, and the name of their node
    gradient    the gradient of every input, for a fixed random gradient of the results
    second      the gradients of these gradients, where torch has them (float64)
    in-place    the in-place form: result, gradient, or the error that torch raises
    out         the form with `out=`
    errors      type and message of the error for inputs that must raise one

By default all samples of float64, float32, int64 and bool are used (see `op_samples`). Samples that cannot be compared are counted
with the reason.
"""

from __future__ import annotations

import functools
import types
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import numpy as np
import torch

import reference_impl as engine
from tests.engine.op_samples import Choose, choose_every
from tests.engine.torch_bridge import (
    OutOfScope,
    array_of,
    copy_of,
    difference,
    layout_difference,
    shares_memory,
    tensors_in,
    to_engine,
)

DTYPES = (torch.float64, torch.float32, torch.int64, torch.bool)
KINDS = ("forward", "layout", "grad_fn", "gradient", "second", "in-place", "out", "errors")
MAX_FAILURES_PER_KIND = 3  # further failures are only counted

# Sorts without `stable=True`: torch's order of equal elements depends on the vector unit of the CPU, so the values that the indices
# select are compared, not the indices. Maps an operation to the position of `dim` in `args`.
UNSTABLE_SORTS = {"sort": 0, "argsort": 0, "topk": 1}

# With a bias but no weight, torch's second derivative raises "Expected a proper Tensor but got None".
NO_SECOND_IN_TORCH = {"native_layer_norm": lambda input, args, kwargs: args[1] is None and args[2] is not None}

# Operations whose results are uninitialised memory: only shape, dtype and strides are compared.
UNINITIALISED = {"empty", "empty_like", "new_empty", "empty_strided", "new_empty_strided", "empty_permuted", "resize_",
                 "resize_as_"}  # fmt: skip


@dataclass
class Verdict:
    """The result of comparing an operation or a module.

    Attributes:
        passed, total: number of comparisons by kind ("forward", "gradient", ...).
        passed_by_float64: number of comparisons by kind that passed although the float32 results differ: measured against torch's
            float64 result, the error of the engine is at most twice the error of torch.
        failures: the first few failures of each kind, as text.
        left_out: number of samples not compared, by reason.
    """

    name: str
    dtypes: list[str] = field(default_factory=list)
    samples: int = 0
    passed: Counter[str] = field(default_factory=Counter)
    total: Counter[str] = field(default_factory=Counter)
    failures: dict[str, list[str]] = field(default_factory=dict)
    passed_by_float64: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def right(self) -> bool:
        """Return whether every comparison passed."""
        return not self.failures

    def count(self, kind: str, mismatch: str | None, sample: str = "") -> None:
        """Count a comparison. `mismatch` describes the difference; None means that the results agree."""
        self.total[kind] += 1
        if mismatch is None:
            self.passed[kind] += 1
        else:
            failures = self.failures.setdefault(kind, [])
            if len(failures) < MAX_FAILURES_PER_KIND:
                failures.append(f"{sample}: {mismatch}")


def full_name(op: Any) -> str:
    """Return the name of an OpInfo with its variant, such as `norm.nuc`."""
    return f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name


# -- finding an operation in the engine


def lookup(name: str) -> Callable[..., Any] | None:
    """Return the engine's function `name`, as in `linalg.norm`, else the tensor method or the getter of the property, else None."""
    target: Any = engine
    for part in name.split("."):
        try:
            target = getattr(target, part)
        except ModuleNotFoundError:
            target = None
        except AttributeError as error:
            if error.name != part:  # an error in the module of the operation, which this access imports
                raise
            target = None
    if not callable(target) or isinstance(target, engine.dtype):
        target = getattr(engine.Tensor, name, None)
        if isinstance(target, property):
            return target.fget
    return target if callable(target) else None


LEFT_OUT_OPERATIONS = {"svd", "linalg.svd", "linalg.eigh"}
"""Operations whose vectors are unique only up to their signs, which differ between the LAPACKs of NumPy and torch. sessions/learners.txt and
lines/linear_algebra.txt compare their unique results."""


def engine_callable(op: Any) -> Callable[..., Any] | None:
    """Return the engine's function for `op`, or None if the engine lacks it or LEFT_OUT_OPERATIONS lists it.

    If torch's test suite wraps the operation in a function, return a copy of the wrapper that calls the engine, see `rebind`.
    """
    if full_name(op) in LEFT_OUT_OPERATIONS:
        return None
    # Some operations, such as `uniform`, exist only in place, as `uniform_`.
    candidate = lookup(op.name) or getattr(engine.Tensor, op.name + "_", None)
    if candidate is None:
        return None
    function = op.op
    if isinstance(function, types.FunctionType) and function.__module__.startswith("torch.testing"):
        return rebind(function)
    return candidate


def rebind(function: types.FunctionType) -> Callable[..., Any]:
    """Copy a function of torch's test suite, such as `lambda x: x.expand(...)`; in the copy, `torch` is the engine."""
    names = dict(function.__globals__)
    names["torch"] = engine
    names["wrapper_set_seed"] = _with_seed
    if "F" in names:
        names["F"] = engine.nn.functional
    copy = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def _with_seed(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    engine.manual_seed(42)
    return op(*args, **kwargs)


# -- running a sample on both engines


@dataclass
class Outcome:
    """The result of a call or the error that it raised, and the tensors in its arguments."""

    result: Any = None
    error: BaseException | None = None
    inputs: list[Any] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Return class and message of the error, as `ValueError: message`. Read it only if there is an error."""
        return f"{type(self.error).__name__}: {_message(self.error)}"


def _message(error: BaseException | None) -> str:
    """Return the message without the C++ frames that torch appends. A KeyError keeps its quotes."""
    text = str(error)
    return text.split("\nException raised from")[0].strip()


def run(function: Callable[..., Any], sample: tuple[Any, Any, Any]) -> Outcome:
    """Call a function on a sample (input, args, kwargs) and return its result or error."""
    input, args, kwargs = sample
    out = Outcome(inputs=tensors_in([input, args, kwargs]))
    try:
        out.result = function(input, *args, **kwargs)
    except Exception as error:
        out.error = error
    return out


def seed() -> None:
    """Seed the generators of both engines."""
    torch.default_generator.manual_seed(0)
    engine.default_generator.manual_seed(0)


@contextmanager
def quick_seeding() -> Iterator[None]:
    """Disable two slow features of torch that samples do not need.

    `torch.manual_seed` also queues a call, with a formatted stack, for devices that may be initialised later. This takes 3 ms. Each
    request for samples searches the stack, with the source of each frame, for a unittest. This takes 80 ms below pytest.
    """
    with ExitStack() as patches:
        for module in ("common_utils", "opinfo.core"):
            patches.enter_context(mock.patch(f"torch.testing._internal.{module}.extract_test_fn", lambda: None))
        for device in ("cuda", "xpu", "mtia"):
            patches.enter_context(mock.patch(f"torch.{device}.manual_seed_all", int))
        yield


def judge(
    op: Any, dtypes: tuple[Any, ...] = DTYPES, kinds: tuple[str, ...] = KINDS, choose: Choose = choose_every
) -> Verdict:
    """Compare an operation with torch on the samples that `choose` selects. The module docstring lists the kinds of comparisons."""
    verdict = Verdict(full_name(op))
    function = engine_callable(op)
    assert function is not None, f"the engine has no {op.name}"
    with warnings.catch_warnings(), quick_seeding():
        warnings.simplefilter("ignore")
        for dtype in dtypes:
            if dtype not in op.supported_dtypes("cpu"):
                continue
            verdict.dtypes.append(str(dtype).removeprefix("torch."))
            wants_grad = dtype.is_floating_point and op.supports_autograd
            seed()
            for sample in choose(op.sample_inputs("cpu", dtype, requires_grad=wants_grad), dtype):
                _Sample(op, function, sample, dtype, verdict, kinds).judge()
        if "errors" in kinds and op.error_inputs_func is not None:
            _judge_errors(op, function, verdict)
    return verdict


class _Sample:
    """A sample input and its comparisons."""

    def __init__(
        self, op: Any, function: Any, sample: Any, dtype: Any, verdict: Verdict, kinds: tuple[str, ...]
    ) -> None:
        self.op, self.function, self.verdict, self.dtype = op, function, verdict, dtype
        self.values = (sample.input, sample.args, sample.kwargs)
        self.broadcasts = sample.broadcasts_input
        self.kinds = kinds
        self.text = f"{str(dtype).removeprefix('torch.')} {describe_sample(self.values)}"

    def copies(self) -> tuple[Any, Any]:
        """Return copies of the arguments for torch and for the engine."""
        return copy_of(self.values), to_engine(self.values)

    def count(self, kind: str, mismatch: str | None) -> None:
        """Count a comparison in the verdict if its kind was requested."""
        if kind in self.kinds:
            self.verdict.count(kind, mismatch, self.text)

    def judge(self) -> None:
        """Run the sample on both engines and make all comparisons."""
        try:
            torch_values, engine_values = self.copies()
        except OutOfScope as reason:
            self.verdict.left_out[str(reason)] += 1
            return
        seed()
        expected = run(self.op.op, torch_values)
        if any(t.is_complex() for t in tensors_in(expected.result)):
            self.verdict.left_out["complex result"] += 1
            return
        if any(t.layout != torch.strided for t in tensors_in(expected.result)):
            self.verdict.left_out["sparse result"] += 1
            return
        if any(str(t.dtype) == "torch.bfloat16" for t in tensors_in(expected.result)):
            self.verdict.left_out["dtype torch.bfloat16"] += 1
            return
        self.verdict.samples += 1
        seed()
        actual = run(self.function, engine_values)
        if self.compare_outcomes("forward", expected, actual):
            if expected.error is None:
                self.compare_structure(expected, actual)
                self.compare_gradients(expected, actual)
                self.compare_method(expected)
        if expected.error is None:
            self.compare_inplace()
            self.compare_out(expected)

    def compare_outcomes(
        self, kind: str, expected: Outcome, actual: Outcome, scale: float = 1.0, method: Any = None
    ) -> bool:
        """Compare results or errors, count the comparison, and return whether they agree.

        Args:
            method: the torch function that computed `expected`, if not the operation's. It is called again in float64.
        """
        mismatch = None
        if expected.error is not None or actual.error is not None:
            if expected.error is None:
                mismatch = actual.text
            elif actual.error is None:
                mismatch = f"no error instead of {expected.text}"
            elif expected.text != actual.text:
                mismatch = f"{actual.text} INSTEAD OF {expected.text}"
        elif self.op.name in UNINITIALISED:
            mismatch = difference(_zero_tensor(expected.result), _zero_tensor(actual.result))
        elif kind == "forward":
            mismatch = difference(
                self.with_comparable_sort(expected.result), self.with_comparable_sort(actual.result), scale
            )
        else:
            mismatch = difference(expected.result, actual.result, scale)
        if mismatch and self.dtype is torch.float32 and expected.error is None and actual.error is None:
            if self.is_within_float32_error(kind, expected, actual, method or self.op.op):
                mismatch = None
                self.verdict.passed_by_float64[kind] += 1
        self.count(kind, mismatch)
        return mismatch is None

    def is_within_float32_error(self, kind: str, expected: Outcome, actual: Outcome, function: Any) -> bool:
        """Return whether the engine's float32 error is at most twice torch's, both measured against torch's float64 result."""
        if difference(_zero_tensors(expected.result), _zero_tensors(actual.result)) is not None:
            return False
        seed()
        exact = run(function, in_float64(self.values))
        if kind == "gradient" and exact.error is None:
            exact = Backward(torch, exact).gradients()
        if exact.error is not None:
            return False
        return all(
            is_nearly_as_exact(*(array_of(t) for t in tensors))
            for tensors in zip(*(tensors_in(r) for r in (exact.result, expected.result, actual.result)), strict=True)
        )

    def with_comparable_sort(self, result: Any) -> Any:
        """Return the result of an unstable sort with values instead of indices, and other results unchanged."""
        if self.op.name in UNSTABLE_SORTS and not self.values[2].get("stable") and self.values[0].ndim:
            return self.with_values_for_indices(result)
        return result

    def with_values_for_indices(self, result: Any) -> Any:
        """Replace the indices in the result of a sort by the elements that they select."""
        input, args, kwargs = self.values
        dim = kwargs.get("dim", (*args[UNSTABLE_SORTS[self.op.name] :], -1)[0])
        *values, indices = tensors_in(result)
        if isinstance(indices, torch.Tensor):
            return [*values, input.detach().gather(dim, indices)]
        return [*values, to_engine(input.detach().gather(dim, torch.from_numpy(array_of(indices))))]

    def compare_structure(self, expected: Outcome, actual: Outcome) -> None:
        """Compare strides, memory shared with inputs, `requires_grad`, and the names of nodes."""
        for e, a in zip(tensors_in(expected.result), tensors_in(actual.result), strict=True):
            self.count("layout", layout_difference(e, a) or _memory_difference(e, a, expected, actual))
            if e.requires_grad != a.requires_grad:
                self.count("grad_fn", f"requires_grad {a.requires_grad} instead of {e.requires_grad}")
            elif e.grad_fn is not None or a.grad_fn is not None:
                names = [None if t.grad_fn is None else t.grad_fn.name() for t in (e, a)]
                self.count("grad_fn", None if names[0] == names[1] else f"{names[1]} instead of {names[0]}")

    def compare_gradients(self, expected: Outcome, actual: Outcome) -> None:
        """Compare gradients and second gradients, if the operation has them and they were requested."""
        if not (self.op.supports_autograd and self.dtype.is_floating_point) or not {"gradient", "second"} & set(
            self.kinds
        ):
            return
        compare_backward(self, expected, actual)

    def compare_method(self, expected: Outcome) -> None:
        """Compare the results of the tensor method on both engines."""
        method = self.op.method_variant
        if method is None or not isinstance(self.values[0], torch.Tensor) or lookup_method(self.op) is None:
            return
        torch_values, engine_values = self.copies()
        seed()
        expected_outcome = run(method, torch_values)
        seed()
        self.compare_outcomes("forward", expected_outcome, run(lookup_method(self.op), engine_values), method=method)

    def compare_inplace(self) -> None:
        """Compare the in-place form on copies of the input, if torch has one."""
        method = self.op.inplace_variant
        if method is None or not isinstance(self.values[0], torch.Tensor) or "in-place" not in self.kinds:
            return
        name = getattr(method, "__name__", "")
        engine_method = getattr(engine.Tensor, name, None) or _function_inplace(method)
        if engine_method is None:
            self.count("in-place", f"no Tensor.{name}")
            return
        torch_values, engine_values = self.copies()
        outcomes = []
        for function, (input, args, kwargs) in ((method, torch_values), (engine_method, engine_values)):
            seed()
            outcome = run(_apply_to_copy(function), (input, args, kwargs))
            outcomes.append(outcome)
        if self.compare_outcomes("in-place", *outcomes, method=_apply_to_copy(method)) and outcomes[0].error is None:
            compare_backward(self, *outcomes, kind="in-place", second=False)

    def compare_out(self, expected: Outcome) -> None:
        """Compare the form with `out=`, if torch has one. Gradients are not recorded in this form."""
        if not self.op.supports_out or "out" not in self.kinds:
            return
        if not isinstance(expected.result, torch.Tensor) or any(t.requires_grad for t in tensors_in(expected.result)):
            return
        torch_values, engine_values = self.copies()
        if torch_values[2].get("out") is not None:
            return
        outcomes = []
        dtype = expected.result.dtype
        for out, function, (input, args, kwargs) in (
            (torch.empty(0, dtype=dtype), self.op.op, torch_values),
            (to_engine(torch.empty(0, dtype=dtype)), self.function, engine_values),
        ):
            seed()
            outcome = run(function, (input, args, {**kwargs, "out": out}))
            if outcome.error is None and outcome.result is not out:
                outcome.error = AssertionError("the result is not `out`")
            outcomes.append(outcome)
        self.compare_outcomes("out", *outcomes)


def lookup_method(op: Any) -> Callable[..., Any] | None:
    """Return the engine's tensor method for `op`, or None."""
    return getattr(engine.Tensor, getattr(op.method_variant, "__name__", ""), None)


def _zero_tensor(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return torch.zeros_like(value)
    return engine.zeros_like(value) if isinstance(value, engine.Tensor) else value


def _zero_tensors(value: Any) -> Any:
    """Replace the tensors in a result by zeros of the same shape and dtype, so that only the structure is compared."""
    if isinstance(value, dict):
        return {key: _zero_tensors(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_zero_tensors(v) for v in value]
    return _zero_tensor(value)


def in_float64(value: Any) -> Any:
    """Copy `value` for PyTorch, and convert float32 tensors and dtypes to float64."""
    if isinstance(value, torch.Tensor) and value.dtype is torch.float32:
        return value.detach().double().requires_grad_(value.requires_grad)
    if isinstance(value, (list, tuple)):
        return type(value)([in_float64(v) for v in value])
    if isinstance(value, dict):
        return {key: in_float64(v) for key, v in value.items()}
    return torch.float64 if value is torch.float32 else copy_of(value)


def is_nearly_as_exact(exact: np.ndarray, expected: np.ndarray, actual: np.ndarray) -> bool:
    """Return whether the largest error of `actual` against `exact` is at most twice that of `expected`.

    Integers, infinite values and nan must be equal in `actual` and `expected`.
    """
    if exact.dtype.kind != "f" or exact.shape != actual.shape:
        return bool(np.array_equal(expected, actual))
    with np.errstate(all="ignore"):
        finite = np.isfinite(exact) & np.isfinite(actual) & np.isfinite(expected)
        same = finite | (actual == expected) | (np.isnan(actual) & np.isnan(expected))
        errors = [float(np.max(np.abs(x - exact), where=finite, initial=0)) for x in (expected, actual)]
    return bool(np.all(same)) and errors[1] <= 2 * errors[0]


def _memory_difference(torch_tensor: Any, engine_tensor: Any, expected: Outcome, actual: Outcome) -> str | None:
    if torch_tensor.numel() == 0:
        return None
    expected_sharing = shares_memory(torch_tensor, expected.inputs)
    actual_sharing = shares_memory(engine_tensor, actual.inputs)
    return (
        None
        if expected_sharing == actual_sharing
        else f"shares memory with inputs {actual_sharing} instead of {expected_sharing}"
    )


def _function_inplace(method: Any) -> Callable[..., Any] | None:
    """Return the engine's function for an in-place form that is not a tensor method, else None.

    Such forms are `lambda x: F.relu6(x, inplace=True)` and `partial(F.mish, inplace=True)`.
    """
    if isinstance(method, functools.partial):
        function = lookup(f"nn.functional.{method.func.__name__}")
        return None if function is None else functools.partial(function, *method.args, **method.keywords)
    if isinstance(method, types.FunctionType) and method.__module__.startswith("torch.testing"):
        return rebind(method)
    return None


def _apply_to_copy(method: Callable[..., Any]) -> Callable[..., Any]:
    def call(input: Any, *args: Any, **kwargs: Any) -> Any:
        copy = input.clone()
        result = method(copy, *args, **kwargs)
        if result is not copy:
            raise AssertionError("an in-place operation returned another tensor")
        return copy

    return call


# -- gradients


def compare_backward(
    sample: _Sample, expected: Outcome, actual: Outcome, kind: str = "gradient", second: bool = True
) -> None:
    """Compare the gradients and, if `second`, the second gradients, where torch has them."""
    torch_backward, engine_backward = Backward(torch, expected), Backward(engine, actual)
    if not torch_backward.outputs or not torch_backward.inputs:
        return
    if len(torch_backward.outputs) != len(engine_backward.outputs):
        return  # the comparison `grad_fn` has reported this
    if not sample.compare_outcomes(kind, torch_backward.gradients(), engine_backward.gradients(), scale=10.0):
        return
    if NO_SECOND_IN_TORCH.get(sample.op.name, lambda *values: False)(*sample.values):
        sample.verdict.left_out["second derivative without weight: an error of torch"] += 1
        return
    if second and sample.op.supports_gradgrad and sample.dtype is torch.float64 and "second" in sample.kinds:
        sample.compare_outcomes(
            "second", torch_backward.second_gradients(), engine_backward.second_gradients(), scale=100.0
        )


class Backward:
    """Computes the gradients of an outcome on an engine, from random output gradients that are equal on both engines."""

    def __init__(self, library: Any, outcome: Outcome) -> None:
        self.library = library
        self.outputs = [t for t in tensors_in(outcome.result) if t.requires_grad]
        self.inputs = [t for t in outcome.inputs if t.requires_grad]

    def _cotangents(self, tensors: list[Any], start: int) -> list[Any]:
        cotangents = []
        for i, t in enumerate(tensors):
            # rounded to float32, so that they are equal in float64
            numbers = np.random.default_rng(start + i).uniform(-1, 1, tuple(t.shape)).astype(np.float32)
            numbers = numbers.astype(array_of(t).dtype)
            cotangents.append(
                torch.from_numpy(np.asarray(numbers))
                if self.library is torch
                else engine.Tensor._wrap(np.asarray(numbers))
            )
        return cotangents

    def _grad(self, outputs: list[Any], inputs: list[Any], cotangents: list[Any], **options: Any) -> Outcome:
        outcome = Outcome()
        try:
            outcome.result = self.library.autograd.grad(outputs, inputs, cotangents, allow_unused=True, **options)
        except Exception as error:
            outcome.error = error
        return outcome

    def gradients(self) -> Outcome:
        """Return the gradients of the inputs, or the error, as an Outcome. The graph is retained."""
        return self._grad(self.outputs, self.inputs, self._cotangents(self.outputs, 1), retain_graph=True)

    def second_gradients(self) -> Outcome:
        """Return the gradients of the gradients with respect to the inputs and the output gradients, or the error, as an Outcome."""
        cotangents = [c.requires_grad_() for c in self._cotangents(self.outputs, 1)]
        first = self._grad(self.outputs, self.inputs, cotangents, create_graph=True)
        if first.error is not None:
            return first
        firsts = {i: g for i, g in enumerate(first.result) if g is not None and g.requires_grad}
        targets = self.inputs + cotangents
        if not firsts:
            return Outcome(result=[_zeros_for(self.library, t) for t in targets])
        seconds = self._grad(
            list(firsts.values()), targets, [self._cotangents([g], 100 + i)[0] for i, g in firsts.items()]
        )
        if seconds.error is None:
            # A second gradient of zeros may be None on one engine and computed on the other.
            seconds.result = [
                _zeros_for(self.library, t) if g is None else g for g, t in zip(seconds.result, targets, strict=True)
            ]
        return seconds


def _zeros_for(library: Any, t: Any) -> Any:
    return torch.zeros_like(t.detach()) if library is torch else engine.Tensor._wrap(np.zeros_like(t._array))


# -- errors


def _judge_errors(op: Any, function: Any, verdict: Verdict) -> None:
    seed()
    for error_input in op.error_inputs("cpu"):
        sample = error_input.sample_input
        values = (sample.input, sample.args, sample.kwargs)
        if op.name.startswith("__r") and not isinstance(sample.input, torch.Tensor):
            verdict.left_out["a slot of C called on a number"] += 1
            continue
        try:
            engine_values = to_engine(values)
            torch_values = copy_of(values)
        except OutOfScope as reason:
            verdict.left_out[str(reason)] += 1
            continue
        expected = run(op.op, torch_values)
        if expected.error is None:
            continue
        actual = run(function, engine_values)
        mismatch = None
        if actual.error is None:
            mismatch = f"no error instead of {expected.text}"
        elif expected.text != actual.text:
            mismatch = f"{actual.text} INSTEAD OF {expected.text}"
        verdict.count("errors", mismatch, describe_sample(values))


def describe_sample(values: tuple[Any, Any, Any]) -> str:
    """Format a sample (input, args, kwargs) on a line, as in `(float32[5, 5], 2, dim=1)`."""
    input, args, kwargs = values
    parts = [
        _format_value(input),
        *[_format_value(a) for a in args],
        *[f"{k}={_format_value(v)}" for k, v in kwargs.items()],
    ]
    return f"({', '.join(parts)})"


def _format_value(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        text = f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
        return f"{text}={value.item()}" if value.numel() == 1 and not value.is_sparse else text
    if isinstance(value, (list, tuple)):
        inside = ", ".join(_format_value(v) for v in value)
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    return repr(value)

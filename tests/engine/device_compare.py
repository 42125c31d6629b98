"""Run the samples of op_db and module_db with the engine on the device 'cuda' and on the CPU, and compare the results.

The caller registers the array module of 'cuda': the imitation in `device_arrays`, which refuses what CuPy refuses, or CuPy on a GPU
(`make_tables.gpu`).
Values, dtype, shape, strides and device are compared for results, gradients and second gradients.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

import reference_impl as engine
from reference_impl import _backend
from tests.engine import module_compare
from tests.engine.op_compare import UNINITIALISED, Outcome, engine_callable, quick_seeding, run, seed
from tests.engine.op_samples import spread_evenly
from tests.engine.torch_bridge import OutOfScope, tensors_in, to_engine

ORDER = "another order in memory,"
"""Text that marks a difference of strides alone."""

DTYPES = (torch.float32, torch.int64, torch.bool)


def move_to_device(value: Any) -> Any:
    """Return `value` with its tensors, also those in containers, copied to the device; keep strides, offset and `requires_grad`.

    Devices and the text "cpu" become the device. A module is moved in place.
    """
    if isinstance(value, engine.Tensor):
        return engine.Tensor._wrap(_copy_to_device(value._array)).requires_grad_(value.requires_grad)
    if isinstance(value, engine.nn.Module):
        return value.to("cuda")
    if value == "cpu" or isinstance(value, engine.device):
        return engine.device("cuda")
    if isinstance(value, slice):
        return slice(move_to_device(value.start), move_to_device(value.stop), move_to_device(value.step))
    if isinstance(value, (list, tuple)) and not isinstance(value, engine.Size):
        return type(value)([move_to_device(v) for v in value])
    if isinstance(value, dict):
        return {key: move_to_device(v) for key, v in value.items()}
    return value


def _copy_to_device(array: np.ndarray) -> Any:
    """Copy `array` to the device, together with the whole memory block in which it is a view."""
    module = _backend.array_module("cuda")
    memory = _backend.memory_of(array)
    if memory is None:
        array = array.copy("K")
        memory, strides, offset = array.ravel("K"), array.strides, 0
    else:
        strides, offset = array.strides, _backend.address_of(array) - _backend.address_of(memory)
    if not array.size:
        return module.empty(array.shape, array.dtype)
    size = array.itemsize
    return _backend.as_strided(module.asarray(memory), array.shape, tuple([s // size for s in strides]), offset // size)


def judge_op(op: Any, limit: int) -> Iterator[str]:
    """Compare the samples of an operation on the device and on the CPU. Yield a line of text per difference.

    Skip samples that the engine cannot represent.

    Args:
        limit: maximum number of samples per dtype, spread evenly over all samples.
    """
    function = engine_callable(op)
    assert function is not None
    with quick_seeding(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for dtype in DTYPES:
            if dtype not in op.supported_dtypes("cpu"):
                continue
            seed()
            wants_grad = dtype.is_floating_point and op.supports_autograd
            samples = list(op.sample_inputs("cpu", dtype, requires_grad=wants_grad))
            for sample in spread_evenly(samples, limit):
                values = (sample.input, sample.args, sample.kwargs)
                yield from _compare_call(lambda v: run(function, v), values, op.name in UNINITIALISED)


def judge_module(info: Any, limit: int) -> Iterator[str]:
    """Compare at most `limit` samples of a module on the device and on the CPU, in float32. Yield a line of text per difference.

    Skip samples without inputs, and samples that the engine cannot represent.
    """
    cls = module_compare.lookup(info.name)
    with quick_seeding(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed()
        samples = list(
            info.module_inputs_func(info, device="cpu", dtype=torch.float32, requires_grad=True, training=True)
        )
        for sample in spread_evenly(samples, limit):
            if sample.forward_input is None:
                continue
            values = (sample.forward_input.args, sample.forward_input.kwargs)
            try:
                args, kwargs = module_compare.convert_arguments(
                    (sample.constructor_input.args, sample.constructor_input.kwargs)
                )
            except OutOfScope:
                continue

            def call(v: Any, args: Any = args, kwargs: Any = kwargs) -> Outcome:
                seed()
                module = cls(*args, **kwargs)
                is_on_device = any(t.is_cuda for t in tensors_in(v))
                return module_compare.call_copy(module.to("cuda") if is_on_device else module, v)

            yield from _compare_call(call, values, False)


def _compare_call(call: Callable[[Any], Outcome], values: Any, is_uninitialised: bool) -> Iterator[str]:
    try:
        host_values, device_values = to_engine(values), move_to_device(to_engine(values))
    except OutOfScope:
        return
    outcomes = []
    for engine_values in (host_values, device_values):
        seed()
        outcomes.append(call(engine_values))
    if not (yield from _differences("forward", *outcomes, is_uninitialised=is_uninitialised)):
        return
    first = [_gradients(outcome) for outcome in outcomes]
    if first[0] is not None and (yield from _differences("gradient", *first)):
        second = [_gradients(outcome) for outcome in first]
        if second[0] is not None and second[0].error is None:
            yield from _differences("second", *second)


def _gradients(outcome: Outcome) -> Outcome | None:
    """Compute the gradients of the results with `create_graph`. Return None if no input or no result requires a gradient."""
    leaves = [t for t in outcome.inputs if t.requires_grad]
    results = [t for t in tensors_in(outcome.result) if t.requires_grad]
    if not leaves or not results:
        return None
    ones = [engine.ones_like(t) for t in results]
    gradients = run(
        lambda *_: engine.autograd.grad(results, leaves, ones, allow_unused=True, create_graph=True), (None, (), {})
    )
    gradients.inputs = leaves
    return gradients


def _long_strides(t: Any) -> list[int] | None:
    """Return the strides of dimensions longer than 1, since CuPy sets those of other dimensions differently; None if `t` is empty."""
    return [step for step, length in zip(t.stride(), t.shape, strict=True) if length > 1] if t.numel() else None


def _differences(kind: str, expected: Outcome, actual: Outcome, is_uninitialised: bool = False) -> Iterator[str]:
    """Yield a line per difference of two outcomes. Return False (the value of `yield from`) if either is an error, else True."""
    if expected.error is not None or actual.error is not None:
        if expected.text != actual.text:
            yield f"{kind}: {actual.text} INSTEAD OF {expected.text if expected.error else 'a result'}"
        return False
    for a, b in zip(tensors_in(expected.result), tensors_in(actual.result), strict=True):
        if not b.is_cuda and any(t.is_cuda for t in actual.inputs):
            yield f"{kind}: a result is on the CPU, although an input is on the device"
        cpu_properties, device_properties = [(t.dtype, t.shape, _long_strides(t), t.requires_grad) for t in (a, b)]
        if cpu_properties[2] != device_properties[2]:
            yield f"{kind}: {ORDER} strides {device_properties[2]} INSTEAD OF {cpu_properties[2]} for shape {a.shape}"
        elif cpu_properties != device_properties:
            yield f"{kind}: {device_properties} INSTEAD OF {cpu_properties}"
        if a.shape == b.shape and not is_uninitialised:
            x, y = (_backend.to_numpy(t._array).astype(np.float64) for t in (a, b))
            if not np.allclose(x, y, rtol=1e-4, atol=1e-5, equal_nan=True):
                yield f"{kind}: the values differ"
    return True

"""Runs the samples of op_db and module_db on the device 'cuda', and compares with the CPU of the same engine.

What 'cuda' is, is registered by who calls: the device of `device_arrays`, which is not there and refuses what CuPy refuses, or a
GPU (`gpu_table`). Compared are values, dtype, shape and strides of the results, where they lie, the gradients, and the gradients
of those.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

import reference_impl as engine
from reference_impl import _backend
from tests.engine import module_judge
from tests.engine.op_judge import UNINITIALISED, Outcome, engine_callable, quick_seeding, run, seed
from tests.engine.op_samples import spread
from tests.engine.torch_bridge import OutOfScope, tensors_in, to_engine

ORDER = "another order in memory,"
DTYPES = (torch.float32, torch.int64, torch.bool)


def moved(value: Any) -> Any:
    """`value` (tensors of the engine, devices, containers of them) on the device; tensors keep strides, offset and `requires_grad`."""
    if isinstance(value, engine.Tensor):
        return engine.Tensor._wrap(_array_there(value._array)).requires_grad_(value.requires_grad)
    if isinstance(value, engine.nn.Module):
        return value.to("cuda")
    if value == "cpu" or isinstance(value, engine.device):
        return engine.device("cuda")
    if isinstance(value, slice):
        return slice(moved(value.start), moved(value.stop), moved(value.step))
    if isinstance(value, (list, tuple)) and not isinstance(value, engine.Size):
        return type(value)([moved(v) for v in value])
    if isinstance(value, dict):
        return {key: moved(v) for key, v in value.items()}
    return value


def _array_there(array: np.ndarray) -> Any:
    """`array` on the device, in a copy of the memory that it is a view of."""
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


def judge_op(op: Any, most: int) -> Iterator[str]:
    """What differs, in words.

    Args:
        most: samples per dtype, spread over all that there are.
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
            for sample in spread(samples, most):
                values = (sample.input, sample.args, sample.kwargs)
                yield from _compared(lambda v: run(function, v), values, op.name in UNINITIALISED)


def judge_module(info: Any, most: int) -> Iterator[str]:
    """As `judge_op`, for a module in float32."""
    cls = module_judge.lookup(info.name)
    with quick_seeding(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed()
        samples = list(
            info.module_inputs_func(info, device="cpu", dtype=torch.float32, requires_grad=True, training=True)
        )
        for sample in spread(samples, most):
            if sample.forward_input is None:
                continue
            values = (sample.forward_input.args, sample.forward_input.kwargs)
            try:
                args, kwargs = module_judge.for_engine((sample.constructor_input.args, sample.constructor_input.kwargs))
            except OutOfScope:
                continue

            def call(v: Any, args: Any = args, kwargs: Any = kwargs) -> Outcome:
                seed()
                module = cls(*args, **kwargs)
                on_device = any(t.is_cuda for t in tensors_in(v))
                return module_judge.called(module.to("cuda") if on_device else module, v)

            yield from _compared(call, values, False)


def _compared(call: Callable[[Any], Outcome], values: Any, uninitialised: bool) -> Iterator[str]:
    try:
        here, there = to_engine(values), moved(to_engine(values))
    except OutOfScope:
        return
    outcomes = []
    for given in (here, there):
        seed()
        outcomes.append(call(given))
    if not (yield from _differences("forward", *outcomes, uninitialised=uninitialised)):
        return
    first = [_gradients(outcome) for outcome in outcomes]
    if first[0] is not None and (yield from _differences("gradient", *first)):
        second = [_gradients(outcome) for outcome in first]
        if second[0] is not None and second[0].error is None:
            yield from _differences("second", *second)


def _gradients(outcome: Outcome) -> Outcome | None:
    """The gradients of the results, recorded; None where there are none."""
    leaves = [t for t in outcome.inputs if t.requires_grad]
    results = [t for t in tensors_in(outcome.result) if t.requires_grad]
    if not leaves or not results:
        return None
    ones = [engine.ones_like(t) for t in results]
    found = run(
        lambda *_: engine.autograd.grad(results, leaves, ones, allow_unused=True, create_graph=True), (None, (), {})
    )
    found.inputs = leaves
    return found


def _steps(t: Any) -> list[int] | None:
    """The strides that lead anywhere: CuPy sets those of dimensions of length 1 in its own way."""
    return [step for step, length in zip(t.stride(), t.shape, strict=True) if length > 1] if t.numel() else None


def _differences(kind: str, here: Outcome, there: Outcome, uninitialised: bool = False) -> Iterator[str]:
    """Yields differences; returns whether there are results to go on with."""
    if here.error is not None or there.error is not None:
        if here.text != there.text:
            yield f"{kind}: {there.text} INSTEAD OF {here.text if here.error else 'a result'}"
        return False
    for a, b in zip(tensors_in(here.result), tensors_in(there.result), strict=True):
        if not b.is_cuda and any(t.is_cuda for t in there.inputs):
            yield f"{kind}: a result on the CPU"
        seen = [(t.dtype, t.shape, _steps(t), t.requires_grad) for t in (a, b)]
        if seen[0][2] != seen[1][2]:
            yield f"{kind}: {ORDER} {seen[1][2]} INSTEAD OF {seen[0][2]} in {a.shape}"
        elif seen[0] != seen[1]:
            yield f"{kind}: {seen[1]} INSTEAD OF {seen[0]}"
        if a.shape == b.shape and not uninitialised:
            x, y = (_backend.to_numpy(t._array).astype(np.float64) for t in (a, b))
            if not np.allclose(x, y, rtol=1e-4, atol=1e-5, equal_nan=True):
                yield f"{kind}: other values"
    return True

"""Checkpointing: what a block would save for its backward pass is thrown away, and computed again when it is needed."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from reference_impl import random
from reference_impl._tensor import Tensor
from reference_impl.autograd.differentiation import backward as run_backward
from reference_impl.autograd.function import Function
from reference_impl.autograd.grad_mode import enable_grad
from reference_impl.autograd.graph import saved_tensors_hooks
from reference_impl.autograd.saved_variable import replace_default_hooks

__all__ = ["checkpoint", "checkpoint_sequential"]


class CheckpointError(RuntimeError):
    """The recomputation did not save what the forward pass had saved."""


CheckpointError.__module__ = "torch.utils.checkpoint"


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """`function(*args, **kwargs)`, without keeping what its nodes save.

    Args:
        use_reentrant: False: the saved tensors are replaced by a promise, and the first of them that is needed runs the
            function again. True: the older way, a Function whose backward runs the function and its backward.
        preserve_rng_state: the second run sees the random numbers of the first.

    Raises:
        ValueError: keyword arguments with `use_reentrant=True`.
    """
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9, calling "
            "checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but if you need to "
            "preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the "
            "differences between the two variants.",
            stacklevel=2,
        )
        use_reentrant = True
    if use_reentrant:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        return CheckpointFunction.apply(function, preserve_rng_state, *args)
    return _recomputing(function, args, kwargs, preserve_rng_state)


def _recomputing(function: Callable[..., Any], args: Any, kwargs: Any, preserve_rng_state: bool) -> Any:
    state = random.get_rng_state() if preserve_rng_state else None
    saved: list[Any] = []
    recomputed: list[Any] = []

    def pack(tensor: Tensor) -> int:
        saved.append((tuple(tensor.shape), tensor.dtype))
        return len(saved) - 1

    def unpack(index: int) -> Any:
        if not recomputed:
            recompute()
        if len(recomputed) != len(saved):
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
                f"recomputation.\nNumber of tensors saved during forward: {len(saved)}\nNumber of tensors saved during "
                f"recomputation: {len(recomputed)}."
            )
        tensor = recomputed[index]
        if (tuple(tensor.shape), tensor.dtype) != saved[index]:
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the "
                f"forward pass.\ntensor at position {index}:\nsaved metadata: {saved[index]}\nrecomputed metadata: "
                f"{(tuple(tensor.shape), tensor.dtype)}"
            )
        return tensor

    def keep(tensor: Tensor) -> Tensor:
        recomputed.append(tensor.detach())
        return tensor

    def recompute() -> None:
        outer = replace_default_hooks(())
        now = random.get_rng_state() if state is not None else None
        try:
            if state is not None:
                random.set_rng_state(state)
            with enable_grad(), saved_tensors_hooks(keep, lambda kept: kept):
                function(*args, **kwargs)
        finally:
            replace_default_hooks(outer)
            if now is not None:
                random.set_rng_state(now)

    with saved_tensors_hooks(pack, unpack):
        return function(*args, **kwargs)


class CheckpointFunction(Function):
    """The reentrant way: `backward` runs the function again, and a backward pass inside the backward pass."""

    @staticmethod
    def forward(ctx: Any, function: Any, preserve_rng_state: bool, *args: Any) -> Any:
        ctx.function = function
        ctx.rng_state = random.get_rng_state() if preserve_rng_state else None
        ctx.inputs = [None if isinstance(a, Tensor) else a for a in args]
        ctx.save_for_backward(*[a if isinstance(a, Tensor) else None for a in args])
        return function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        args = [
            other if t is None else t.detach().requires_grad_(t.requires_grad)
            for t, other in zip(ctx.saved_tensors, ctx.inputs, strict=True)
        ]
        now = random.get_rng_state()
        if ctx.rng_state is not None:
            random.set_rng_state(ctx.rng_state)
        with enable_grad():
            outputs = ctx.function(*args)
        random.set_rng_state(now)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        pairs = [(o, g) for o, g in zip(outputs, grads, strict=True) if isinstance(o, Tensor) and o.requires_grad]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        run_backward([o for o, _ in pairs], [g for _, g in pairs])
        return (None, None, *[a.grad if isinstance(a, Tensor) else None for a in args])


def checkpoint_sequential(
    functions: Any,
    segments: int,
    input: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
) -> Any:
    """A sequence of modules in `segments` parts, each checkpointed but the last."""
    modules: Sequence[Any] = list(functions.children()) if hasattr(functions, "children") else list(functions)
    size = len(modules) // segments

    def run(start: int, end: int) -> Callable[[Any], Any]:
        def forward(value: Any) -> Any:
            for module in modules[start : end + 1]:
                value = module(value)
            return value

        return forward

    end = -1
    for start in range(0, size * (segments - 1), size):
        end = start + size - 1
        input = checkpoint(run(start, end), input, use_reentrant=use_reentrant, preserve_rng_state=preserve_rng_state)
    return run(end + 1, len(modules) - 1)(input)

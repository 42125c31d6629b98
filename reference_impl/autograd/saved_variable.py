"""What a node keeps of the forward pass, and the check that nobody changed it meanwhile.

A saved tensor is kept together with the version it had. Unpacking compares: an in-place operation in between has
raised the version, and the gradient would be computed from the wrong values.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reference_impl.autograd.anomaly_mode import is_anomaly_enabled
from reference_impl.autograd.grad_mode import no_grad

if TYPE_CHECKING:
    from reference_impl._tensor import Tensor
    from reference_impl.autograd.node import Node

ERR_BACKWARD_TWICE = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
    "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
    "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access "
    "saved tensors after calling backward."
)


class _Hooks(threading.local):
    """The (pack, unpack) pairs of `saved_tensors_hooks` in force, and the message of `disable_saved_tensors_hooks`."""

    stack: tuple[tuple[Any, Any], ...] = ()
    disabled_message: str | None = None


default_hooks = _Hooks()
packing: set[int] = set()
"""The threads in which `default_hooks.stack` is not empty; nobody need ask while there are none. As `grad_mode.not_recording`."""


def replace_default_hooks(stack: tuple[tuple[Any, Any], ...]) -> tuple[tuple[Any, Any], ...]:
    """Put `stack` in force in this thread, and return what was."""
    previous, default_hooks.stack = default_hooks.stack, stack
    (packing.add if stack else packing.discard)(threading.get_ident())
    return previous


class _Result:
    """Stands for the operation's own result among the saved tensors.

    To keep the result itself would close a circle (node -> result -> node), which only the garbage collector could free. So
    of an operation's only result the values are kept with the node: `Node._result`, watched by `Node._result_counter`.
    """

    _version = 0


RESULT: Any = _Result()
ONLY_RESULT = (RESULT,)


def packing_order(names: Sequence[str], saved: Sequence[Any]) -> list[int]:
    """In which order hooks get to see what a node saves: the inputs by name, as torch's code generator sorts them, then results."""
    if len(names) != len(saved):
        return list(range(len(saved)))
    return sorted(range(len(saved)), key=lambda i: (_is_result(saved[i]) or names[i] in _FURTHER_RESULTS, names[i]))


# Results that take no part in the graph, and are kept as inputs are.
_FURTHER_RESULTS = ("result1", "result2", "result3", "total_weight", "is_target")


def _is_result(kept: Any) -> bool:
    return kept is RESULT or kept.__class__ is tuple or (kept.__class__ is SavedVariable and kept.is_output)


class SavedVariable:
    """A saved tensor that cannot be kept as it is.

    An input is kept itself, without a SavedVariable, and an only result as RESULT says. Of one result among several the values
    are kept, and `unpack` ties them to the node again. Under `saved_tensors_hooks` what the pack hook returned is kept.
    """

    __slots__ = (
        "array",
        "counter",
        "tensor",
        "_version",
        "is_output",
        "output_nr",
        "packed",
        "unpack_hook",
        "make_tensor",
        "ready",
    )

    def __init__(self, tensor: Tensor, is_output: bool, hooks: tuple[tuple[Any, Any], ...] = ()) -> None:
        self.is_output = is_output
        self.output_nr = 0
        self.ready: Any = None  # what the unpack hook returned, while the node runs
        self.make_tensor: Any = None
        refuse_inference(tensor)
        self._version = tensor._version
        self.tensor: Tensor | None = None
        self.packed: Any = None
        self.unpack_hook: Any = None
        if hooks:
            self.register_hooks(*hooks[-1], tensor)
            return
        if is_output:
            self.array, self.counter, self.make_tensor = tensor._array, tensor._shared_version(), tensor._of
        else:
            self.tensor = tensor

    def register_hooks(self, pack_hook: Any, unpack_hook: Any, tensor: Tensor | None = None) -> None:
        """Keep `pack_hook(tensor)` in the tensor's place; `unpack_hook` gets it back.

        Raises:
            RuntimeError: the tensor was packed already, or changed in place by `pack_hook`.
        """
        if self.unpack_hook is not None:
            raise RuntimeError(
                "Calling register_hooks on a saved tensor whose hooks have already been set. "
                "Hint: only one pair of hooks is allowed at a time."
            )
        if tensor is None:
            tensor = self._output_tensor() if self.is_output else self.tensor
        assert tensor is not None
        version = tensor._version
        with no_grad():
            self.packed = pack_hook(tensor)
        if tensor._version != version:
            raise RuntimeError(
                "A saved tensor pack hook is modifying its input in place. "
                "Tensors provided as input to pack hook cannot be modified by "
                "in-place operations as this can lead to unexpected side-effects. "
                "Please open an issue if you need to perform in-place operations on "
                "the input to a pack hook."
            )
        self.unpack_hook = unpack_hook
        self.tensor = None

    def rebind(self, tensor: Tensor) -> None:
        """An in-place operation wrote this output into `tensor`: those are the values to watch from now on."""
        if self.unpack_hook is None:
            self.array, self.counter, self._version = tensor._array, tensor._shared_version(), tensor._version

    def _output_tensor(self) -> Tensor:
        return self.make_tensor(self.array, self.counter)

    def unpack(self, node: Node) -> Tensor:
        """The tensor, with its place in the graph.

        Raises:
            RuntimeError: it was changed in place since it was saved.
        """
        result: Any
        if self.unpack_hook is None and self.is_output:
            if self.counter[0] == self._version:
                result = self.make_tensor(self.array, self.counter)
                result._grad_fn, result._output_nr = node, self.output_nr
                return result
        if self.unpack_hook is not None:
            if self.ready is not None:
                return self.ready
            result = self.unpack_hook(self.packed)
            if not hasattr(result, "_array"):
                raise TypeError(
                    "Output of saved tensor unpack_hook expected to be a Tensor but got result of type "
                    + type(result).__name__
                )
        else:
            result = self._output_tensor() if self.is_output else self.tensor
            if result._version != self._version:
                differentiable = self.is_output and result._array.dtype.kind == "f"
                producer = (node, self.output_nr) if differentiable else None if self.is_output else result._edge
                raise RuntimeError(modified_message(result, producer, self._version))
        return result._attached_to(node, self.output_nr) if self.is_output else result


SavedVariable.__module__, SavedVariable.__name__, SavedVariable.__qualname__ = (
    "torch._C._autograd",
    "SavedTensor",
    "SavedTensor",
)


def refuse_inference(tensor: Tensor) -> None:
    """Raises RuntimeError for a tensor made in inference mode: it has no version that could be checked."""
    if tensor._inference:
        raise RuntimeError(
            "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
            "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in "
            "autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
        )


def modified_message(tensor: Tensor, producer: Any, expected: int) -> str:
    """torch's text for a saved tensor that was changed in place; `producer` is its (node, output number) or None."""
    message = (
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{'CPUBoolType' if tensor._array.dtype.kind == 'b' else tensor.type()} {list(tensor.shape)}]"
    )
    if producer is not None:
        message += f", which is output {producer[1]} of {operation_name(producer[0].name())},"
    message += f" is at version {tensor._version}; expected version {expected} instead. Hint: "
    if is_anomaly_enabled():
        return message + (
            "the backtrace further above shows the operation that failed to compute its gradient. "
            "The variable in question was changed in there or anywhere later. Good luck!"
        )
    return message + (
        "enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )


def operation_name(name: str) -> str:
    """torch's messages name the operation: `Exp`, not `ExpBackward0`, and `Pow1` for `PowBackward1`."""
    stem, found, number = name.rpartition("Backward")
    if not found or "::" in name or (number and not number.isdigit()):
        return name
    return stem + number.removeprefix("0")

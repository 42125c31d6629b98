"""Save tensors in nodes, and check that they are unchanged when the backward pass uses them.

A node saves a tensor together with the version of its memory. An in-place operation raises the version, and a formula would then
compute with the wrong values. So unpacking compares the versions, and raises an error if they differ.
"""

import re
from collections.abc import Sequence
from itertools import chain, compress
from typing import Any

from reference_impl.core.extensions import extensions, states
from reference_impl.core.node import Node
from reference_impl.core.tensor import Tensor

MODIFIED = "one of the variables needed for gradient computation has been modified by an inplace operation: {} is at version {}; expected version {} instead. Hint: "
HINT = "enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
ANOMALY_HINT = "the backtrace further above shows the operation that failed to compute its gradient. The variable in question was changed in there or anywhere later. Good luck!"


class SavedTensor:
    """A tensor that a node saved, with its version at that time.

    If a node saved its own result, only the garbage collector could free the cycle (node -> result -> node). Therefore the node saves a
    second tensor on the same memory, without a `grad_fn`, and `unpack` creates a third tensor, whose `grad_fn` is the node.

    Attributes:
        output_nr: the index of the tensor among the results of the node; None if it is not a result.
    """

    __slots__ = ("tensor", "version", "output_nr")

    def __init__(self, tensor: Tensor, output_nr: int | None = None) -> None:
        self.tensor = tensor if output_nr is None else tensor._alias()
        self.version = 0 if tensor._version_counter is None else tensor._version_counter.value
        self.output_nr = output_nr

    def unpack(self, node: Node) -> Tensor:
        """Return the tensor with its `grad_fn`. Raise RuntimeError if it was changed in place after `node` saved it."""
        tensor = self.tensor
        if self.output_nr is not None:
            tensor = tensor._alias()
            if tensor._array.dtype.kind == "f":
                tensor._grad_fn, tensor._output_nr = node, self.output_nr
        if tensor._version_counter is not None and tensor._version != self.version:
            raise RuntimeError(modified_message(tensor, self.version))
        return tensor


def is_result(saved: Any) -> bool:
    """Return whether a saved value is a result of the node's operation."""
    return isinstance(saved, SavedTensor) and saved.output_nr is not None


SavedTensor.__module__ = "torch._C._autograd"


class Result(int):
    """A marker in a list of values to save: `Result(i)` stands for result number i of the operation."""


RESULT = Result(0)


def save(node: Node, tensors: Sequence[Any], results: Sequence[Tensor] = ()) -> None:
    """Set `node.saved` to `tensors`, None for each that no needed formula uses, and call pack hooks. `Result(i)` means `results[i]`."""
    node.saved = tuple([as_saved(t, results) for t in omit_unused(node, tensors)])
    if states.pack_hooks:  # hooks replace the saved tensors
        extensions.apply_pack_hooks(node, results)


def omit_unused(node: Node, tensors: Sequence[Any]) -> Sequence[Any]:
    """Return `tensors` with None for each that no needed formula uses: if only `w` requires grad, `x * w` does not save `w`."""
    if not node.uses or None not in node.next_nodes:
        return tensors
    names = set(chain(*compress(node.uses.values(), node.next_nodes)))  # the names that needed formulas use
    return [t if name in names else None for name, t in zip(node.saved_names, tensors, strict=True)]


def as_saved(t: Any, results: Sequence[Tensor]) -> Any:
    """Return the entry of `node.saved` for `t`: a SavedTensor for a tensor or a Result, any other value unchanged."""
    if isinstance(t, Tensor):
        return SavedTensor(t)
    return SavedTensor(results[t], t) if isinstance(t, Result) else t


def modified_message(tensor: Tensor, expected: int) -> str:
    """Return torch's message for a saved tensor that was changed in place. `expected` is its version when it was saved."""
    node = tensor.grad_fn
    origin = "" if node is None else f", which is output {tensor._output_nr} of {operation_name(node)},"
    type_name = "CPUBoolType" if tensor._array.dtype.kind == "b" else tensor.type()
    description = f"[{type_name} {list(tensor.shape)}]{origin}"
    return MODIFIED.format(description, tensor._version, expected) + (ANOMALY_HINT if states.anomaly else HINT)


def operation_name(node: Node) -> str:
    """Return the name of the operation in torch's messages: `Exp` for `ExpBackward0`, and `Pow1` for `PowBackward1`.

    A name with `::`, such as `torch::autograd::CopySlices`, is returned whole.
    """
    name = node.name()
    return name if "::" in name else re.sub(r"Backward0?(\d*)$", r"\1", name)

"""Save tensors in nodes, and check that they are unchanged when the backward pass uses them.

A saved tensor is kept together with the version that its memory had. An in-place operation raises the version, and the formula
would then compute with the wrong values: unpacking compares, and refuses.
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

    Saving an operation's result would create a cycle (node -> result -> node), which only the garbage collector could free. Therefore
    another tensor on the same memory is saved, and unpacking creates a third tensor that belongs to the node again.

    Attributes:
        output_nr: which result of the node it is; None for any other tensor.
    """

    __slots__ = ("tensor", "version", "output_nr")

    def __init__(self, tensor: Tensor, output_nr: int | None = None) -> None:
        self.tensor = tensor if output_nr is None else tensor._alias()
        self.version = 0 if tensor._version_counter is None else tensor._version_counter.value
        self.output_nr = output_nr

    def unpack(self, node: Node) -> Tensor:
        """Return the tensor with its `grad_fn`. Raise RuntimeError if it was changed in place since it was saved."""
        tensor = self.tensor
        if self.output_nr is not None:
            tensor = tensor._alias()
            if tensor._array.dtype.kind == "f":
                tensor._grad_fn, tensor._output_nr = node, self.output_nr
        if tensor._version != self.version:
            raise RuntimeError(modified(tensor, self.version))
        return tensor


def is_result(saved: Any) -> bool:
    """Return whether a saved value is a result of the node's operation."""
    return isinstance(saved, SavedTensor) and saved.output_nr is not None


SavedTensor.__module__ = "torch._C._autograd"


class Result(int):
    """A marker among values to save: the operation's result of this number."""


RESULT = Result(0)


def save(node: Node, tensors: Sequence[Any], results: Sequence[Tensor] = ()) -> None:
    """Save `tensors` (Tensors, Results, plain values, None) in `node`, except those needed only for inputs that take no gradient."""
    node.saved = tuple([as_saved(t, results) for t in omit_unused(node, tensors)])
    if states.pack_hooks:  # hooks replace the saved tensors
        extensions.apply_pack_hooks(node, results)


def omit_unused(node: Node, tensors: Sequence[Any]) -> Sequence[Any]:
    """Replace tensors that no needed formula uses by None: if only `w` requires grad, `x * w` saves `x` but not `w`."""
    if not node.uses or None not in node.next_nodes:
        return tensors
    names = set(chain(*compress(node.uses.values(), node.next_nodes)))  # the names that the other formulas use
    return [t if name in names else None for name, t in zip(node.saved_names, tensors, strict=True)]


def as_saved(t: Any, results: Sequence[Tensor]) -> Any:
    """Return `t` as a node saves it: a tensor as a SavedTensor, another value unchanged."""
    if isinstance(t, Result):
        return SavedTensor(results[t], t)
    return SavedTensor(t) if isinstance(t, Tensor) else t


def saved_of(node: Node) -> Any:
    """Return the saved values of `node`, each tensor as a SavedTensor; None after they were freed."""
    return node.saved


def modified(tensor: Tensor, expected: int) -> str:
    """Return torch's message for a saved tensor that was changed in place."""
    maker = tensor.grad_fn
    made_by = "" if maker is None else f", which is output {tensor._output_nr} of {operation_name(maker)},"
    kind = "CPUBoolType" if tensor._array.dtype.kind == "b" else tensor.type()
    description = f"[{kind} {list(tensor.shape)}]{made_by}"
    return MODIFIED.format(description, tensor._version, expected) + (ANOMALY_HINT if states.anomaly else HINT)


def operation_name(node: Node) -> str:
    """Return the operation as torch's messages name it: `Exp` for `ExpBackward0`, and `Pow1` for `PowBackward1`."""
    name = node.name()
    return name if "::" in name else re.sub(r"Backward0?(\d*)$", r"\1", name)

"""What a node keeps of the forward pass, and the check that nobody has changed it meanwhile.

A saved tensor is kept together with the version that its memory had. An in-place operation raises the version, and the formula
would then compute with the wrong values: unpacking compares, and refuses.
"""

from collections.abc import Callable, Sequence
from typing import Any

from reference_impl.core.node import Node
from reference_impl.core.tensor import Tensor

MODIFIED = "one of the variables needed for gradient computation has been modified by an inplace operation: [{kind} {shape}]{made_by} is at version {now}; expected version {then} instead. Hint: "
HINT = "enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."


class SavedTensor:
    """A tensor as a node keeps it."""

    __slots__ = ("tensor", "version")

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor
        self.version = 0 if tensor._version_counter is None else tensor._version_counter.value

    def unpack(self, node: Node) -> Tensor:
        """The tensor in its place in the graph. Raises RuntimeError if it was changed in place since it was saved."""
        if self.tensor._version != self.version:
            raise RuntimeError(modified(self.tensor, self.version))
        return self.tensor


class SavedResult(SavedTensor):
    """An operation's own result as its node keeps it.

    To keep the result itself would close a circle (node -> result -> node), which only the garbage collector could free. So its array
    and its version are kept, and unpacking makes a tensor of them that is tied to the node again.
    """

    __slots__ = ("array", "counter", "output_nr")

    def __init__(self, tensor: Tensor, output_nr: int = 0) -> None:
        self.array, self.counter, self.output_nr = tensor._array, tensor._shared_version(), output_nr
        self.version = self.counter.value

    def unpack(self, node: Node) -> Tensor:
        tensor = Tensor._of(self.array, self.counter)
        if self.array.dtype.kind == "f":
            tensor._grad_fn, tensor._output_nr = node, self.output_nr
        if self.counter.value != self.version:
            raise RuntimeError(modified(tensor, self.version))
        return tensor


for _class in (SavedTensor, SavedResult):
    _class.__module__, _class.__qualname__, _class.__name__ = "torch._C._autograd", "SavedTensor", "SavedTensor"

RESULT: Any = object()  # among what is to be saved: the operation's own result; (RESULT, i): result number i
after_saving: Callable[[Node, Sequence[Tensor]], None] | None = None
"""A seam: a function of each node that has just saved tensors, and of its results, while there are hooks that pack them."""


def save(node: Node, tensors: Sequence[Any], results: Sequence[Tensor] = ()) -> None:
    """Let `node` keep `tensors`: Tensors, RESULT, plain values, None."""
    node.saved = tuple([kept(t, results) for t in tensors])
    if after_saving is not None:
        after_saving(node, results)


def kept(t: Any, results: Sequence[Tensor]) -> Any:
    if t is RESULT or t.__class__ is tuple and t and t[0] is RESULT:
        number = 0 if t is RESULT else t[1]
        return SavedResult(results[number], number)
    return SavedTensor(t) if isinstance(t, Tensor) else t


def modified(tensor: Tensor, expected: int) -> str:
    """torch's text for a saved tensor that was changed in place."""
    maker = tensor.grad_fn
    made_by = "" if maker is None else f", which is output {tensor._output_nr} of {operation_name(maker)},"
    kind = "CPUBoolType" if tensor._array.dtype.kind == "b" else tensor.type()
    return (
        MODIFIED.format(kind=kind, shape=list(tensor.shape), made_by=made_by, now=tensor._version, then=expected)
        + hint()
    )


def hint() -> str:
    """A seam: under anomaly detection another one."""
    return HINT


def operation_name(node: Node) -> str:
    """torch's messages name the operation: `Exp`, not `ExpBackward0`, and `Pow1` for `PowBackward1`."""
    name = node.name()
    stem, found, number = name.rpartition("Backward")
    if not found or "::" in name or (number and not number.isdigit()):
        return name
    return stem + number.removeprefix("0")

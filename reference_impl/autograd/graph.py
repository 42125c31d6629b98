"""The graph that a forward pass leaves behind: one `Node` per operation, `AccumulateGrad` at the leaves.

A node knows the functions before it (`next_edges`: the name looks forward along the *backward* pass), what it kept of
the forward pass (`saved`), and how to turn the gradient of its output into gradients of its inputs (`backward`).
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar

from reference_impl.autograd.grad_mode import mode
from reference_impl.autograd.saved_variable import ERR_BACKWARD_TWICE, SavedVariable
from reference_impl.utils.hooks import RemovableHandle

if TYPE_CHECKING:
    from reference_impl._tensor import Tensor

Edge = tuple["Node", int]
"""A node and which of its outputs (outputs of the forward pass) the gradient is for."""

next_sequence_number = count().__next__
ACCUMULATE_GRAD_SEQUENCE_NUMBER = 2**64 - 1  # larger than any other: leaves are served first


class Node:
    """One recorded operation.

    A subclass states its formulas in one of two ways. Either one method `grad_<input>(self, g)` per input, in the order of
    the inputs: only those of inputs that need a gradient are called. Or `backward(self, *grads)`, which returns a tuple with
    one gradient (or None) per input. `g` and `grads` are Tensors (None: no gradient came), and the formulas are
    written in differentiable operations, so `create_graph=True` needs nothing more. A gradient may have the shape that the
    output had: the engine sums it down to the shape of the input where that was broadcast.

    Class attributes:
        saved_names: names of the saved tensors, in the order given to `record`; `self._saved_<name>` unpacks one.

    Attributes:
        next_edges: per input, where its gradient goes; None where none is needed.
        saved: a SavedVariable or None per saved name; None after the buffers were freed.
        sequence_number: rises with each recorded operation; the engine takes the highest first.
        output_metadata: (shape, NumPy dtype) per output: what a gradient of it must look like.
    """

    saved_names: ClassVar[tuple[str, ...]] = ()
    formulas: ClassVar[tuple[Callable[[Any, Any], Any], ...]] = ()

    next_edges: tuple[Edge | None, ...] = ()
    saved: tuple[SavedVariable | None, ...] | None = ()
    sequence_number: int = 0
    output_metadata: tuple[tuple[tuple[int, ...], Any], ...] = ()
    # Each a dict from the number of an output to its hooks, or None while nobody has asked.
    tensor_pre_hooks: dict[int, OrderedDict[int, Any]] | None = None
    retain_grad_hooks: dict[int, Any] | None = None
    pre_hooks: OrderedDict[int, Any] | None = None
    post_hooks: OrderedDict[int, Any] | None = None
    forward_location: Any = None  # where the operation was called, under anomaly detection

    def __init_subclass__(cls) -> None:
        formulas = tuple(f for name, f in vars(cls).items() if name.startswith("grad_"))
        if formulas:
            cls.formulas = formulas
        for index, name in enumerate(cls.saved_names):
            setattr(cls, "_saved_" + name, property(lambda self, i=index: self.unpack(i)))
            setattr(cls, "_raw_saved_" + name, property(lambda self, i=index: self.raw_saved(i)))

    def __getattr__(self, name: str) -> Any:
        # `_saved_dim` shows the plain argument `dim` that the operation was called with.
        if name.startswith("_saved_") and name[7:] in self.__dict__:
            return self.__dict__[name[7:]]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    # -- what torch shows of a node

    def name(self) -> str:
        """As printed in `grad_fn=<...>`."""
        return type(self).__name__

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """Per input, the node its gradient goes to and the number of that node's output; (None, 0) where there is none."""
        return tuple((None, 0) if edge is None else edge for edge in self.next_edges)

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dict for the user's own notes."""
        return self.__dict__.setdefault("_metadata", {})

    @property
    def requires_grad(self) -> bool:
        return True

    def _sequence_nr(self) -> int:
        return self.sequence_number

    def _input_metadata(self) -> Any:
        return self.output_metadata

    def __repr__(self) -> str:
        return f"<{self.name()} object at {id(self):#x}>"

    # -- the backward pass

    def backward(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Gradients of the inputs from the gradients of the outputs."""
        (g,) = grads
        if g is None:
            return (None,) * len(self.next_edges)
        return tuple(
            [None if edge is None else f(self, g) for edge, f in zip(self.next_edges, self.formulas, strict=True)]
        )

    def needs_grad(self, index: int) -> bool:
        """Whether input `index` needs a gradient."""
        return self.next_edges[index] is not None

    def unpack(self, index: int) -> Tensor:
        """The saved tensor number `index`; None where it was not needed.

        Raises:
            RuntimeError: the buffers were freed, or the tensor was changed in place since.
        """
        if self.saved is None:
            raise RuntimeError(ERR_BACKWARD_TWICE)
        kept = self.saved[index]
        return None if kept is None else kept.unpack(self)  # type: ignore[return-value]

    def raw_saved(self, index: int) -> SavedVariable | None:
        """The SavedVariable number `index`, on which hooks can be registered."""
        if self.saved is None:
            raise RuntimeError(ERR_BACKWARD_TWICE)
        return self.saved[index]

    def release_variables(self) -> None:
        """Free what was kept of the forward pass."""
        if self.saved:
            self.saved = None

    def __call__(self, *grads: Any) -> Any:
        result = self.backward(*grads)
        return result[0] if len(result) == 1 else result

    # -- hooks

    def register_hook(self, fn: Callable[[Any, Any], Any]) -> RemovableHandle:
        """Call `fn(grad_inputs, grad_outputs)` after this node ran; a tuple it returns takes the place of `grad_inputs`."""
        if self.post_hooks is None:
            self.post_hooks = OrderedDict()
        return _register(self.post_hooks, fn)

    def register_prehook(self, fn: Callable[[Any], Any]) -> RemovableHandle:
        """Call `fn(grad_outputs)` before this node runs; a tuple it returns takes the place of `grad_outputs`."""
        if self.pre_hooks is None:
            self.pre_hooks = OrderedDict()
        return _register(self.pre_hooks, fn)

    def add_tensor_pre_hook(self, output_nr: int, fn: Callable[[Any], Any]) -> RemovableHandle:
        """A hook on a tensor is a hook on the node that made it, for the output that the tensor is."""
        if self.tensor_pre_hooks is None:
            self.tensor_pre_hooks = {}
        return _register(self.tensor_pre_hooks.setdefault(output_nr, OrderedDict()), fn)


Node.__module__ = "torch.autograd.graph"


def _register(hooks: OrderedDict[int, Any], fn: Any) -> RemovableHandle:
    handle = RemovableHandle(hooks)
    hooks[handle.id] = fn
    return handle


class AccumulateGrad(Node):
    """Where the backward pass ends: adds the gradient that arrives to the `.grad` of a leaf.

    Every operation on the same leaf leads to the same AccumulateGrad. The leaf knows it by a weak reference only, so it
    lives as long as some graph leads to it.
    """

    sequence_number = ACCUMULATE_GRAD_SEQUENCE_NUMBER

    def __init__(self, variable: Tensor) -> None:
        self.variable = variable
        self.output_metadata = ((variable._array.shape, variable._array.dtype),)

    def backward(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        (g,) = grads
        if g is not None:
            accumulate(self.variable, g)
            hooks = self.variable._post_accumulate_grad_hooks
            if hooks:
                for hook in list(hooks.values()):
                    if hook(self.variable) is not None:
                        raise RuntimeError("hooks are not expected to return anything")
        return ()


def accumulate(variable: Tensor, g: Tensor) -> None:
    """`variable.grad += g`, without a copy where nobody else can see the array of `g`."""
    if variable.grad is None:
        variable.grad = g if mode.enabled and g.requires_grad else g._owned()
    elif mode.enabled:
        variable.grad = variable.grad + g
    else:
        variable.grad.add_(g)


def accumulator_of(leaf: Tensor) -> AccumulateGrad:
    """The one AccumulateGrad of `leaf`, made when it is first asked for."""
    reference = leaf._accumulator
    node = reference() if reference is not None else None
    if node is None:
        node = AccumulateGrad(leaf)
        leaf._accumulator = weakref.ref(node)
    return node


def gradient_edge(tensor: Tensor) -> Edge | None:
    """Where the gradient of `tensor` goes; None where it needs none."""
    edge = tensor._edge if tensor._view is None else tensor._current_edge()
    if edge is None and tensor._requires_grad:
        return accumulator_of(tensor), 0
    return edge

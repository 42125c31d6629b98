"""The graph that a forward pass leaves behind: a `Node` per operation, and an `AccumulateGrad` per leaf.

The words are torch's, and follow the *backward* pass: the "next" functions of a node are those that made its inputs, and
a node receives the gradient of its output.

    x = torch.tensor(2., requires_grad=True)
    y = x.exp() * 3            MulBackward0 --> ExpBackward0 --> AccumulateGrad (holds x)
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from itertools import count
from operator import attrgetter, methodcaller
from typing import Any, ClassVar

import numpy as np

from reference_impl._type_hints import MoreAttributes
from reference_impl.core.extensions import extensions
from reference_impl.core.hooks import RemovableHandle, register
from reference_impl.core.modes import mode

ALREADY_FREED = "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward."
NOT_NONE = "Tensor post accumulate grad hooks should return None."
NO_TENSOR = "expected Variable, but hook returned '{}'"
LEAVES_FIRST = 2**64 - 1  # the sequence number of every AccumulateGrad: larger than that of any operation
NOWHERE: Any = (None, 0)  # the edge of an input that takes no gradient

next_sequence_number = count().__next__

# Slots: hooks on saved tensors, called once for all formulas of a node; a gradient on the device of the leaf that receives it.
extensions.define(node_class_made=lambda cls: None, unpack_hooks=nullcontext, to_leaf=lambda node, g: g)


class Node(MoreAttributes):
    """One recorded operation: the targets of its gradients, the values it saved in the forward pass, and the formulas.

    The formulas are the methods `grad_<input>(self, g)`, one per input, in their order; `declare.operation` makes them of what an
    operation declares. Only those of inputs that need a gradient are called. A node without such methods defines `apply` instead.
    `g` is a Tensor, and the formulas are written in operations like any program, so `create_graph` needs nothing more. A
    gradient may have the shape that the output had: the loop sums it down to the shape of the input where that was broadcast.

    Class attributes:
        saved_names: the names of the values in `saved`, in order; `node._saved_<name>` returns one.
        uses: per input, the names of the values that its formula uses: a tensor is saved where one of these inputs takes a gradient.
            Empty where all is saved always.

    Attributes:
        next_nodes: per input, the node that its gradient goes to; None where it goes nowhere.
        next_output_nrs: per input, which output of that node the input was; empty where each is the first.
        saved: per saved name the value, see `saving`; None after it was freed.
        outputs: (shape, NumPy dtype) of each output, and therefore of its gradient.
        sequence_number: rises with each recorded operation. The backward pass takes the highest first.

    (Most programs make as many nodes as tensors, and each object that Python's garbage collector has to follow costs time whenever
    it runs: hence no object per edge.)
    """

    saved_names: ClassVar[tuple[str, ...]] = ()
    uses: ClassVar[dict[str, tuple[str, ...]]] = {}
    formulas: ClassVar[tuple[Callable[[Any, Any], Any], ...]] = ()
    namespace: ClassVar[str] = ""  # prefix of the name, for nodes that torch's C++ writes by hand

    next_nodes: tuple[Node | None, ...] = ()
    next_output_nrs: tuple[int, ...] = ()
    saved: tuple[Any, ...] | None = ()
    outputs: tuple[tuple[tuple[int, ...], np.dtype], ...] = ()
    sequence_number: int = 0

    # Hooks, each None until the first is registered: most nodes never have one.
    has_hooks: bool = False  # whether any of these, or a hook on a saved tensor, has ever been registered
    tensor_pre_hooks: Any = None  # by output: a dict of hooks on the tensor that it is
    retain_grad_hooks: Any = None  # by output: a function that fills the `.grad` of that tensor
    pre_hooks: Any = None
    post_hooks: Any = None

    def __init_subclass__(cls) -> None:
        members = vars(cls)
        formulas = tuple([f for name, f in members.items() if name.startswith("grad_")])
        if formulas:
            cls.formulas = formulas
        # Plain values that a class names (`dim: int`) are saved values too, except private ones with an underscore.
        readers: dict[str, Any] = {n: attrgetter(n) for n in members.get("__annotations__", ()) if n[0] != "_"}
        readers |= {n: methodcaller("saved_value", index) for index, n in enumerate(members.get("saved_names", ()))}
        for name, read in readers.items():
            if "_saved_" + name not in members:
                setattr(cls, "_saved_" + name, property(read))
        extensions.node_class_made(cls)

    def name(self) -> str:
        """Return the name that `grad_fn=<...>` prints."""
        return self.namespace + type(self).__name__

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"

    # -- edges

    @property
    def next_functions(self) -> tuple[Any, ...]:
        """Return, for each input, the edge (node, output number) of its gradient; (None, 0) if it needs no gradient."""
        return tuple(zip(self.next_nodes, self.next_output_nrs or (0,) * len(self.next_nodes), strict=True))

    # -- the backward pass

    def apply(self, *grads: Any) -> tuple[Any, ...]:
        """Return the gradients of the inputs, given those of the outputs; None for an input that needs no gradient."""
        return self.gradients(grads, self.next_nodes)

    def gradients(self, grads: Sequence[Any], needs_input_grad: Sequence[Any]) -> tuple[Any, ...]:
        """Return the gradients as `apply` does, but None for inputs whose entry in `needs_input_grad` is false."""
        g = grads[0] if len(grads) == 1 else grads
        none = g is None or (g is grads and all([other is None for other in grads]))
        if none or self.saved is None or not all(needs_input_grad):
            self.check_saved()  # as torch, which checks all saved values; if all are needed, the formulas check them
        if none:
            return (None,) * len(self.next_nodes)
        if len(self.formulas) == 1:  # possibly of an operation on a list of tensors
            result = self.formulas[0](self, g)
            return tuple(result) if isinstance(result, list) else (result,)
        return tuple([f(self, g) if needs else None for f, needs in zip(self.formulas, needs_input_grad, strict=True)])

    def saved_value(self, index: int) -> Any:
        """Return saved value `index`; None if it was not needed. Raise RuntimeError if it was freed or changed in place."""
        if self.saved is None:
            raise RuntimeError(ALREADY_FREED)
        saved: Any = self.saved[index] if self.saved else None
        return saved.unpack(self) if hasattr(saved, "unpack") else saved

    def check_saved(self) -> None:
        """Check that all saved values are unchanged; raise as `saved_value`."""
        for index in range(len(self.saved_names)):
            self.saved_value(index)

    def release_variables(self) -> None:
        """Free the saved values: `saved` becomes None. A node that saves nothing (`saved` is empty) can run repeatedly."""
        if self.saved:
            self.saved = None

    def __call__(self, *grads: Any) -> Any:
        results = self.apply(*grads)
        return results[0] if len(results) == 1 else results

    # -- hooks

    def register_hook(self, fn: Callable[[Any, Any], Any]) -> RemovableHandle:
        """Call `fn(grad_inputs, grad_outputs)` after this node ran; a tuple it returns takes the place of `grad_inputs`."""
        self.has_hooks = True
        return register(vars(self), "post_hooks", fn)

    def register_prehook(self, fn: Callable[[Any], Any]) -> RemovableHandle:
        """Call `fn(grad_outputs)` before this node runs; a tuple it returns takes the place of `grad_outputs`."""
        self.has_hooks = True
        return register(vars(self), "pre_hooks", fn)

    def add_tensor_hook(self, output_nr: int, fn: Callable[[Any], Any]) -> RemovableHandle:
        """Register a hook on the tensor that is output `output_nr` of this node."""
        self.has_hooks = True
        self.tensor_pre_hooks = self.tensor_pre_hooks or {}
        return register(self.tensor_pre_hooks, output_nr, fn)


Node.__module__ = "torch.autograd.graph"


class AccumulateGrad(Node):
    """Where the backward pass ends: adds the gradient that arrives to the `.grad` of a leaf.

    All operations on one leaf lead to the same AccumulateGrad. It holds the leaf; the leaf knows it by a weak reference only, so
    it lives as long as some graph leads to it.
    """

    namespace = "torch::autograd::"
    sequence_number = LEAVES_FIRST

    def __init__(self, variable: Any) -> None:
        self.variable = variable
        self.has_hooks = bool(variable._backward_hooks)
        self.outputs = ((variable._array.shape, variable._array.dtype),)

    # Hooks on a leaf are stored in the leaf: it may have them before any operation has used it.
    tensor_pre_hooks = property(lambda self: {0: self.variable._backward_hooks or {}})

    def apply(self, g: Any) -> tuple[Any, ...]:  # type: ignore[override]
        if g is not None and self.variable._requires_grad:
            accumulate(self.variable, extensions.to_leaf(self, g))
            for hook in list((self.variable._post_accumulate_grad_hooks or {}).values()):
                if (returned := hook(self.variable)) is not None and returned is not self.variable:
                    kind = type(returned).__name__
                    raise RuntimeError(NOT_NONE) if hasattr(returned, "_array") else TypeError(NO_TENSOR.format(kind))
        return ()


def accumulate(leaf: Any, g: Any) -> None:
    """Compute `leaf.grad += g`. The first gradient is copied, because others may hold it."""
    if leaf._grad is None:
        leaf._grad = leaf._wrap(like_the_leaf(g._array, leaf._array))
        if mode.enabled:  # the pass is itself recorded: the copy is an operation of its graph
            leaf._grad.copy_(g)
    elif mode.enabled:
        leaf._grad = leaf._grad + g
    else:
        leaf._grad.add_(g)


def like_the_leaf(array: Any, leaf: Any) -> Any:
    """Copy a gradient in the memory order of the leaf, or in C order if the leaf has gaps: torch's `grad_layout_contract.h`."""
    copy = np.empty_like(leaf)
    copy = copy if copy.strides == leaf.strides and copy.shape == array.shape else np.empty_like(array, order="C")
    np.copyto(copy, array)
    return copy


def accumulator_of(leaf: Any) -> AccumulateGrad:
    """Return the AccumulateGrad node of `leaf`, created at the first call."""
    node = leaf._accumulator and leaf._accumulator()
    if node is None:
        node = AccumulateGrad(leaf)
        leaf._accumulator = weakref.ref(node)
    return node


def gradient_edge(tensor: Any) -> Any:
    """Return the edge (node, output number) to which the gradient of `tensor` goes."""
    if tensor._view is not None:
        tensor._view.refresh(tensor)
    if tensor._grad_fn is not None:
        return tensor._grad_fn, tensor._output_nr
    return (accumulator_of(tensor), 0) if tensor._requires_grad else NOWHERE

"""The graph that a forward pass leaves behind: a `Node` per operation, and an `AccumulateGrad` per leaf.

The words are torch's, and follow the *backward* pass: the "next" functions of a node are the nodes of its inputs, and a node
receives the gradient of its output.

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
NOT_TENSOR = "expected Variable, but hook returned '{}'"
LEAVES_FIRST = 2**64 - 1  # the sequence number of every AccumulateGrad: larger than that of any operation
NO_EDGE: Any = (None, 0)  # the edge of an input that needs no gradient

next_sequence_number = count().__next__

# Slots: `node_class_created` is called with each new class of nodes, `unpack_hooks` around the formulas of a node, and `to_leaf` moves a
# gradient to the device of its leaf.
extensions.define(node_class_created=lambda cls: None, unpack_hooks=nullcontext, to_leaf=lambda node, g: g)


class Node(MoreAttributes):
    """A recorded operation: the nodes that receive its gradients, the values that the forward pass saved, and the formulas.

    The formulas are the methods `grad_<input>(self, g)`, one per input, in the order of the inputs. `declare.operation` creates them
    from a declaration. Only the formulas of inputs that need a gradient are called. A node without formulas defines `apply` instead.
    `g` is the gradient of the output, a Tensor; if there are several outputs, it is the tuple of their gradients. A formula consists of
    operations on tensors, which `create_graph` records like any others. A formula may return a gradient in the shape of the output:
    the backward pass sums it down to the shape of an input that was broadcast.

    Class attributes:
        saved_names: the names of the values in `saved`, in order; `node._saved_other` returns the value with the name `other`.
        uses: per input, the names of the values that its formula uses. A tensor is saved only if an input that needs a gradient uses it.
            Empty if all values are always saved.

    Attributes:
        next_nodes: per input, the node that receives its gradient; None for an input that needs no gradient.
        next_output_nrs: per input, its index among the outputs of that node; empty if all are 0.
        saved: the saved values in the order of `saved_names`, see `saving`; None after they were freed.
        outputs: for each output the pair (shape, NumPy dtype). Its gradient has the same shape and dtype.
        sequence_number: rises with each recorded operation. The backward pass runs the node with the highest first.

    An edge is not an object but an entry in `next_nodes` and one in `next_output_nrs`: Python's garbage collector takes time for each
    object, and most programs create as many nodes as tensors.
    """

    saved_names: ClassVar[tuple[str, ...]] = ()
    uses: ClassVar[dict[str, tuple[str, ...]]] = {}
    formulas: ClassVar[tuple[Callable[[Any, Any], Any], ...]] = ()
    namespace: ClassVar[str] = ""  # prefix of `name()`: "torch::autograd::" for classes that torch does not generate

    next_nodes: tuple[Node | None, ...] = ()
    next_output_nrs: tuple[int, ...] = ()
    saved: tuple[Any, ...] | None = ()
    outputs: tuple[tuple[tuple[int, ...], np.dtype], ...] = ()
    sequence_number: int = 0

    # Hooks. An attribute stays None until a hook is registered, because most nodes never have hooks.
    has_hooks: bool = False  # whether a hook on this node, its outputs or its saved tensors has ever been registered
    tensor_pre_hooks: Any = None  # by output number: a dict of hooks on this output
    retain_grad_hooks: Any = None  # by output number: a function that sets the `.grad` of this output
    pre_hooks: Any = None
    post_hooks: Any = None

    def __init_subclass__(cls) -> None:
        members = vars(cls)
        formulas = tuple([f for name, f in members.items() if name.startswith("grad_")])
        if formulas:
            cls.formulas = formulas
        # A value that is not a tensor is an annotated attribute such as `dim: int`. It is read as `_saved_dim`, unless it is private.
        readers: dict[str, Any] = {n: attrgetter(n) for n in members.get("__annotations__", ()) if n[0] != "_"}
        readers |= {n: methodcaller("saved_value", index) for index, n in enumerate(members.get("saved_names", ()))}
        for name, read in readers.items():
            if "_saved_" + name not in members:
                setattr(cls, "_saved_" + name, property(read))
        extensions.node_class_created(cls)

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
        """Return the gradients of the inputs from those of the outputs. An input that needs no gradient may get None."""
        return self.gradients(grads, self.next_nodes)

    def gradients(self, grads: Sequence[Any], needs_input_grad: Sequence[Any]) -> tuple[Any, ...]:
        """Return the gradients of the inputs: None if all `grads` are None or, with several formulas, where `needs_input_grad` is false."""
        has_no_grad = grads[0] is None and all([g is None for g in grads])
        if has_no_grad or self.saved is None or not all(needs_input_grad):
            self.check_saved()  # torch checks all saved values; if all are needed, the formulas check them
        if has_no_grad:
            return (None,) * len(self.next_nodes)
        g: Any = grads[0] if len(grads) == 1 else grads
        if len(self.formulas) == 1:  # the only input may be a list of tensors
            result = self.formulas[0](self, g)
            return tuple(result) if isinstance(result, list) else (result,)
        return tuple([f(self, g) if needs else None for f, needs in zip(self.formulas, needs_input_grad, strict=True)])

    def saved_value(self, index: int) -> Any:
        """Return saved value number `index`, None if no formula needs it. Raise RuntimeError if it was freed or changed in place."""
        if self.saved is None:
            raise RuntimeError(ALREADY_FREED)
        saved: Any = self.saved[index] if self.saved else None
        return saved.unpack(self) if hasattr(saved, "unpack") else saved

    def check_saved(self) -> None:
        """Raise RuntimeError, as `saved_value` does, if a saved value was freed or changed in place."""
        for index in range(len(self.saved_names)):
            self.saved_value(index)

    def release_variables(self) -> None:
        """Free the saved values: `saved` becomes None. A node that saved nothing keeps its empty `saved` and can run again."""
        if self.saved:
            self.saved = None

    def __call__(self, *grads: Any) -> Any:
        results = self.apply(*grads)
        return results[0] if len(results) == 1 else results

    # -- hooks

    def register_hook(self, fn: Callable[[Any, Any], Any]) -> RemovableHandle:
        """Register `fn(grad_inputs, grad_outputs)` to be called after this node runs. A tuple that `fn` returns replaces `grad_inputs`."""
        self.has_hooks = True
        return register(vars(self), "post_hooks", fn)

    def register_prehook(self, fn: Callable[[Any], Any]) -> RemovableHandle:
        """Register `fn(grad_outputs)` to be called before this node runs. A tuple that `fn` returns replaces `grad_outputs`."""
        self.has_hooks = True
        return register(vars(self), "pre_hooks", fn)

    def add_tensor_hook(self, output_nr: int, fn: Callable[[Any], Any]) -> RemovableHandle:
        """Register `fn(grad)` to be called with the gradient of output `output_nr`. A tensor that `fn` returns replaces the gradient."""
        self.has_hooks = True
        self.tensor_pre_hooks = self.tensor_pre_hooks or {}
        return register(self.tensor_pre_hooks, output_nr, fn)


Node.__module__ = "torch.autograd.graph"


class AccumulateGrad(Node):
    """The node of a leaf, where the backward pass ends: it adds the gradient that arrives to the leaf's `.grad`.

    All operations on one leaf lead to the same AccumulateGrad. The node holds a reference to the leaf, but the leaf holds only a weak
    reference to the node. So the node lives as long as a graph leads to it.
    """

    namespace = "torch::autograd::"
    sequence_number = LEAVES_FIRST

    def __init__(self, variable: Any) -> None:
        self.variable = variable
        self.has_hooks = bool(variable._backward_hooks)
        self.outputs = ((variable._array.shape, variable._array.dtype),)

    # Hooks on a leaf are stored in the leaf, because they may be registered before an operation uses it and creates this node.
    tensor_pre_hooks = property(lambda self: {0: self.variable._backward_hooks or {}})

    def apply(self, g: Any) -> tuple[Any, ...]:  # type: ignore[override]
        """Add `g` to the leaf's `.grad` and call its post-accumulate hooks, unless `g` is None or the leaf needs no gradient. Return ()."""
        if g is not None and self.variable._requires_grad:
            accumulate(self.variable, extensions.to_leaf(self, g))
            for hook in list((self.variable._post_accumulate_grad_hooks or {}).values()):
                if (returned := hook(self.variable)) is not None and returned is not self.variable:
                    kind = type(returned).__name__
                    raise RuntimeError(NOT_NONE) if hasattr(returned, "_array") else TypeError(NOT_TENSOR.format(kind))
        return ()


def accumulate(leaf: Any, g: Any) -> None:
    """Compute `leaf.grad += g`, in place unless the pass is recorded. The first `g` is copied, because other code may refer to it."""
    if leaf._grad is None:
        leaf._grad = leaf._wrap(copy_in_leaf_layout(g._array, leaf._array))
        if mode.enabled:  # with `create_graph` the copy is recorded
            leaf._grad.copy_(g)
    elif mode.enabled:
        leaf._grad = leaf._grad + g
    else:
        leaf._grad.add_(g)


def copy_in_leaf_layout(array: Any, leaf: Any) -> Any:
    """Return a copy of `array` with the strides of the array `leaf`; in C order if `leaf` has gaps, overlaps or another shape."""
    copy = np.empty_like(leaf)  # as torch's grad_layout_contract.h says
    copy = copy if copy.strides == leaf.strides and copy.shape == array.shape else np.empty_like(array, order="C")
    np.copyto(copy, array)
    return copy


def accumulator_of(leaf: Any) -> AccumulateGrad:
    """Return the AccumulateGrad node of `leaf`; create it if it does not exist."""
    node = leaf._accumulator and leaf._accumulator()
    if node is None:
        node = AccumulateGrad(leaf)
        leaf._accumulator = weakref.ref(node)
    return node


def gradient_edge(tensor: Any) -> Any:
    """Return the edge (node, output number) to which the gradient of `tensor` goes; (None, 0) if `tensor` needs no gradient."""
    if tensor._view is not None:
        tensor._view.refresh(tensor)
    if tensor._grad_fn is not None:
        return tensor._grad_fn, tensor._output_nr
    return (accumulator_of(tensor), 0) if tensor._requires_grad else NO_EDGE

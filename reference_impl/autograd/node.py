"""The graph that a forward pass leaves behind: one `Node` per operation, `AccumulateGrad` at the leaves.

A node knows the functions before it (`next_edges`: the name looks forward along the *backward* pass), what it kept of
the forward pass (`saved`), and how to turn the gradient of its output into gradients of its inputs (`apply`).
"""

from __future__ import annotations

import sys
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import count
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from reference_impl._memory_order import is_dense
from reference_impl.autograd.deletion import delete_node
from reference_impl.autograd.grad_mode import mode
from reference_impl.autograd.saved_variable import (
    ERR_BACKWARD_TWICE,
    RESULT,
    SavedVariable,
    modified_message,
    packing_order,
)
from reference_impl.utils.hooks import RemovableHandle, register

if TYPE_CHECKING:
    from reference_impl._tensor import Tensor

Edge = tuple["Node", int]
"""A node and which of its outputs (outputs of the forward pass) the gradient is for."""

NOTHING = -1  # among the versions of saved tensors: there was none to save

next_sequence_number = count().__next__
ACCUMULATE_GRAD_SEQUENCE_NUMBER = 2**64 - 1  # larger than any other: leaves are served first


class Node:
    """One recorded operation.

    A subclass states its formulas in one of two ways. Either one method `grad_<input>(self, g)` per input, in the order of
    the inputs: only those of inputs that need a gradient are called. Or `apply(self, *grads)`, which returns a tuple with
    one gradient (or None) per input. `g` and `grads` are Tensors (None: no gradient came), and the formulas are
    written in differentiable operations, so `create_graph=True` needs nothing more. A gradient may have the shape that the
    output had: the engine sums it down to the shape of the input where that was broadcast.

    Class attributes:
        saved_names: names of the saved tensors, in the order given to `record`; `self._saved_<name>` unpacks one.
        keeps_values: whether plain attributes count as saved too: torch frees the 2 of `x * 2` and the indices of `x[i]`.

    Attributes:
        next_nodes: per input, the node that its gradient goes to; None where none is needed.
        next_output_nrs: per input, which output of that node the input was; empty where each is the first.
        saved: per saved name the tensor itself, RESULT, a SavedVariable (see there for which) or None; None after the buffers
            were freed.
        saved_versions: the version that each tensor had when it was saved.
        _result, _result_counter: where `saved` has RESULT, the values of the operation's only result, and the counter of its
            versions (None before the first change).
        sequence_number: rises with each recorded operation; the engine takes the highest first.
        output_metadata: what a gradient of each output must look like: (shape, NumPy dtype, shape, NumPy dtype, ...).

    A node is made for every operation, and every object that Python's garbage collector has to follow costs time whenever it
    runs. Hence the flat tuples here, and no object per edge or per saved input.
    """

    saved_names: ClassVar[tuple[str, ...]] = ()
    _getters: ClassVar[tuple[Callable[[Any], Any], ...]] = ()
    keeps_values: ClassVar[bool] = False
    formulas: ClassVar[tuple[Callable[[Any, Any], Any], ...]] = ()
    by_formulas: ClassVar[bool] = False  # whether `apply` calls them

    next_nodes: tuple[Node | None, ...] = ()
    next_output_nrs: tuple[int, ...] = ()
    saved: tuple[Any, ...] | None = ()
    saved_versions: tuple[int, ...] = ()
    _result: Any = None
    _result_counter: Any = None
    sequence_number: int = 0
    output_metadata: tuple[Any, ...] = ()
    # Each a dict from the number of an output to its hooks, or None while nobody has asked.
    tensor_pre_hooks: dict[int, OrderedDict[int, Any]] | None = None
    retain_grad_hooks: dict[int, Any] | None = None
    pre_hooks: OrderedDict[int, Any] | None = None
    post_hooks: OrderedDict[int, Any] | None = None
    has_hooks: bool = False  # any of the four, or perhaps hooks on a saved tensor
    forward_location: Any = None  # where the operation was called, under anomaly detection

    if TYPE_CHECKING:
        # `_saved_<name>` and the arguments of an operation are put onto its class and its nodes.
        def __getattr__(self, name: str) -> Any: ...

    def __init_subclass__(cls) -> None:
        if "backward" in vars(cls):
            raise TypeError(
                f"{cls.__name__}: the method of a Node is called `apply`, as in torch/csrc/autograd/function.h"
            )
        formulas = tuple(f for name, f in vars(cls).items() if name.startswith("grad_"))
        if formulas:
            cls.formulas = formulas
            if "apply" not in vars(cls):
                cls.by_formulas = True
                short: Any = {1: _apply_one, 2: _apply_two}.get(len(formulas))
                cls.apply = short(*formulas) if short else Node.apply  # type: ignore[assignment, method-assign]
        if "apply" in vars(cls) and not formulas:
            cls.by_formulas = False
        if "saved_names" in vars(cls):
            cls._getters = tuple([_saved_getter(index) for index in range(len(cls.saved_names))])
        for index, name in enumerate(vars(cls).get("saved_names", ())):
            unpacked, raw = _saved_properties(index)
            if "_saved_" + name not in vars(cls):
                setattr(cls, "_saved_" + name, unpacked)
            setattr(cls, "_raw_saved_" + name, raw)
        # The plain arguments that a node class declares (`dim: int`) are shown as `_saved_dim`; those with an underscore are its
        # own affair. (Not by `__getattr__`: a class that has one pays for it at every attribute, also at those that are there.)
        for name in vars(cls).get("__annotations__", {}):
            if not name.startswith("_") and "_saved_" + name not in vars(cls):
                setattr(cls, "_saved_" + name, property(attrgetter(name)))

    # -- what torch shows of a node

    def name(self) -> str:
        """As printed in `grad_fn=<...>`; nodes that are not made from a formula carry torch's C++ namespace before it."""
        return self.namespace + type(self).__name__

    namespace: ClassVar[str] = ""

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """Per input, the node its gradient goes to and the number of that node's output; (None, 0) where there is none."""
        return tuple(zip(self.next_nodes, self.next_output_nrs or (0,) * len(self.next_nodes), strict=True))

    @property
    def next_edges(self) -> tuple[Edge | None, ...]:
        """As `next_functions`, with None for an input that needs no gradient."""
        return tuple([None if node is None else (node, nr) for node, nr in self.next_functions])  # type: ignore[misc]

    @next_edges.setter
    def next_edges(self, edges: Sequence[Edge | None]) -> None:
        self.next_nodes = tuple([None if edge is None else edge[0] for edge in edges])
        self.next_output_nrs = tuple([0 if edge is None else edge[1] for edge in edges])

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
        return f"<{type(self).__name__} object at {id(self):#x}>"

    # -- the backward pass

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Gradients of the inputs from the gradients of the outputs."""
        (g,) = grads
        if g is None:
            return (None,) * len(self.next_nodes)
        if self.saved is None:
            raise RuntimeError(ERR_BACKWARD_TWICE)
        if None in self.next_nodes:
            self.check_saved()
        return tuple([None if n is None else f(self, g) for n, f in zip(self.next_nodes, self.formulas)])  # noqa: B905

    def apply_some(self, g: Tensor, wanted: Sequence[bool]) -> tuple[Tensor | None, ...]:
        """As `apply` of a node that has formulas: only those of the inputs that are `wanted`."""
        if self.saved is None:
            raise RuntimeError(ERR_BACKWARD_TWICE)
        self.check_saved()
        return tuple([f(self, g) if needed else None for f, needed in zip(self.formulas, wanted, strict=False)])

    def needs_grad(self, index: int) -> bool:
        """Whether input `index` needs a gradient."""
        return self.next_nodes[index] is not None

    def unpack(self, index: int) -> Tensor:
        """The saved tensor number `index`; None where it was not needed.

        Raises:
            RuntimeError: the buffers were freed, or the tensor was changed in place since.
        """
        return _saved_getter(index)(self)

    def check_saved(self) -> None:
        """Whether all that was saved is as it was: torch looks at it before it computes anything, used or not.

        Raises:
            RuntimeError: as `unpack`.
        """
        for get in self._getters:
            get(self)

    def raw_saved(self, index: int) -> SavedVariable | None:
        """The SavedVariable number `index`, on which hooks can be registered."""
        if self.saved is None:
            raise RuntimeError(ERR_BACKWARD_TWICE)
        kept = self.saved[index] if self.saved else None
        self.has_hooks = True  # hooks may be registered on it
        if kept is RESULT:
            kept = SavedVariable(self.saved_result(index), True)
        elif kept is not None and not isinstance(kept, SavedVariable):
            kept = SavedVariable(kept, False)
        if kept is not None and kept is not self.saved[index]:
            self.saved = (*self.saved[:index], kept, *self.saved[index + 1 :])
        return kept

    def saved_result(self, index: int) -> Tensor:
        """The operation's only result, saved as number `index`.

        Raises:
            RuntimeError: it was changed in place since.
        """
        counter = self._result_counter
        result = self.make_tensor(self._result, counter)
        result._grad_fn = self
        if counter is not None and counter[0] != self.saved_versions[index]:
            raise RuntimeError(modified_message(result, (self, 0), self.saved_versions[index]))
        return result

    make_tensor: ClassVar[Callable[..., Tensor]]  # Tensor._of: set by `_tensor`, which is built on this module

    def save(self, tensors: Sequence[Any]) -> None:
        """Keep `tensors` (Tensors, SavedVariables or None), with the versions they have now."""
        self.saved = tuple(tensors)
        self.saved_versions = tuple([NOTHING if t is None else t._version for t in tensors])

    @contextmanager
    def unpacked(self) -> Iterator[None]:
        """In the block, what unpack hooks make of the saved tensors lies ready: each is called once, in the order of packing."""
        ready = []
        try:
            for index in packing_order(self.saved_names, self.saved or ()) if self.has_hooks else ():
                kept = self.saved[index]  # type: ignore[index]
                if isinstance(kept, SavedVariable) and kept.unpack_hook is not None and kept.ready is None:
                    kept.ready = kept.unpack(self)
                    ready.append(kept)
            yield
        finally:
            for kept in ready:
                kept.ready = None

    def release_variables(self) -> None:
        """Free what was kept of the forward pass."""
        if self.saved or self.keeps_values:
            self.saved = self._result = None

    def __call__(self, *grads: Any) -> Any:
        result = self.apply(*grads)
        return result[0] if len(result) == 1 else result

    # -- hooks

    def register_hook(self, fn: Callable[[Any, Any], Any]) -> RemovableHandle:
        """Call `fn(grad_inputs, grad_outputs)` after this node ran; a tuple it returns takes the place of `grad_inputs`."""
        self.has_hooks = True
        if self.post_hooks is None:
            self.post_hooks = OrderedDict()
        return register(self.post_hooks, fn)

    def register_prehook(self, fn: Callable[[Any], Any]) -> RemovableHandle:
        """Call `fn(grad_outputs)` before this node runs; a tuple it returns takes the place of `grad_outputs`."""
        self.has_hooks = True
        if self.pre_hooks is None:
            self.pre_hooks = OrderedDict()
        return register(self.pre_hooks, fn)

    def add_tensor_pre_hook(self, output_nr: int, fn: Callable[[Any], Any]) -> RemovableHandle:
        """A hook on a tensor is a hook on the node that made it, for the output that the tensor is."""
        self.has_hooks = True
        if self.tensor_pre_hooks is None:
            self.tensor_pre_hooks = {}
        return register(self.tensor_pre_hooks.setdefault(output_nr, OrderedDict()), fn)


Node.__module__ = "torch.autograd.graph"


def _apply_one(formula: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """`Node.apply` for one formula, as most nodes have."""

    def apply(self: Node, g: Tensor | None) -> tuple[Tensor | None, ...]:
        if g is None:
            return (None,)
        if self.saved is None:
            raise RuntimeError(ERR_BACKWARD_TWICE)
        return (formula(self, g),)

    return apply


def _apply_two(formula: Callable[[Any, Any], Any], other: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """`Node.apply` for two formulas."""

    def apply(self: Node, g: Tensor | None) -> tuple[Tensor | None, ...]:
        if g is None:
            return (None, None)
        if self.saved is None:
            raise RuntimeError(ERR_BACKWARD_TWICE)
        first, second = self.next_nodes
        if first is None or second is None:
            self.check_saved()
        return (None if first is None else formula(self, g), None if second is None else other(self, g))

    return apply


@cache
def _saved_getter(index: int) -> Callable[[Any], Any]:
    """A function that unpacks saved tensor number `index` of a node. (One per number: to make it costs more than to call it.)"""

    def get(node: Node) -> Tensor | None:
        saved = node.saved
        if not saved:  # freed, or nothing was saved
            if not node.saved_versions or node.saved_versions[index] == NOTHING:
                return None
            raise RuntimeError(ERR_BACKWARD_TWICE)
        kept = saved[index]
        if kept is RESULT:
            return node.saved_result(index)
        if kept is None:
            return None
        if kept.__class__ is SavedVariable:
            return kept.unpack(node)
        counter = kept._version_counter
        if counter is None and kept._grad_fn is not None:
            counter = kept._grad_fn._result_counter
        if counter is not None and kept._version != node.saved_versions[index]:
            if kept._view is not None:
                kept._view.refresh(kept)
            raise RuntimeError(modified_message(kept, kept._edge, node.saved_versions[index]))
        return kept

    return get


@cache
def _saved_properties(index: int) -> tuple[property, property]:
    """`_saved_<name>` and `_raw_saved_<name>` of saved tensor number `index`: the same two for each class that has so many."""
    return property(_saved_getter(index)), property(lambda node: node.raw_saved(index))


class AccumulateGrad(Node):
    """Where the backward pass ends: adds the gradient that arrives to the `.grad` of a leaf.

    Every operation on the same leaf leads to the same AccumulateGrad. The leaf knows it by a weak reference only, so it
    lives as long as some graph leads to it.
    """

    sequence_number = ACCUMULATE_GRAD_SEQUENCE_NUMBER
    namespace = "torch::autograd::"

    def __init__(self, variable: Tensor) -> None:
        self.variable = variable
        self.output_metadata = (variable._array.shape, variable._array.dtype)

    @property
    def tensor_pre_hooks(self) -> Any:  # type: ignore[override]
        """Hooks on a leaf lie with the leaf: it may have them before any operation has used it."""
        hooks = self.variable._backward_hooks
        return {0: hooks} if hooks else None

    @property
    def has_hooks(self) -> bool:  # type: ignore[override]
        return bool(self.variable._backward_hooks or self.pre_hooks or self.post_hooks)

    @has_hooks.setter
    def has_hooks(self, value: bool) -> None:
        pass

    def apply(self, g: Tensor | None) -> tuple[Tensor | None, ...]:  # type: ignore[override]
        if g is not None and self.variable._requires_grad:
            accumulate(self.variable, self.on_its_device(g))
            hooks = self.variable._post_accumulate_grad_hooks
            if hooks:
                for hook in list(hooks.values()):
                    if hook(self.variable) is not None:
                        raise RuntimeError("hooks are not expected to return anything")
        return ()

    def on_its_device(self, g: Tensor) -> Tensor:
        """`g` where the leaf lies: a number on the CPU may have taken part in operations on another device."""
        here = self.variable._array.__class__ is g._array.__class__
        return g if here else g.to(self.variable.device)


def accumulate(variable: Tensor, g: Tensor) -> None:
    """`variable.grad += g`, without a copy where nobody else can see the array of `g`."""
    if variable._grad is None:
        if mode.enabled and g.requires_grad:
            variable._grad = _copied(g, variable)
            return
        grad = variable._grad = g._owned()
        if grad._array.strides != variable._array.strides:
            grad._array = _laid_out(grad._array, variable._array)
    elif mode.enabled:
        variable._grad = variable._grad + g
    else:
        variable._grad.add_(g)


class CopyBackwards(Node):
    """Values copied over others: the gradient goes to where they came from; what was there before gets 0."""

    namespace = "torch::autograd::"

    def grad_self(self, g: Tensor) -> Tensor:
        return g * 0

    def grad_src(self, g: Tensor) -> Tensor:
        return g


def _laid_out(array: Any, like: Any) -> Any:
    """The gradient in the order in memory that torch promises: that of the leaf, or of C where the leaf has gaps; copied if need be.

    See torch/csrc/autograd/utils/grad_layout_contract.h.
    """
    wanted = np.empty_like(like) if is_dense(like) else np.empty_like(array, order="C")
    if all(a == b or n == 1 for a, b, n in zip(array.strides, wanted.strides, like.shape, strict=True)):
        return array
    np.copyto(wanted, array)
    return wanted


def _copied(g: Tensor, variable: Tensor) -> Tensor:
    """A copy of a gradient that is itself part of a graph, in that graph."""
    copy = type(g)._wrap(_laid_out(g._array, variable._array))
    if copy._array is g._array:
        copy._array = copy._array.copy("K")
    node = CopyBackwards()
    node.next_edges = (None, gradient_edge(g))
    node.sequence_number = next_sequence_number()
    node.output_metadata = (copy._array.shape, copy._array.dtype)
    copy._grad_fn = node
    return copy


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
    if tensor._view is not None:
        tensor._view.refresh(tensor)
    node = tensor._grad_fn
    if node is not None:
        return node, tensor._output_nr
    return (accumulator_of(tensor), 0) if tensor.requires_grad else None


if sys.platform == "emscripten":
    Node.__del__ = delete_node  # type: ignore[attr-defined]

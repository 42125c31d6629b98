"""Hooks on saved tensors, from `graph.saved_tensors_hooks` or `grad_fn._raw_saved_self.register_hooks`.

The pack hook is called when a node saves a tensor, and the node saves only the hook's result. The unpack hooks are called before the node
runs, each once and in the order of packing, and their results are stored until the node has run. (For the node of a custom Function,
reading `ctx.saved_tensors` calls the unpack hooks.)
"""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from reference_impl.core.extensions import add_members, extensions, states
from reference_impl.core.modes import no_grad
from reference_impl.core.node import ALREADY_FREED, NO_EDGE, AccumulateGrad, Node, gradient_edge
from reference_impl.core.saving import SavedTensor, is_result
from reference_impl.core.tensor import Tensor


class _Hooks(threading.local):
    """The (pack, unpack) pairs of the open `saved_tensors_hooks` blocks of a thread, the innermost last."""

    stack: tuple[tuple[Any, Any], ...] = ()


default_hooks = _Hooks()
_threads: set[int] = set()  # the identifiers of threads whose stack is not empty


def replace_default_hooks(stack: tuple[tuple[Any, Any], ...]) -> None:
    """Replace this thread's stack of (pack, unpack) hooks."""
    default_hooks.stack = stack
    (_threads.add if stack else _threads.discard)(threading.get_ident())
    states.pack_hooks = bool(_threads)


class _Packed:
    """The result of a pack hook, `value`, and the `edge` to which the gradient of the saved tensor goes.

    While the node runs, `ready` is the result of the unpack hook. Otherwise, and for nodes with `unpacks_at_access`, it is None.
    """

    __slots__ = ("value", "unpack_hook", "edge", "ready")

    def __init__(self, value: Any, unpack_hook: Callable[[Any], Any], edge: Any) -> None:
        self.value, self.unpack_hook, self.edge, self.ready = value, unpack_hook, edge, None

    def unpack(self) -> Any:
        if self.ready is not None:
            return self.ready
        result = self.unpack_hook(self.value)
        if not isinstance(result, Tensor):
            raise TypeError(
                f"Output of saved tensor unpack_hook expected to be a Tensor but got result of type {type(result).__name__}"
            )
        return result


class PackedTensor(SavedTensor):
    """A saved tensor whose `tensor` is a `_Packed`, because a pack hook was called on it."""

    __slots__ = ()

    def unpack(self, node: Node) -> Tensor:
        """Return the result of the unpack hook, with the place of the saved tensor in the graph, also if the hooks detach it.

        Raises:
            TypeError: the unpack hook does not return a tensor.
        """
        packed: Any = self.tensor
        tensor: Tensor = packed.unpack()
        target, output_nr = packed.edge if self.output_nr is None else (node, self.output_nr)
        if target is not None or tensor.requires_grad:
            tensor = tensor._alias()
            if isinstance(target, AccumulateGrad):
                tensor._requires_grad, tensor._accumulator = True, weakref.ref(target)
            else:
                tensor._grad_fn, tensor._output_nr = target, output_nr
        return tensor


def register_hooks(self: SavedTensor, pack_hook: Any, unpack_hook: Any, tensor: Tensor | None = None) -> None:
    """Replace the saved tensor by `pack_hook(tensor)`; `unpack_hook` converts it back.

    Args:
        tensor: the tensor to pack; by default the saved tensor itself, which has no `grad_fn` if it is a result of the node.

    Raises:
        RuntimeError: hooks were already registered on this saved tensor, or `pack_hook` has changed the tensor in place.
    """
    if isinstance(self, PackedTensor):
        raise RuntimeError(
            "Calling register_hooks on a saved tensor whose hooks have already been set. "
            "Hint: only one pair of hooks is allowed at a time."
        )
    tensor = self.tensor if tensor is None else tensor
    version = tensor._version
    with no_grad():
        edge = NO_EDGE if self.output_nr is not None else gradient_edge(tensor)  # a node must not hold itself
        packed = _Packed(pack_hook(tensor), unpack_hook, edge)
    if tensor._version != version:
        raise RuntimeError(
            "A saved tensor pack hook is modifying its input in place. "
            "Tensors provided as input to pack hook cannot be modified by "
            "in-place operations as this can lead to unexpected side-effects. "
            "Please open an issue if you need to perform in-place operations on "
            "the input to a pack hook."
        )
    self.tensor = packed  # type: ignore[assignment]
    self.__class__ = PackedTensor


def raw_saved(node: Node, index: int) -> Any:
    """Return saved value number `index` of `node`, or None if the node saved nothing.

    A saved tensor is returned as a SavedTensor, on which a program can register hooks.

    Raises:
        RuntimeError: the saved values were freed.
    """
    if node.saved is None:
        raise RuntimeError(ALREADY_FREED)
    node.has_hooks = True
    return node.saved[index] if node.saved else None


def _complete_node_class(cls: type[Node]) -> None:
    """Add the properties `_raw_saved_<name>` to a class of nodes, and let it print as a built-in class, as in torch.

    `source_module` is the name of the module that declares it. (`__getattr__` would slow down all reads of attributes.)
    """
    if cls.__module__.startswith("reference_impl."):
        cls.source_module, cls.__module__ = cls.__module__, "builtins"  # type: ignore[attr-defined]
    for index, name in enumerate(vars(cls).get("saved_names", ())):
        setattr(cls, "_raw_saved_" + name, property(functools.partial(raw_saved, index=index)))


def _subclasses(cls: type[Node]) -> Iterator[type[Node]]:
    for subclass in cls.__subclasses__():
        yield subclass
        yield from _subclasses(subclass)


for _node_class in _subclasses(Node):
    _complete_node_class(_node_class)
add_members(SavedTensor, register_hooks=register_hooks)
PackedTensor.__module__, PackedTensor.__qualname__, PackedTensor.__name__ = (
    "torch._C._autograd",
    "SavedTensor",
    "SavedTensor",
)


# The names of saved results that are not differentiable. torch packs them after the inputs, although nodes save them as inputs.
_FURTHER_RESULTS = ("result1", "result2", "result3", "total_weight", "is_target")


def _packing_order(names: Sequence[str], saved: Sequence[Any]) -> list[int]:
    """Return the indices of `saved` in torch's order of pack hooks: inputs in alphabetical order of their names, then results.

    If there is not a name for each value, as in the node of a custom Function, keep the order of `saved`.
    """
    if len(names) != len(saved):
        return list(range(len(saved)))
    return sorted(range(len(saved)), key=lambda i: (is_result(saved[i]) or names[i] in _FURTHER_RESULTS, names[i]))


def _apply_pack_hooks(node: Node, results: Sequence[Tensor] = ()) -> None:
    """Call the innermost pack hook on each tensor that `node` saved, unless a pack hook has already replaced it.

    Results of the node are packed only if `results` contains them.
    """
    if not default_hooks.stack or not node.saved:
        return
    node.has_hooks = True
    for index in _packing_order(node.saved_names, node.saved):
        saved = node.saved[index]
        if saved.__class__ is SavedTensor and (results or not is_result(saved)):
            register_hooks(
                saved, *default_hooks.stack[-1], None if saved.output_nr is None else results[saved.output_nr]
            )


def _without_pack_hooks(op: Callable[..., Tensor], *args: Any, **kwargs: Any) -> Tensor:
    """Return `op(*args, **kwargs)` without calling pack hooks. An in-place operation calls them itself, before and after its write."""
    stack, default_hooks.stack = default_hooks.stack, ()
    try:
        return op(*args, **kwargs)
    finally:
        default_hooks.stack = stack


@contextmanager
def _unpack_hooks(node: Node) -> Iterator[None]:
    """Context manager, in which `node` runs: first call its unpack hooks, and store their results until `node` has run."""
    ready = []
    calls_hooks = node.has_hooks and not hasattr(node, "unpacks_at_access")
    try:
        for index in _packing_order(node.saved_names, node.saved or ()) if calls_hooks else ():
            saved = node.saved[index]  # type: ignore[index]
            packed: Any = getattr(saved, "tensor", None)
            if isinstance(packed, _Packed) and packed.ready is None:
                packed.ready = packed.unpack()
                ready.append(packed)
        yield
    finally:
        for packed in ready:
            packed.ready = None


extensions.fill(
    apply_pack_hooks=_apply_pack_hooks, without_pack_hooks=_without_pack_hooks, unpack_hooks=_unpack_hooks,
    node_class_created=_complete_node_class,
)  # fmt: skip

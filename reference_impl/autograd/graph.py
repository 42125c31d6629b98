"""`torch.autograd.graph`: looking at the graph, and hooks that belong to no single tensor."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from reference_impl import _backend
from reference_impl._absent import absent
from reference_impl.autograd.saved_hooks import default_hooks, replace_default_hooks
from reference_impl.core import inplace
from reference_impl.core.hooks import RemovableHandle
from reference_impl.core.modes import mode as mode_of_thread
from reference_impl.core.node import AccumulateGrad, Node, gradient_edge
from reference_impl.core.tensor import Tensor

__all__ = [
    "AccumulateGrad",
    "Node",
    "allow_mutation_on_saved_tensors",
    "register_multi_grad_hook",
    "saved_tensors_hooks",
]


def _metadata(self: Node) -> dict[Any, Any]:
    """A dict for the user's own notes."""
    return self.__dict__.setdefault("_metadata", {})


Node.metadata = property(_metadata)  # type: ignore[attr-defined]
Node._sequence_nr = lambda self: self.sequence_number  # type: ignore[attr-defined]


class saved_tensors_hooks:
    """While it is open, what nodes save goes through `pack_hook`, and comes back through `unpack_hook`.

    Args:
        pack_hook: of a tensor, returning anything.
        unpack_hook: of what `pack_hook` returned, returning a tensor with the same values.
    """

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self) -> None:
        if not (callable(self.pack_hook) and callable(self.unpack_hook)):
            raise TypeError(
                "_push_saved_tensors_default_hooks(): incompatible function arguments. The following argument types are "
                "supported:\n    1. (arg0: collections.abc.Callable, arg1: collections.abc.Callable) -> None\n\n"
                f"Invoked with: {self.pack_hook!r}, {self.unpack_hook!r}"
            )
        replace_default_hooks((*default_hooks.stack, (self.pack_hook, self.unpack_hook)))

    def __exit__(self, *error: Any) -> None:
        replace_default_hooks(default_hooks.stack[:-1])


class _Kept:
    """One saved tensor under `allow_mutation_on_saved_tensors`: the tensor until its memory is changed, then a copy."""

    __slots__ = ("tensor", "memory", "__weakref__")

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor
        self.memory = _memory_of(tensor)


def _memory_of(tensor: Tensor) -> int:
    return _backend.address_of(_backend.root_of(tensor._array))


class allow_mutation_on_saved_tensors(saved_tensors_hooks):
    """While it is open, a saved tensor that is about to be changed in place is copied first, so backward sees the old values.

    Forward and backward must both run inside.

    Raises:
        RuntimeError: it is open already.
        AssertionError: backward runs outside.
    """

    def __init__(self) -> None:
        self.kept: weakref.WeakSet[_Kept] = weakref.WeakSet()
        self.open = False

        def pack(tensor: Tensor) -> _Kept:
            kept = _Kept(tensor)
            self.kept.add(kept)
            return kept

        def unpack(kept: _Kept) -> Tensor:
            if not self.open:
                raise AssertionError(
                    "Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin which the graph was "
                    "originally recorded."
                )
            return kept.tensor

        super().__init__(pack, unpack)

    def _copy_if_kept(self, tensor: Tensor) -> None:
        memory = _memory_of(tensor)
        for kept in list(self.kept):
            if kept.memory == memory:
                kept.tensor = kept.tensor.clone()
                kept.memory = 0

    def __enter__(self) -> allow_mutation_on_saved_tensors:  # type: ignore[override]
        if _watching.block is not None:
            raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
        super().__enter__()
        _watching.block = self
        inplace.before_write = _copy_if_kept
        self.open = True
        return self

    def __exit__(self, *error: Any) -> None:
        self.open = False
        _watching.block = None
        self.kept.clear()
        super().__exit__(*error)


class _Watching(threading.local):
    """Of one thread: the `allow_mutation_on_saved_tensors` that is open."""

    block: allow_mutation_on_saved_tensors | None = None


_watching = _Watching()


def _copy_if_kept(tensor: Tensor) -> None:
    if _watching.block is not None:
        _watching.block._copy_if_kept(tensor)


def _node_of(tensor: Tensor) -> Node:
    node, _ = gradient_edge(tensor)
    if node is None:
        raise AssertionError("Expected gradient function to be set")
    return node


class _MultiHandle:
    """Removes several hooks at once."""

    def __init__(self, handles: Sequence[RemovableHandle]) -> None:
        self.handles = tuple(handles)

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()

    def __enter__(self) -> _MultiHandle:
        return self

    def __exit__(self, *error: Any) -> None:
        self.remove()


def register_multi_grad_hook(tensors: Sequence[Tensor], fn: Callable[..., Any], *, mode: str = "all") -> _MultiHandle:
    """Call `fn` once per backward pass for several tensors.

    Args:
        mode: "all": when the gradients of all that the pass reaches are there, with a list of them (None for the others);
            "any": at the first of them, with that gradient.
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    if mode == "any":
        tensors = [t for t in tensors if t.requires_grad]
    nodes = [_node_of(t) for t in tensors]
    state: dict[str, Any] = {"pass": None, "calls": 0, "expected": 0, "grads": []}

    def hook_of(index: int) -> Callable[[Tensor], None]:
        def hook(grad: Tensor) -> None:
            current = mode_of_thread.backward_pass
            if current is None:
                raise RuntimeError("expected this hook to be called inside a backward call")
            if state["pass"] is not current:
                expected = sum(node in current.dependencies and current.leads_on(node) for node in nodes)
                state.update({"pass": current, "calls": 0, "expected": expected, "grads": [None] * len(nodes)})
            state["calls"] += 1
            state["grads"][index] = grad
            if mode == "any" and state["calls"] == 1:
                fn(grad)
            if state["calls"] == state["expected"]:
                grads = state["grads"]
                state.update({"pass": None, "grads": []})
                if mode == "all":
                    fn(grads)

        return hook

    return _MultiHandle([t.register_hook(hook_of(i)) for i, t in enumerate(tensors)])


def __getattr__(name: str) -> Any:
    raise absent("torch.autograd.graph", name)

"""`torch.autograd.graph`: inspect the graph, and register hooks on several tensors or on saved tensors."""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from reference_impl import _backend
from reference_impl.arguments.missing_names import absent
from reference_impl.autograd.differentiation import GradientEdge
from reference_impl.autograd.function import FUNCTION_NAMES, INTERNAL_NAMES, FunctionCtx
from reference_impl.autograd.saved_hooks import default_hooks, replace_default_hooks
from reference_impl.core.extensions import add_members, extensions, states
from reference_impl.core.hooks import RemovableHandle
from reference_impl.core.modes import enable_grad
from reference_impl.core.modes import mode as mode_of_thread
from reference_impl.core.node import AccumulateGrad, Node, gradient_edge
from reference_impl.core.tensor import Tensor

__all__ = [
    "AccumulateGrad",
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]


def _metadata(self: Node) -> dict[Any, Any]:
    """Return the dict of this node in which a program can store values."""
    return self.__dict__.setdefault("_metadata", {})


_PUBLIC_NAMES = frozenset(
    ("metadata", "name", "next_functions", "register_hook", "register_prehook", "requires_grad", "_sequence_nr")
)


def _dir(self: Node) -> list[str]:
    """Return the names that `dir` lists for a node in torch. For the node of a Function, they include the methods of `ctx`."""
    public_names: frozenset[str] = _PUBLIC_NAMES
    prefixes: tuple[str, ...] = ("__", "_saved_", "_raw_saved_")
    if isinstance(self, FunctionCtx):
        public_names |= FUNCTION_NAMES | vars(self).keys() - INTERNAL_NAMES
        prefixes = ("__", "_raw_saved_")
    elif isinstance(self, AccumulateGrad):
        public_names, prefixes = public_names | {"variable"}, ("__",)
    names = set(object.__dir__(self)) - {"__annotations__"}
    return sorted([name for name in names if name in public_names or name.startswith(prefixes)])


add_members(
    Node, metadata=property(_metadata), __dir__=_dir, requires_grad=property(lambda self: True),
    _sequence_nr=lambda self: self.sequence_number,
)  # fmt: skip


class saved_tensors_hooks:
    """Context manager: call `pack_hook` on each tensor that a node saves, and `unpack_hook` when the backward pass uses the tensor.

    Args:
        pack_hook: function from a tensor to any object, which the node stores.
        unpack_hook: function from that object to a tensor with the same values.

    Raises:
        TypeError: a hook is not callable (raised when the block begins), or `unpack_hook` does not return a tensor.
        RuntimeError: `pack_hook` changes its argument in place.
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


class save_on_cpu(saved_tensors_hooks):
    """Context manager: keep saved tensors on the CPU, and move them back to their device for the backward pass.

    Args:
        pin_memory, device_type: accepted and ignored.
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda tensor: (tensor.device, tensor.cpu()), lambda packed: packed[1].to(packed[0]))


class _SavedEntry:
    """A tensor saved inside `allow_mutation_on_saved_tensors`. Before an operation changes its memory, a copy replaces the tensor."""

    __slots__ = ("tensor", "memory", "__weakref__")

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor
        self.memory = _memory_of(tensor)


def _memory_of(tensor: Tensor) -> int:
    return _backend.address_of(_backend.root_of(tensor._array))


class allow_mutation_on_saved_tensors(saved_tensors_hooks):
    """Context manager: copy a saved tensor before it is changed in place, so that backward uses the old values.

    Forward and backward must both run inside the block.

    Raises:
        RuntimeError: the block is inside another block of `allow_mutation_on_saved_tensors`.
        AssertionError: backward runs outside the block.
    """

    def __init__(self) -> None:
        self.entries: weakref.WeakSet[_SavedEntry] = weakref.WeakSet()
        self.open = False

        def pack(tensor: Tensor) -> _SavedEntry:
            entry = _SavedEntry(tensor)
            self.entries.add(entry)
            return entry

        def unpack(entry: _SavedEntry) -> Tensor:
            if not self.open:
                raise AssertionError(
                    "Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin which the graph was "
                    "originally recorded."
                )
            return entry.tensor

        super().__init__(pack, unpack)

    def _copy_if_saved(self, tensor: Tensor) -> None:
        memory = _memory_of(tensor)
        for entry in list(self.entries):
            if entry.memory == memory:
                entry.tensor = entry.tensor.clone()
                entry.memory = 0

    def __enter__(self) -> allow_mutation_on_saved_tensors:  # type: ignore[override]
        if _watching.block is not None:
            raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
        super().__enter__()
        _watching.block = self
        states.watching = True  # it is never set to False again, because other threads may have an open block
        self.open = True
        return self

    def __exit__(self, *error: Any) -> None:
        self.open = False
        _watching.block = None
        self.entries.clear()
        super().__exit__(*error)


class _OpenBlock(threading.local):
    """The `allow_mutation_on_saved_tensors` block that is open in this thread, or None."""

    block: allow_mutation_on_saved_tensors | None = None


_watching = _OpenBlock()


def _copy_if_saved(tensor: Tensor) -> None:
    if _watching.block is not None:
        _watching.block._copy_if_saved(tensor)


extensions.fill(before_write=_copy_if_saved)


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Return the GradientEdge of `tensor`: its node and its index among the node's outputs.

    `grad` and `backward` accept the edge in place of the tensor.

    Raises:
        RuntimeError: the tensor does not require grad.
    """
    if not tensor.requires_grad:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    node = _node_of(tensor)
    with enable_grad():
        token = tensor.view_as(tensor).grad_fn if isinstance(node, FunctionCtx) else None
    return GradientEdge(node, tensor._output_nr, token)


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Raise the version of a tensor, or of each tensor in an iterable, after code outside the engine has changed the values.

    Inference tensors are skipped, because they have no version.

    Raises:
        RuntimeError: `tensor` is neither a tensor nor an iterable.
    """
    if not isinstance(tensor, Iterable):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    for t in (tensor,) if isinstance(tensor, Tensor) else tensor:
        if not t.is_inference():  # type: ignore[attr-defined]
            t._bump_version()


def _node_of(tensor: Tensor) -> Node:
    node = gradient_edge(tensor)[0] if tensor.requires_grad else None
    if node is None:
        raise AssertionError("Expected gradient function to be set")
    return node


class _MultiHandle:
    """A handle that removes several hooks: the result of `register_multi_grad_hook`."""

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
    """Register `fn` to be called once in each backward pass that computes the gradient of at least one of `tensors`.

    Return a handle whose method `remove` removes `fn`.

    Args:
        mode: "all" calls `fn` after the last gradient, with the list of all gradients (None for tensors that the pass does not reach).
            "any" calls `fn` at the first gradient, with this gradient.

    There is one exception, as in torch: if the pass differentiates a single tensor, and this tensor is among `tensors`, then "all" may call
    `fn` twice, or not at all.

    Raises:
        ValueError: `mode` has another value.
        AssertionError: `mode` is "all", and a tensor does not require grad. ("any" skips such a tensor.)
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    if mode == "any":
        hook = _call_at_first_gradient(fn)
        return _MultiHandle([t.register_hook(hook) for t in tensors if t.requires_grad])
    nodes = [_node_of(t) for t in tensors]
    state: dict[str, Any] = {"pass": None, "calls": 0, "expected": 0, "grads": []}

    def hook_of(index: int) -> Callable[[Tensor], None]:
        def hook(grad: Tensor) -> None:
            current = _current_pass()
            if state["pass"] is not current:
                expected = sum([_will_run(node, current) for node in nodes])
                state.update({"pass": current, "calls": 0, "expected": expected, "grads": [None] * len(nodes)})
            state["calls"] += 1
            state["grads"][index] = grad
            if state["calls"] == state["expected"]:
                grads = state["grads"]
                state.update({"pass": None, "grads": []})
                fn(grads)

        return hook

    return _MultiHandle([t.register_hook(hook_of(i)) for i, t in enumerate(tensors)])


def _current_pass() -> Any:
    current = mode_of_thread.backward_pass
    if current is None:
        raise AssertionError("expected this hook to be called inside a backward call")
    return current


def _call_at_first_gradient(fn: Callable[[Tensor], None]) -> Callable[[Tensor], None]:
    """Return a hook for several tensors that calls `fn` with the first gradient of each backward pass, and not again in this pass."""
    last: Any = lambda: None  # noqa: E731 (stands for a weak reference to a deleted object)

    @functools.wraps(fn)
    def hook(grad: Tensor) -> None:
        nonlocal last
        current = _current_pass()
        if last() is not current:
            last = weakref.ref(current)
            fn(grad)

    return hook


def _will_run(node: Node, current: Any) -> bool:
    """Return whether the backward pass `current` will run `node`; as in torch, False if `node` is the only root of the pass.

    Raises:
        RuntimeError: `node` belongs to a leaf among the inputs of `grad`. torch raises this error too.
    """
    if node not in current.dependencies or current.roots == [node] or not current.is_needed(node):
        return False
    if isinstance(node, AccumulateGrad) and (node, 0) in current.captures:
        raise RuntimeError(
            "A leaf node was passed to _will_engine_execute_node but we are currently running autograd.grad(). This is "
            "currently not supported."
        )
    return True


def __getattr__(name: str) -> Any:
    raise absent("torch.autograd.graph", name)

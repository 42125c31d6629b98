"""Call a module with its hooks."""

from __future__ import annotations

import warnings
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.nn.modules import global_hooks as everywhere
from reference_impl.nn.modules.backward_hook import BackwardHook
from reference_impl.utils.hooks import RemovableHandle, register

_MIXED = (
    "Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of them."
)
_ON_MODULES = "non-full backward hooks on a Module that does not "
_WHEN = "a non-full backward hook when "


class HookedCall:
    """Base class of Module that makes modules callable: `module(x)` calls `forward(x)`, and hooks before and after it."""

    forward: Callable[..., Any]
    _forward_hooks: OrderedDict[int, Any]
    _forward_pre_hooks: OrderedDict[int, Any]
    _backward_hooks: OrderedDict[int, Any]
    _backward_pre_hooks: OrderedDict[int, Any]
    _forward_hooks_with_kwargs: OrderedDict[int, bool]
    _forward_pre_hooks_with_kwargs: OrderedDict[int, bool]
    _forward_hooks_always_called: OrderedDict[int, bool]
    _is_full_backward_hook: bool | None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not (
            self._backward_hooks
            or self._backward_pre_hooks
            or self._forward_hooks
            or self._forward_pre_hooks
            or everywhere.forward_hooks
            or everywhere.forward_pre_hooks
        ):
            return self.forward(*args, **kwargs)
        return self._call_with_hooks(args, kwargs)

    def _call_with_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        called: set[int] = set()
        result = None
        try:
            args, kwargs = self._run_pre_hooks(args, kwargs)
            hooks, pre = list(self._backward_hooks.values()), list(self._backward_pre_hooks.values())
            full, on_last_node = (hooks, []) if self._is_full_backward_hook else ([], hooks)
            backward_hook = BackwardHook(self, full, pre) if full or pre else None
            if backward_hook is not None:
                args = backward_hook.setup_input_hook(args)
            result = self.forward(*args, **kwargs)
            for key, hook in [*everywhere.forward_hooks.items(), *self._forward_hooks.items()]:
                called.add(key)
                replaced = self._call_forward_hook(key, hook, args, kwargs, result)
                if replaced is not None:
                    result = replaced
            if backward_hook is not None:
                if not isinstance(result, (Tensor, tuple)):
                    warnings.warn(
                        "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received "
                        f"{type(result)}",
                        stacklevel=2,
                    )
                result = backward_hook.setup_output_hook(result)
            if on_last_node:
                self._hook_last_node(on_last_node, args, result)
            return result
        except Exception:
            self._call_always_called(called, args, kwargs, result)
            raise

    def _run_pre_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        for key, hook in [*everywhere.forward_pre_hooks.items(), *self._forward_pre_hooks.items()]:
            if key in self._forward_pre_hooks_with_kwargs:
                replaced = hook(self, args, kwargs)
                if replaced is None:
                    continue
                if not (isinstance(replaced, tuple) and len(replaced) == 2):
                    raise RuntimeError(
                        f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {replaced}."
                    )
                args, kwargs = replaced
            else:
                replaced = hook(self, args)
                if replaced is not None:
                    args = replaced if isinstance(replaced, tuple) else (replaced,)
        return args, kwargs

    def _call_forward_hook(self, key: int, hook: Any, args: Any, kwargs: Any, result: Any) -> Any:
        if key in self._forward_hooks_with_kwargs or key in everywhere.forward_hooks_with_kwargs:
            return hook(self, args, kwargs, result)
        return hook(self, args, result)

    def _call_always_called(self, called: set[int], args: Any, kwargs: Any, result: Any) -> None:
        for hooks, always, kind in (
            (everywhere.forward_hooks, everywhere.forward_hooks_always_called, "global module"),
            (self._forward_hooks, self._forward_hooks_always_called, "module"),
        ):
            for key, hook in list(hooks.items()):
                if key in always and key not in called:
                    try:
                        self._call_forward_hook(key, hook, args, kwargs, result)
                    except Exception as error:
                        warnings.warn(
                            f"{kind} forward hook with ``always_call=True`` raised an exception that was silenced as another "
                            f"error was raised in forward: {error}",
                            stacklevel=2,
                        )

    # -- the older backward hooks, which receive the gradients of the last node only

    def _hook_last_node(self, hooks: list[Any], args: tuple[Any, ...], result: Any) -> None:
        first = result
        while not isinstance(first, Tensor):
            first = next(v for v in first.values() if isinstance(v, Tensor)) if isinstance(first, dict) else first[0]
        node = first.grad_fn
        if node is None:
            return
        reference = weakref.ref(self)
        for hook in hooks:

            def on_node(grad_input: Any, grad_output: Any, hook: Any = hook) -> Any:
                module = reference()
                if module is None:
                    raise RuntimeError("You are trying to call the hook of a dead Module!")
                return hook(module, grad_input, grad_output)

            node.register_hook(on_node)
        self._warn_of_partial_hook(args, result, node)

    def _warn_of_partial_hook(self, args: tuple[Any, ...], result: Any, node: Any) -> None:
        results = (result,) if isinstance(result, Tensor) else result
        case, missing = "", ""
        if not (isinstance(results, tuple) and all(isinstance(r, Tensor) for r in results)):
            case, missing = _ON_MODULES + "return a single Tensor or a tuple of Tensors", "of the grad_output"
        elif not all(isinstance(a, Tensor) for a in args):
            case, missing = _ON_MODULES + "take as input a single Tensor or a tuple of Tensors", "of the grad_input"
        else:
            makers = {r.grad_fn for r in results if r.grad_fn is not None}
            inputs = {a.grad_fn for a in args if a.grad_fn is not None}
            nexts = {n for n, _ in node.next_functions if n is not None}
            if len(makers) > 1:
                case, missing = _WHEN + "outputs are generated by different autograd Nodes", "grad_output"
            elif not inputs <= nexts or any(n not in inputs and not _is_leaf(n) for n in nexts):
                case, missing = _WHEN + "the forward contains multiple autograd Nodes", "grad_input"
        if case:
            warnings.warn(
                f"Using {case} is deprecated and will be removed in future versions. This hook will be missing some {missing}. "
                "Please use register_full_backward_hook to get the documented behavior.",
                FutureWarning,
                stacklevel=2,
            )

    # -- registration

    def register_forward_hook(
        self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after every `forward`. A result that is not None replaces the output.

        Args:
            prepend: call the hook before the hooks registered so far.
            with_kwargs: call `hook(module, args, kwargs, output)` instead.
            always_call: call the hook even if `forward` raises, with None as output. Errors of the hook are then only warnings.
        """
        handle = register(
            self._forward_hooks, hook, extra=self._forward_hooks_with_kwargs if with_kwargs else None, prepend=prepend
        )
        if with_kwargs:
            self._forward_hooks_with_kwargs[handle.id] = True
        if always_call:
            self._forward_hooks_always_called[handle.id] = True
        return handle

    def register_forward_pre_hook(
        self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before every `forward`. A result that is not None replaces `args`.

        A result that is not a tuple becomes the only argument.

        Args:
            prepend: call the hook before the hooks registered so far.
            with_kwargs: call `hook(module, args, kwargs)` instead. The hook then returns None or a tuple (args, kwargs).
        """
        extra = self._forward_pre_hooks_with_kwargs if with_kwargs else None
        handle = register(self._forward_pre_hooks, hook, extra=extra, prepend=prepend)
        if with_kwargs:
            self._forward_pre_hooks_with_kwargs[handle.id] = True
        return handle

    def register_full_backward_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` when the gradients of the module's inputs are computed.

        A tuple that the hook returns replaces `grad_input`. If no input requires grad, the hook is called when the gradients of the
        outputs are computed, with None for each input. With `prepend`, the hook is called before those registered so far.

        Raises:
            RuntimeError: the module has hooks from `register_backward_hook`.
        """
        if self._is_full_backward_hook is False:
            raise RuntimeError(_MIXED)
        self._is_full_backward_hook = True
        return register(self._backward_hooks, hook, prepend=prepend)

    def register_full_backward_pre_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_output)` when the gradients of the module's outputs are computed.

        A tuple that the hook returns replaces `grad_output`. With `prepend`, the hook is called before those registered so far.
        """
        return register(self._backward_pre_hooks, hook, prepend=prepend)

    def register_backward_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` after the node of the module's first output has run.

        Deprecated: use `register_full_backward_hook`. `grad_input` has the gradients of the inputs of this node. A tuple that the hook
        returns replaces it.

        Raises:
            RuntimeError: the module has full backward hooks.
        """
        if self._is_full_backward_hook is True:
            raise RuntimeError(_MIXED)
        self._is_full_backward_hook = False
        return register(self._backward_hooks, hook)


def _is_leaf(node: Any) -> bool:
    return node.name() in ("AccumulateGrad", "torch::autograd::AccumulateGrad")

"""Hooks on every module there is, for debugging. They are called before a module's own. See torch/nn/modules/module.py."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from reference_impl.utils.hooks import RemovableHandle, register

_Hooks = OrderedDict[int, Any]

forward_pre_hooks: _Hooks = OrderedDict()
forward_hooks: _Hooks = OrderedDict()
forward_hooks_with_kwargs: _Hooks = OrderedDict()
forward_hooks_always_called: _Hooks = OrderedDict()
backward_pre_hooks: _Hooks = OrderedDict()
backward_hooks: _Hooks = OrderedDict()
parameter_registration_hooks: _Hooks = OrderedDict()
buffer_registration_hooks: _Hooks = OrderedDict()
module_registration_hooks: _Hooks = OrderedDict()


class _Kind:
    """Which of the two kinds of backward hooks is in use; None while there is none."""

    full: bool | None = None


kind = _Kind()

_MIXED = "Cannot use both regular backward hooks and full backward hooks as a global Module hook. Please use only one of them."


def register_module_forward_pre_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, args)` before every `forward`."""
    return register(forward_pre_hooks, hook)


def register_module_forward_hook(hook: Any, *, with_kwargs: bool = False, always_call: bool = False) -> RemovableHandle:
    """Call `hook(module, args, output)` after every `forward`. See `Module.register_forward_hook`."""
    handle = register(forward_hooks, hook, extra=[forward_hooks_with_kwargs, forward_hooks_always_called])
    if with_kwargs:
        forward_hooks_with_kwargs[handle.id] = True
    if always_call:
        forward_hooks_always_called[handle.id] = True
    return handle


def register_module_full_backward_pre_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, grad_output)` when the gradients of a module's outputs are there."""
    return register(backward_pre_hooks, hook)


def register_module_full_backward_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, grad_input, grad_output)` when the gradients of a module's inputs are there.

    Raises:
        RuntimeError: there are global backward hooks of the older kind.
    """
    if kind.full is False:
        raise RuntimeError(_MIXED)
    kind.full = True
    return register(backward_hooks, hook)


def register_module_backward_hook(hook: Any) -> RemovableHandle:
    """The older kind: a hook on the node of each module's output. Deprecated.

    Raises:
        RuntimeError: there are global full backward hooks.
    """
    if kind.full is True:
        raise RuntimeError(_MIXED)
    kind.full = False
    return register(backward_hooks, hook)


def register_module_parameter_registration_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, name, parameter)` before a parameter is registered; what it returns, if not None, takes its place."""
    return register(parameter_registration_hooks, hook)


def register_module_buffer_registration_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, name, buffer)` before a buffer is registered; what it returns, if not None, takes its place."""
    return register(buffer_registration_hooks, hook)


def register_module_module_registration_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, name, submodule)` before a module is registered; what it returns, if not None, takes its place."""
    return register(module_registration_hooks, hook)


def registered(hooks: _Hooks, module: Any, name: str, value: Any) -> Any:
    """`value` after the hooks of its kind of registration."""
    for hook in list(hooks.values()):
        replaced = hook(module, name, value)
        if replaced is not None:
            value = replaced
    return value

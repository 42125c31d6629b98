"""Hooks that are called for every module, before the hooks of the module itself. See torch/nn/modules/module.py."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from reference_impl.utils.hooks import RemovableHandle, register

forward_pre_hooks: OrderedDict[int, Any] = OrderedDict()
forward_hooks: OrderedDict[int, Any] = OrderedDict()
forward_hooks_with_kwargs: OrderedDict[int, bool] = OrderedDict()
forward_hooks_always_called: OrderedDict[int, bool] = OrderedDict()


def register_module_forward_pre_hook(hook: Any) -> RemovableHandle:
    """Call `hook(module, args)` before the `forward` of any module. See `Module.register_forward_pre_hook`."""
    return register(forward_pre_hooks, hook)


def register_module_forward_hook(hook: Any, *, with_kwargs: bool = False, always_call: bool = False) -> RemovableHandle:
    """Call `hook(module, args, output)` after the `forward` of any module. See `Module.register_forward_hook`."""
    handle = register(forward_hooks, hook, extra=[forward_hooks_with_kwargs, forward_hooks_always_called])
    if with_kwargs:
        forward_hooks_with_kwargs[handle.id] = True
    if always_call:
        forward_hooks_always_called[handle.id] = True
    return handle

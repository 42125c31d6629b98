"""Finding the forward pre-hook that makes a weight anew before each call, by its kind and the weight's name."""

from __future__ import annotations

from typing import Any

from reference_impl.nn.modules.module import Module


def hooks_for(module: Module, kind: type, name: str) -> dict[int, Any]:
    """The module's hooks of that kind for the weight `name`, by their keys in `_forward_pre_hooks`."""
    hooks: dict[int, Any] = dict(module._forward_pre_hooks)
    return {key: hook for key, hook in hooks.items() if isinstance(hook, kind) and _weight_name(hook) == name}


def undo(module: Module, kind: type, name: str) -> bool:
    """Have the hook make `name` an ordinary parameter again, and drop it. Whether there was one."""
    for key, hook in hooks_for(module, kind, name).items():
        hook.remove(module)
        del module._forward_pre_hooks[key]
        return True
    return False


def _weight_name(hook: Any) -> str:
    return hook._tensor_name if hasattr(hook, "_tensor_name") else hook.name  # pruning methods call it the former

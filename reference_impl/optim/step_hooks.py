"""Hooks on an optimizer: before and after a step, and around saving and loading its state."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from reference_impl.utils.hooks import RemovableHandle, register

_KINDS = ("step_pre", "step_post", "state_dict_pre", "state_dict_post", "load_state_dict_pre", "load_state_dict_post")


def with_hooks(step: Callable[..., Any]) -> Callable[..., Any]:
    """`step`, with the hooks of the optimizer called before and after it.

    Raises:
        RuntimeError: a hook before the step returned something else than (args, kwargs) or None.
    """

    @functools.wraps(step)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        hooks = args[0]._hooks
        for hook in list(hooks["step_pre"].values()) if hooks["step_pre"] else ():
            changed = hook(args[0], args, kwargs)
            if changed is not None:
                if not (isinstance(changed, tuple) and len(changed) == 2):
                    raise RuntimeError(
                        f"{step} must return None or a tuple of (new_args, new_kwargs), but got {changed}."
                    )
                args, kwargs = changed
        result = step(*args, **kwargs)
        for hook in list(hooks["step_post"].values()) if hooks["step_post"] else ():
            hook(args[0], args, kwargs)
        return result

    wrapper.hooked = True  # type: ignore[attr-defined]
    return wrapper


class OptimizerHooks:
    """The part of `Optimizer` that keeps its hooks."""

    def _start_hooks(self) -> None:
        self._hooks: dict[str, OrderedDict[int, Any]] = {kind: OrderedDict() for kind in _KINDS}
        own: Any = type(self)
        if not getattr(own.step, "hooked", False):  # a subclass with a step of its own
            own.step = with_hooks(own.step)

    def _add_hook(self, kind: str, hook: Any, first: bool = False) -> RemovableHandle:
        return register(self._hooks[kind], hook, prepend=first)

    def register_step_pre_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before each step; it may return other (args, kwargs). `args` begins with self."""
        return self._add_hook("step_pre", hook)

    def register_step_post_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after each step."""
        return self._add_hook("step_post", hook)

    def register_state_dict_pre_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer)` before the state is saved."""
        return self._add_hook("state_dict_pre", hook, prepend)

    def register_state_dict_post_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` when it is; a dict that it returns is saved instead."""
        return self._add_hook("state_dict_post", hook, prepend)

    def register_load_state_dict_pre_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` before a state is loaded; a dict that it returns is loaded instead."""
        return self._add_hook("load_state_dict_pre", hook, prepend)

    def register_load_state_dict_post_hook(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer)` when a state has been loaded."""
        return self._add_hook("load_state_dict_post", hook, prepend)

    def _replaced_by_hooks(self, kind: str, state_dict: dict[str, Any]) -> dict[str, Any]:
        """`state_dict`, or what the hooks of this kind made of it."""
        for hook in list(self._hooks[kind].values()):
            changed = hook(self, state_dict)
            if changed is not None:
                state_dict = changed
        return state_dict

"""Handles by which a registered hook is taken away again."""

from __future__ import annotations

import weakref
from typing import Any


class RemovableHandle:
    """Returned by every `register_*` function.

    Attributes:
        id: key of the hook in the dict that holds it.
    """

    next_id = 0

    def __init__(self, hooks_dict: Any, *, extra_dict: Any = None) -> None:
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        extra = () if extra_dict is None else extra_dict if isinstance(extra_dict, list) else (extra_dict,)
        self.extra_dict_ref = tuple(weakref.ref(d) for d in extra)

    def remove(self) -> None:
        """Take the hook away. A second call does nothing."""
        for reference in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = reference()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *error: Any) -> None:
        self.remove()


RemovableHandle.__module__ = "torch.utils.hooks"


def register(hooks: Any, hook: Any, *, extra: Any = None, prepend: bool = False) -> RemovableHandle:
    """Put `hook` into the dict `hooks`, first if `prepend`. What the handle removes, it removes from the dicts `extra` too."""
    handle = RemovableHandle(hooks, extra_dict=extra)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle

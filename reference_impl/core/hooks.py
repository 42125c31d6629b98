"""Handles that remove registered hooks."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from typing import Any


class RemovableHandle:
    """The result of most `register_*` functions: a handle that removes the registered hook.

    As a context manager, it removes the hook at the end of the block.

    Attributes:
        id: key of the hook in the dict that holds it.
    """

    next_id = 0

    def __init__(self, *hooks_dicts: Any) -> None:
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1
        self.hooks_dict_refs = tuple(weakref.ref(d) for d in hooks_dicts)

    def remove(self) -> None:
        """Remove the hook. A second call does nothing."""
        for reference in self.hooks_dict_refs:
            (reference() or {}).pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *error: Any) -> None:
        self.remove()


RemovableHandle.__module__ = "torch.utils.hooks"


def register(hooks_by_key: dict[Any, Any], key: Any, hook: Any) -> RemovableHandle:
    """Add `hook` to the dict `hooks_by_key[key]`, which is created if missing, and return a handle that removes `hook`."""
    if hooks_by_key.get(key) is None:
        hooks_by_key[key] = OrderedDict()
    handle = RemovableHandle(hooks_by_key[key])
    hooks_by_key[key][handle.id] = hook
    return handle

"""Handles by which a registered hook is taken away again."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from typing import Any


class RemovableHandle:
    """Returned by every `register_*` function.

    Attributes:
        id: key of the hook in the dict that holds it.
    """

    next_id = 0

    def __init__(self, *hooks_dicts: Any) -> None:
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1
        self.hooks_dict_refs = tuple(weakref.ref(d) for d in hooks_dicts)

    def remove(self) -> None:
        """Take the hook away. A second call does nothing."""
        for reference in self.hooks_dict_refs:
            (reference() or {}).pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *error: Any) -> None:
        self.remove()


RemovableHandle.__module__ = "torch.utils.hooks"


def register(kinds: dict[Any, Any], kind: Any, hook: Any) -> RemovableHandle:
    """Add `hook` to the dict `kinds[kind]`, which is created if missing, and return a handle that removes it."""
    if kinds.get(kind) is None:
        kinds[kind] = OrderedDict()
    handle = RemovableHandle(kinds[kind])
    kinds[kind][handle.id] = hook
    return handle

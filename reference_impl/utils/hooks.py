"""`torch.utils.hooks`: handles, which remove registered hooks. This module adds copying and pickling to the handles of the core."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from typing import Any

from reference_impl._pickle_names import reduce_ex
from reference_impl.core.extensions import add_members
from reference_impl.core.hooks import RemovableHandle

__all__ = ["RemovableHandle", "register"]


def register(hooks: Any, hook: Any, *, extra: Any = None, prepend: bool = False) -> RemovableHandle:
    """Add `hook` to the dict `hooks`, and return a handle that removes `hook`.

    Args:
        extra: a dict or a list of dicts from which the handle also removes the entry whose key is the handle's `id`.
        prepend: add the hook at the front instead of the end.
    """
    other_registries = () if extra is None else extra if isinstance(extra, list) else (extra,)
    handle = RemovableHandle(hooks, *other_registries)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def _getstate(self: RemovableHandle) -> Any:
    """Return the state of a handle for `copy` and `pickle`: its id, and the dicts that contain the hook."""
    return self.id, tuple(reference() for reference in self.hooks_dict_refs)


def _setstate(self: RemovableHandle, state: Any) -> None:
    self.id, dicts = state
    self.hooks_dict_refs = tuple(weakref.ref(OrderedDict() if d is None else d) for d in dicts)
    # An id from another process must not be given to a new handle.
    RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)


add_members(RemovableHandle, __reduce_ex__=reduce_ex, __getstate__=_getstate, __setstate__=_setstate)

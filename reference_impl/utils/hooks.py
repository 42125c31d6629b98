"""`torch.utils.hooks`: handles that remove a registered hook, and how they are copied and pickled."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from typing import Any

from reference_impl._pickle_names import reduce_ex
from reference_impl.core.extensions import add_members
from reference_impl.core.hooks import RemovableHandle

__all__ = ["RemovableHandle", "register"]


def register(hooks: Any, hook: Any, *, extra: Any = None, prepend: bool = False) -> RemovableHandle:
    """Add `hook` to the dict `hooks`, in front if `prepend`. Return its handle, which also removes it from the dicts `extra`."""
    other_registries = () if extra is None else extra if isinstance(extra, list) else (extra,)
    handle = RemovableHandle(hooks, *other_registries)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def _getstate(self: RemovableHandle) -> Any:
    """Return the state of a handle for `copy` and `pickle`: the key and the dicts, which are copied too."""
    return self.id, tuple(reference() for reference in self.hooks_dict_refs)


def _setstate(self: RemovableHandle, state: Any) -> None:
    self.id, dicts = state
    self.hooks_dict_refs = tuple(weakref.ref(OrderedDict() if d is None else d) for d in dicts)
    # Never reuse a number that came with a copy from another process.
    RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)


add_members(RemovableHandle, __reduce_ex__=reduce_ex, __getstate__=_getstate, __setstate__=_setstate)

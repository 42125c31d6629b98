"""Handles by which a registered hook is taken away again."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from typing import Any

from reference_impl._torch_names import reduce_ex

_ids = [0]


def _next_id() -> int:
    _ids[0] += 1
    return _ids[0] - 1


def _after(used: int) -> None:
    """Give no number twice that came with a copy from another process."""
    _ids[0] = max(_ids[0], used + 1)


class RemovableHandle:
    """Returned by every `register_*` function.

    Attributes:
        id: key of the hook in the dict that holds it.
    """

    def __init__(self, hooks_dict: Any, *, extra_dict: Any = None) -> None:
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.id = _next_id()
        extra = () if extra_dict is None else extra_dict if isinstance(extra_dict, list) else (extra_dict,)
        self.extra_dict_ref = tuple(weakref.ref(d) for d in extra)

    def remove(self) -> None:
        """Take the hook away. A second call does nothing."""
        for reference in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = reference()
            if hooks is not None:
                hooks.pop(self.id, None)

    __reduce_ex__ = reduce_ex

    def __getstate__(self) -> Any:
        """What a copy needs: the dicts, which are copied with the object that holds them, and the key."""
        return self.hooks_dict_ref(), self.id, tuple(ref() for ref in self.extra_dict_ref)

    def __setstate__(self, state: Any) -> None:
        hooks, self.id, extra = state
        self.hooks_dict_ref = weakref.ref(OrderedDict() if hooks is None else hooks)
        self.extra_dict_ref = tuple(weakref.ref(d) for d in extra if d is not None)
        _after(self.id)

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

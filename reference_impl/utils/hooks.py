"""`torch.utils.hooks`: handles by which a registered hook is taken away again, and how they are copied and pickled."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from typing import Any

from reference_impl._torch_names import reduce_ex
from reference_impl.core.hooks import RemovableHandle, register

__all__ = ["RemovableHandle", "register"]


def _getstate(self: RemovableHandle) -> Any:
    """What a copy needs: the dicts, which are copied with the object that holds them, and the key."""
    return self.hooks_dict_ref(), self.id, tuple(ref() for ref in self.extra_dict_ref)


def _setstate(self: RemovableHandle, state: Any) -> None:
    hooks, self.id, extra = state
    self.hooks_dict_ref = weakref.ref(OrderedDict() if hooks is None else hooks)
    self.extra_dict_ref = tuple(weakref.ref(d) for d in extra if d is not None)
    # Give no number twice that came with a copy from another process.
    RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)


for _name, _method in (("__reduce_ex__", reduce_ex), ("__getstate__", _getstate), ("__setstate__", _setstate)):
    setattr(RemovableHandle, _name, _method)

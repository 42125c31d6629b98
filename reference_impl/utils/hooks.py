"""Handles by which a registered hook is taken away again."""

from __future__ import annotations

import weakref
from itertools import count
from typing import Any

_next_id = count().__next__


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

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *error: Any) -> None:
        self.remove()


RemovableHandle.__module__ = "torch.utils.hooks"

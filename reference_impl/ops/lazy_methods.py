"""Methods of `Tensor` that few programs call: the module that defines them is imported when one is first asked for."""

from __future__ import annotations

import importlib
from typing import Any

from reference_impl._tensor import Tensor

HOMES = {
    "element_callbacks": ("apply_", "map_", "map2_"),
    "rare_methods": ("as_subclass", "hardshrink", "is_distributed", "module_load", "ndimension", "prelu", "resize", "resize_as"),
}  # fmt: skip
"""By module of `reference_impl.ops`. The modules put the methods onto the class, in the place of what stands there until then."""


class LazyMethod:
    """Stands for a method until its module is imported."""

    __slots__ = ("home", "name")

    def __init__(self, home: str, name: str) -> None:
        self.home, self.name = home, name

    def __get__(self, instance: Tensor | None, owner: type) -> Any:
        importlib.import_module(f"reference_impl.ops.{self.home}")
        return vars(Tensor)[self.name].__get__(instance, owner)


for _home, _names in HOMES.items():
    for _name in _names:
        setattr(Tensor, _name, LazyMethod(_home, _name))

"""Lazy modules, which derive the shapes of their parameters from their first input."""

from __future__ import annotations

from typing import Any

from reference_impl.nn.modules.module import Module
from reference_impl.nn.parameter import is_lazy


class LazyModuleMixin(Module):
    """A module whose parameters have no shape before the first call. This call changes its class to `cls_to_become`, if that is not None.

    A subclass names this class before `cls_to_become` among its bases, and defines `initialize_parameters(input)`.
    """

    cls_to_become: type[Any] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Initialize the parameters, with shapes derived from the arguments of `forward`.

        A subclass must define this method; here it raises NotImplementedError.
        """
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self) -> bool:
        """Return whether a parameter or buffer of this module has no shape yet."""
        return any([is_lazy(t) for t in (*self._parameters.values(), *self._buffers.values())])

    def _infer_parameters(self, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> None:
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        module._initialize_hook.remove()
        del module._initialize_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        for name, tensor in self._own_state().items():
            destination[prefix + name] = tensor if keep_vars or is_lazy(tensor) else tensor.detach()

    def _load_one(self, name: str, key: str, tensor: Any, value: Any, metadata: Any, errors: list[str]) -> None:
        if is_lazy(tensor):
            if is_lazy(value):
                return
            tensor.materialize(value.shape)
        super()._load_one(name, key, tensor, value, metadata, errors)

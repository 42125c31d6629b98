"""Modules whose sizes the first input decides: they begin with uninitialized parameters and end as ordinary modules."""

from __future__ import annotations

from typing import Any

from reference_impl.autograd.grad_mode import no_grad
from reference_impl.nn.modules.module import Module
from reference_impl.nn.parameter import UninitializedBuffer, UninitializedParameter, is_lazy


class LazyModuleMixin(Module):
    """Put before the module that is to be lazy: `class LazyLinear(LazyModuleMixin, Linear)`. Its `__init__` gives the parameters
    that wait as UninitializedParameter; `initialize_parameters(*inputs)` gives them their shapes before the first `forward`.

    Attributes:
        cls_to_become: the class that the module has from then on.

    Raises:
        RuntimeError: `initialize_parameters` left one without a shape.
    """

    cls_to_become: Any = None
    _initialize_hook: Any
    _load_hook: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Give the parameters their shapes."""
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self) -> bool:
        """Whether a parameter or buffer still waits for its shape."""
        return any(is_lazy(t) for t in [*self._parameters.values(), *self._buffers.values()])

    def reset_parameters(self) -> None:
        """Draw the parameters anew, once they have a shape."""
        if not self.has_uninitialized_params() and all(p.numel() for p in self.parameters()):
            super().reset_parameters()  # type: ignore[misc]

    def _infer_parameters(self, module: Any, args: Any, kwargs: Any = None) -> None:
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        module._initialize_hook.remove()
        module._load_hook.remove()
        del module._initialize_hook, module._load_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        for name, tensor in self._own_state().items():
            destination[prefix + name] = tensor if keep_vars or is_lazy(tensor) else tensor.detach()

    def _lazy_load_hook(self, state_dict: Any, prefix: str, *rest: Any) -> None:
        """What is to be loaded gives those that wait their shape."""
        for name, tensor in self._own_state().items():
            given = state_dict.get(prefix + name)
            if is_lazy(tensor) and given is not None and not is_lazy(given):
                with no_grad():
                    tensor.materialize(given.shape)


def waiting(module: Any, device: Any, dtype: Any, parameters: tuple[str, ...], buffers: tuple[str, ...] = ()) -> None:
    """Let these parameters and buffers of `module` wait for their shape."""
    for name in parameters:
        setattr(module, name, UninitializedParameter(device=device, dtype=dtype))
    for name in buffers:
        module.register_buffer(name, UninitializedBuffer(device=device, dtype=dtype))


LazyModuleMixin.__module__ = "torch.nn.modules.lazy"

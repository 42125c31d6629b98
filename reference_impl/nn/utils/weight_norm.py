"""Weight normalisation by a hook, from before there were parametrizations: before each call `weight` is made anew."""

from __future__ import annotations

import warnings
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.nn.modules.module import Module
from reference_impl.nn.parameter import Parameter, UninitializedParameter
from reference_impl.nn.utils._weight_hooks import hooks_for, undo
from reference_impl.ops.weight_norm import _weight_norm, norm_except_dim

__all__ = ["WeightNorm", "remove_weight_norm", "weight_norm"]


class WeightNorm:
    """The hook: weight = weight_g · weight_v / |weight_v|."""

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Module) -> Tensor:
        """The weight, from length and direction."""
        return _weight_norm(getattr(module, self.name + "_v"), getattr(module, self.name + "_g"), self.dim)

    @staticmethod
    def apply(module: Module, name: str, dim: int | None) -> WeightNorm:
        """Replace the parameter by its length and direction, and register the hook."""
        warnings.warn(
            "`torch.nn.utils.weight_norm` is deprecated in favor of `torch.nn.utils.parametrizations.weight_norm`.",
            FutureWarning,
            stacklevel=2,
        )
        if hooks_for(module, WeightNorm, name):
            raise RuntimeError(f"Cannot register two weight_norm hooks on the same parameter {name}")
        hook = WeightNorm(name, dim)
        weight = getattr(module, name)
        if isinstance(weight, UninitializedParameter):
            raise ValueError(
                "The module passed to `WeightNorm` can't have uninitialized parameters. Make sure to run the dummy forward before "
                "applying weight normalization"
            )
        del module._parameters[name]
        module.register_parameter(name + "_g", Parameter(norm_except_dim(weight, 2, hook.dim).data))
        module.register_parameter(name + "_v", Parameter(weight.data))
        setattr(module, name, hook.compute_weight(module))
        module.register_forward_pre_hook(hook)
        return hook

    def remove(self, module: Module) -> None:
        """Make the weight a parameter again, with its present value."""
        weight = self.compute_weight(module)
        delattr(module, self.name)
        del module._parameters[self.name + "_g"], module._parameters[self.name + "_v"]
        setattr(module, self.name, Parameter(weight.data))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))


WeightNorm.__module__ = "torch.nn.utils.weight_norm"


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Deprecated: use `parametrizations.weight_norm`.

    The parameters are then `<name>_g`, the lengths of the weight's slices along `dim` (of all of it if None), and `<name>_v`.

    Returns:
        `module`.

    Raises:
        RuntimeError: done already.
        ValueError: the parameter waits for its shape.
    """
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module: Module, name: str = "weight") -> Module:
    """Undo `weight_norm`.

    Raises:
        ValueError: there is nothing to undo.
    """
    if not undo(module, WeightNorm, name):
        raise ValueError(f"weight_norm of '{name}' not found in {module}")
    return module

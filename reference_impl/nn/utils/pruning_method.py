"""What the methods of pruning share: the hook that applies a mask to a parameter, and several methods for one parameter."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.nn.modules.module import Module
from reference_impl.nn.utils._weight_hooks import hooks_for
from reference_impl.ops.registry import functions


class BasePruningMethod(ABC):
    """The hook, and how its mask is made: a subclass has `compute_mask` and PRUNING_TYPE.

    PRUNING_TYPE says what `compute_mask` is shown of a tensor that was pruned before: "unstructured" the elements that are left, as
    a vector, "structured" the slices along `self.dim` of which anything is left, "global" all.
    """

    _tensor_name: str
    PRUNING_TYPE: str

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """A mask of the shape of `t` that is 0 where `default_mask` is, and where this method prunes."""

    def apply_mask(self, module: Module) -> Tensor:
        """mask · original."""
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned")
        original = getattr(module, self._tensor_name + "_orig")
        return getattr(module, self._tensor_name + "_mask").to(original.dtype) * original

    @classmethod
    def apply(
        cls, module: Module, name: str, *args: Any, importance_scores: Tensor | None = None, **kwargs: Any
    ) -> BasePruningMethod:
        """Prune a parameter of the module and register the hook.

        Args:
            args, kwargs: for the method itself.
            importance_scores: by which the method judges, in the place of the parameter.

        Returns:
            The method; a PruningContainer if the parameter was pruned before.

        Raises:
            AssertionError: scores of another shape.
        """
        method = _joined_with_earlier(cls(*args, **kwargs), module, name)
        original = getattr(module, name)
        if importance_scores is None:
            importance_scores = original
        elif importance_scores.shape != original.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as parameter {name} of {module}, got {importance_scores.shape} vs "
                f"{original.shape}"
            )
        first = not isinstance(method, PruningContainer)
        if first:
            module.register_parameter(name + "_orig", original)
            del module._parameters[name]
            default_mask = functions["ones_like"](original)
        else:
            default_mask = getattr(module, name + "_mask").detach().clone()
        try:
            module.register_buffer(name + "_mask", method.compute_mask(importance_scores, default_mask=default_mask))
            setattr(module, name, method.apply_mask(module))
            module.register_forward_pre_hook(method)
        except Exception:
            if first:
                module.register_parameter(name, getattr(module, name + "_orig"))
                del module._parameters[name + "_orig"]
            raise
        return method

    def prune(self, t: Tensor, default_mask: Tensor | None = None, importance_scores: Tensor | None = None) -> Tensor:
        """`t`, pruned, outside of any module.

        Raises:
            AssertionError: scores of another shape.
        """
        if importance_scores is None:
            importance_scores = t
        elif importance_scores.shape != t.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as tensor t, got {importance_scores.shape} vs {t.shape}"
            )
        default_mask = functions["ones_like"](t) if default_mask is None else default_mask
        return t * self.compute_mask(importance_scores, default_mask=default_mask)

    def remove(self, module: Module) -> None:
        """Make the parameter an ordinary one again; what was pruned stays 0."""
        name = self._tensor_name
        if name is None:
            raise AssertionError(f"Module {module} has to be pruned before pruning can be removed")
        weight = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original: Any = module._parameters.pop(name + "_orig")
        original.data = weight.data
        del module._buffers[name + "_mask"]
        setattr(module, name, original)


def _joined_with_earlier(method: BasePruningMethod, module: Module, name: str) -> BasePruningMethod:
    """`method`, in a container with the one that pruned this parameter before, whose hook is taken away."""
    earlier = hooks_for(module, BasePruningMethod, name)
    if len(earlier) > 1:
        raise AssertionError(
            f"Avoid adding multiple pruning hooks to the same tensor {name} of module {module}. Use a PruningContainer."
        )
    method._tensor_name = name
    for key, before in earlier.items():
        del module._forward_pre_hooks[key]
        container = before if isinstance(before, PruningContainer) else PruningContainer(before)
        container.add_pruning_method(method)
        return container
    return method


class PruningContainer(BasePruningMethod):
    """Several methods for one parameter, applied one after the other."""

    def __init__(self, *args: BasePruningMethod) -> None:
        self._pruning_methods: tuple[Any, ...] = ()
        if len(args) == 1:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: Any) -> None:
        """Add a method for the same parameter.

        Raises:
            TypeError: no method of pruning.
            ValueError: one for another parameter.
        """
        if method is not None and not isinstance(method, BasePruningMethod):
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(
                f"Can only add pruning methods acting on the parameter named '{self._tensor_name}' to PruningContainer {self}. "
                f"Found '{method._tensor_name}'"
            )
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._pruning_methods)

    def __getitem__(self, idx: Any) -> Any:
        return self._pruning_methods[idx]

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """`default_mask`, and what the last method prunes of that which it leaves."""
        method = self._pruning_methods[-1]
        left = _what_is_left(method, t, default_mask)
        mask = default_mask.to(t.dtype)
        part = method.compute_mask(t[left], default_mask=default_mask[left])
        mask[left] = part.to(mask.dtype)
        return mask


def _what_is_left(method: Any, t: Tensor, mask: Tensor) -> Any:
    """An index of what `method` is shown: see PRUNING_TYPE."""
    if method.PRUNING_TYPE == "unstructured":
        return mask == 1
    if method.PRUNING_TYPE == "global":
        return (slice(None),) * t.ndim
    if method.PRUNING_TYPE != "structured":
        raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
    if not hasattr(method, "dim"):
        raise AttributeError('Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` defined.')
    dim = method.dim + t.ndim if method.dim < 0 else method.dim
    if dim < 0:
        raise IndexError(f"Index is out of bounds for tensor with dimensions {t.ndim}")
    kept = mask.sum(dim=[d for d in range(t.ndim) if d != dim]) != 0
    return along(t, dim, kept)


def along(t: Tensor, dim: int, index: Any) -> tuple[Any, ...]:
    """`index` in dimension `dim`, everything in the others."""
    slices: list[Any] = [slice(None)] * t.ndim
    slices[dim] = index
    return tuple(slices)


BasePruningMethod.__module__ = PruningContainer.__module__ = "torch.nn.utils.prune"

"""Pruning: weights set to 0 by a mask, which a hook applies before each call.

`module.weight` is then mask · original, computed anew by the hook; the original is the parameter `weight_orig`, the mask the buffer
`weight_mask`, 1 where a weight stays. A method of pruning says which those are; pruning again prunes what is left.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.nn.modules.module import Module
from reference_impl.nn.utils._weight_hooks import undo
from reference_impl.nn.utils.convert_parameters import parameters_to_vector
from reference_impl.nn.utils.pruning_method import BasePruningMethod, PruningContainer, along
from reference_impl.ops.registry import functions

# -- how much


def _check_amount(amount: Any) -> None:
    """Raises:
    TypeError: no number.
    ValueError: a share outside [0, 1], or less than nothing."""
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if float(amount) < 0 or (not isinstance(amount, numbers.Integral) and float(amount) > 1):
        raise ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")


def _count(amount: Any, size: int) -> int:
    """How many of `size` an amount is.

    Raises:
        ValueError: more than there are.
    """
    count = int(amount) if isinstance(amount, numbers.Integral) else round(amount * size)
    if count > size:
        raise ValueError(f"amount={count} should be smaller than the number of parameters to prune={size}")
    return count


# -- methods


class Identity(BasePruningMethod):
    """Prunes nothing; gives the module mask and original."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        return default_mask


class _Unstructured(BasePruningMethod):
    """Prunes single elements: `amount` of them, or that share if it is a float."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount: Any) -> None:
        _check_amount(amount)
        self.amount = amount

    def _first(self, t: Tensor, count: int) -> Tensor:
        """The positions in `t`, as a vector, of those that go."""
        raise NotImplementedError

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        count = _count(self.amount, t.numel())
        mask = default_mask.contiguous().clone()
        if count:
            mask.view(-1)[self._first(t, count)] = 0
        return mask


class RandomUnstructured(_Unstructured):
    """Prunes elements at random."""

    def _first(self, t: Tensor, count: int) -> Tensor:
        return functions["rand_like"](t).view(-1).topk(count)[1]


class L1Unstructured(_Unstructured):
    """Prunes the elements that are smallest in magnitude."""

    def _first(self, t: Tensor, count: int) -> Tensor:
        return t.abs().view(-1).topk(count, largest=False)[1]

    @classmethod
    def apply(  # type: ignore[override]
        cls, module: Module, name: str, amount: Any, importance_scores: Tensor | None = None
    ) -> BasePruningMethod:
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


class _Structured(BasePruningMethod):
    """Prunes whole slices along `dim`: `amount` of them, or that share if it is a float."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount: Any, dim: int = -1) -> None:
        _check_amount(amount)
        self.amount = amount
        self.dim = dim

    def _kept(self, t: Tensor, count: int) -> Tensor:
        """An index, or mask, of those slices that stay when `count` go."""
        raise NotImplementedError

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        if t.ndim <= 1:
            raise ValueError(
                "Structured pruning can only be applied to multidimensional tensors. "
                f"Found tensor of shape {t.shape} with {t.ndim} dims"
            )
        if self.dim >= t.ndim:
            raise IndexError(f"Invalid index {self.dim} for tensor of size {t.shape}")
        count = _count(self.amount, t.shape[self.dim])
        if count == 0:
            return default_mask
        mask = functions["zeros_like"](t)
        mask[along(t, self.dim, self._kept(t, count))] = 1
        return mask.mul_(default_mask.to(mask.dtype))


class RandomStructured(_Structured):
    """Prunes slices at random."""

    def _kept(self, t: Tensor, count: int) -> Tensor:
        prob = functions["rand"](t.shape[self.dim])
        return prob > prob.kthvalue(count)[0]


class LnStructured(_Structured):
    """Prunes the slices with the smallest n-norm; n is a number, inf, -inf, "fro" or "nuc"."""

    def __init__(self, amount: Any, n: Any, dim: int = -1) -> None:
        super().__init__(amount, dim)
        self.n = n

    def _kept(self, t: Tensor, count: int) -> Tensor:
        dims = list(range(t.ndim))
        del dims[self.dim]
        return t.norm(self.n, dims).topk(t.shape[self.dim] - count)[1]

    @classmethod
    def apply(  # type: ignore[override]
        cls, module: Module, name: str, amount: Any, n: Any, dim: int, importance_scores: Tensor | None = None
    ) -> BasePruningMethod:
        return super().apply(module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores)


class CustomFromMask(BasePruningMethod):
    """Prunes what a given mask says."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Tensor) -> None:
        self.mask = mask

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {default_mask.shape} must match self.mask shape {self.mask.shape}"
            )
        return default_mask * self.mask.to(default_mask.dtype)


for _cls in (Identity, RandomUnstructured, L1Unstructured, RandomStructured, LnStructured, CustomFromMask):
    _cls.__module__ = "torch.nn.utils.prune"


# -- what users call


def identity(module: Module, name: str) -> Module:
    """Prune nothing of a parameter. Returns the module, as the functions below do."""
    Identity.apply(module, name)
    return module


def random_unstructured(module: Module, name: str, amount: Any) -> Module:
    """Prune elements of a parameter at random: as many as `amount` says, or that share of them if it is a float in [0, 1]."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module: Module, name: str, amount: Any, importance_scores: Tensor | None = None) -> Module:
    """Prune the elements that are smallest in magnitude, or have the smallest scores."""
    L1Unstructured.apply(module, name, amount, importance_scores)
    return module


def random_structured(module: Module, name: str, amount: Any, dim: int) -> Module:
    """Prune slices along `dim` at random."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(
    module: Module, name: str, amount: Any, n: Any, dim: int, importance_scores: Tensor | None = None
) -> Module:
    """Prune the slices along `dim` with the smallest n-norm, of the parameter or of the scores."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores)
    return module


def custom_from_mask(module: Module, name: str, mask: Tensor) -> Module:
    """Prune what `mask` says."""
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(
    parameters: Any, pruning_method: Callable[..., Any], importance_scores: Any = None, **kwargs: Any
) -> None:
    """Prune several parameters as if they were one vector.

    Args:
        parameters: (module, name) pairs.
        pruning_method: a class whose PRUNING_TYPE is "unstructured", to be called with `kwargs`.
        importance_scores: scores by such a pair.

    Raises:
        TypeError: a method of another type, or arguments that are.
    """
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    scores = {} if importance_scores is None else importance_scores
    if not isinstance(scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    pairs: Any = parameters
    judged = parameters_to_vector([scores.get((module, name), getattr(module, name)) for module, name in pairs])
    before = parameters_to_vector(
        [getattr(module, name + "_mask", functions["ones_like"](getattr(module, name))) for module, name in pairs]
    )
    container, method = PruningContainer(), pruning_method(**kwargs)
    container._tensor_name = method._tensor_name = "temp"
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            f'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method {pruning_method} of type '
            f"{method.PRUNING_TYPE}"
        )
    container.add_pruning_method(method)
    mask, start = container.compute_mask(judged, before), 0
    for module, name in pairs:
        parameter = getattr(module, name)
        custom_from_mask(module, name, mask[start : start + parameter.numel()].view_as(parameter))
        start += parameter.numel()


def remove(module: Module, name: str) -> Module:
    """Make a pruned parameter an ordinary one again; what was pruned stays 0.

    Raises:
        ValueError: it is not pruned.
    """
    if not undo(module, BasePruningMethod, name):
        raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")
    return module


def is_pruned(module: Module) -> bool:
    """Whether anything in the module, or below it, is pruned."""
    return any(isinstance(hook, BasePruningMethod) for m in module.modules() for hook in m._forward_pre_hooks.values())

"""`torch.func`: modules as functions of their parameters. The transforms of functions (`grad`, `vmap`, ...) are not here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.nn.modules.module import Module
from reference_impl.nn.utils.stateless import _functional_call
from reference_impl.ops.joining import stack

__all__ = ["functional_call", "stack_module_state"]


def functional_call(
    module: Module, parameter_and_buffer_dicts: Any, args: Any = None, kwargs: dict[str, Any] | None = None, *,
    tie_weights: bool = True, strict: bool = False,
) -> Any:  # fmt: skip
    """`module(*args, **kwargs)` with other tensors for its parameters and buffers.

    Args:
        parameter_and_buffer_dicts: tensors by dotted name, or several such dicts. What is not named stays as it is; what the call
            assigns is found in the dict afterwards.
        args: a tuple, or the only argument.
        tie_weights: one name of a tensor that the module has under several stands for all of them.
        strict: every parameter and buffer must be named, and nothing else.

    Raises:
        ValueError: dicts that share a name, something else than dicts, or two values for tied tensors.
        RuntimeError: `strict`, and the names are others.
    """
    given = parameter_and_buffer_dicts
    if isinstance(given, dict):
        tensors = given
    elif isinstance(given, Sequence):
        tensors = _merged(given)
    else:
        raise ValueError(
            f"Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got {type(given)}"
        )
    return _functional_call(module, tensors, args, kwargs, tie_weights=tie_weights, strict=strict)


def _merged(dicts: Sequence[Any]) -> dict[str, Any]:
    if not all(isinstance(d, dict) for d in dicts):
        raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
    names = [name for d in dicts for name in d]
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if repeated:
        raise ValueError(f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous")
    return {name: tensor for d in dicts for name, tensor in d.items()}


def stack_module_state(models: Sequence[Module]) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """The parameters and the buffers of equal models, by name, each stacked along a new first dimension: (models, *).

    Stacked parameters are leaves, apart from those of the models.

    Raises:
        RuntimeError: no models, or of several classes, or some in training mode and some not.
    """
    if len(models) == 0:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({m.training for m in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if len({type(m) for m in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    return _stacked([dict(m.named_parameters()) for m in models]), _stacked([dict(m.named_buffers()) for m in models])


def _stacked(states: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    return {name: _stacked_leaf([state[name] for state in states], name) for name in states[0]}


def _stacked_leaf(tensors: list[Tensor], name: str) -> Tensor:
    wanted = {t.requires_grad for t in tensors}
    if len(wanted) > 1:
        raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
    stacked = stack(tensors)
    return stacked.detach().requires_grad_() if wanted == {True} else stacked

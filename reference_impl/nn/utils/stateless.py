"""Calling a module with other parameters and buffers than its own, which are back in their places afterwards."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.nn.modules.module import Module

__all__ = ["functional_call"]

_MISSING = object()  # in the place of a tensor: the module has no attribute of this name


def _holder(module: Module, path: str) -> Module:
    """The submodule with that dotted name."""
    held: Any = module
    parts = path.split(".") if path else []
    for i, part in enumerate(parts):
        if not hasattr(held, part):
            raise AttributeError(f"{held._get_name()} has no attribute `{part}`")
        held = getattr(held, part)
        if not isinstance(held, Module):
            raise TypeError(f"submodule `{'.'.join(parts[: i + 1])}`: {held} is not an instance of torch.nn.Module")
    return held


def _swapped(module: Module, path: str, tensor: Any) -> Any:
    """Put `tensor` in the place with that dotted name, and return what was there.

    It goes past `setattr` where it can: what takes a parameter's place need not be one.
    """
    prefix, _, name = path.rpartition(".")
    holder = _holder(module, prefix)
    if tensor is not _MISSING and tensor is not None and not isinstance(tensor, Tensor):
        raise TypeError(f"{tensor} is not an instance of torch.Tensor")
    if name == "":
        raise KeyError('tensor name can\'t be empty string ""')
    for own in (holder._parameters, holder._buffers):
        if name in own:
            before = own[name]
            if tensor is _MISSING:
                del own[name]
            else:
                own[name] = tensor
            return before
    before = getattr(holder, name, _MISSING)
    if before is not _MISSING and before is not None and not isinstance(before, Tensor):
        raise TypeError(f"attribute `{name}`: {before} is not an instance of torch.Tensor")
    if tensor is not _MISSING:
        setattr(holder, name, tensor)
    elif hasattr(holder, name):
        delattr(holder, name)
    return before


def _swapped_all(module: Module, tensors: dict[str, Any]) -> dict[str, Any]:
    before: dict[str, Any] = {}
    try:
        for path, tensor in tensors.items():
            before[path] = _swapped(module, path, tensor)
    except Exception:
        for path, tensor in before.items():
            _swapped(module, path, tensor)
        raise
    return before


def _named_tensors(module: Module) -> dict[str, Tensor]:
    """The parameters and buffers by all their names."""
    return {
        **dict(module.named_parameters(remove_duplicate=False)),
        **dict(module.named_buffers(remove_duplicate=False)),
    }


def _with_tied_names(module: Module, tensors: dict[str, Any]) -> dict[str, Any]:
    """`tensors`, and each also under the other names that the module has for the one whose place it takes.

    Raises:
        ValueError: two tensors for one.
    """
    names: dict[int, list[str]] = {}
    for name, tensor in _named_tensors(module).items():
        names.setdefault(id(tensor), []).append(name)
    untied = dict(tensors)
    for tied in names.values():
        given = [name for name in tied if name in tensors]
        if len(tied) == 1 or not given:
            continue
        if any(tensors[name] is not tensors[given[0]] for name in given):
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(tied)}, which are tied. Consider using tie_weights=False"
            )
        untied |= dict.fromkeys(tied, tensors[given[0]])
    return untied


def _check_names(module: Module, tensors: dict[str, Any]) -> None:
    """Raises:
    RuntimeError: a name that the module has not, or one that is not given."""
    known = _named_tensors(module).keys()
    kinds = (("Unexpected", tensors.keys() - known), ("Missing", known - tensors.keys()))
    texts = [f"{kind} key(s): {', '.join(map(repr, sorted(names)))}." for kind, names in kinds if names]
    if texts:
        raise RuntimeError(f"Error(s) in reparametrizing for {module._get_name()}:\n\t" + "\n\t".join(texts))


@contextmanager
def _reparametrize_module(
    module: Module, parameters_and_buffers: dict[str, Any], tie_weights: bool = False, strict: bool = False
) -> Iterator[None]:
    tensors = _with_tied_names(module, parameters_and_buffers) if tie_weights else parameters_and_buffers
    if strict:
        _check_names(module, tensors)
    before = _swapped_all(module, tensors)
    try:
        yield
    finally:
        after = _swapped_all(module, before)
        # A forward that assigns to a buffer has changed what was given, not the module.
        parameters_and_buffers.update({name: after[name] for name in parameters_and_buffers if name in after})


def _functional_call(
    module: Module, parameters_and_buffers: dict[str, Any], args: Any = None, kwargs: dict[str, Any] | None = None, *,
    tie_weights: bool = True, strict: bool = False,
) -> Any:  # fmt: skip
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    with _reparametrize_module(module, parameters_and_buffers, tie_weights, strict):
        return module(*args, **(kwargs or {}))


def functional_call(
    module: Module, parameters_and_buffers: dict[str, Any], args: Any = None, kwargs: dict[str, Any] | None = None, *,
    tie_weights: bool = True, strict: bool = False,
) -> Any:  # fmt: skip
    """Deprecated: use `torch.func.functional_call`."""
    warnings.warn(
        "`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 and will be removed in a future version of "
        "PyTorch. Please use `torch.func.functional_call` instead which is a drop-in replacement.",
        FutureWarning,
        stacklevel=2,
    )
    return _functional_call(module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict)

"""`Optimizer`: the base class of optimizers, with parameter groups, a state for each parameter, saving and loading."""

from __future__ import annotations

import functools
import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import chain
from typing import Any

import numpy as np

from reference_impl._dtype import float32, float64, get_default_dtype
from reference_impl._fields import declare, renamed
from reference_impl._legacy_types import typename
from reference_impl._pickle_names import reduce_ex
from reference_impl._tensor import Tensor
from reference_impl.arguments.missing_names import announce_absent_methods
from reference_impl.autograd.grad_mode import enable_grad, set_grad_enabled
from reference_impl.utils.hooks import RemovableHandle


class _RequiredParameter:
    """The class of `required`."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _RequiredParameter()
"""The default of an option that every group must set. Optimizers of users have it."""


class Optimizer:
    """Base class of all optimizers. A subclass defines the options, their defaults and `update(param, grad, group)`.

    The engine's optimizers declare the options as fields (see `_fields`): `lr: NotNegative = 1e-3` declares an argument of `__init__`
    that becomes an option of every group, with a check of its value.

    Args:
        params: parameters; or (name, parameter) pairs; or groups, dicts with "params" and options.
        defaults: options, by name, for groups that do not set them. Of torch's options, `maximize` negates the
            gradients, and `differentiable` records the steps, for parameters that are not leaves. `foreach`, `fused` and
            `capturable` are ignored.

    Attributes:
        param_groups: a dict for each group, with "params" and the options.
        state: running values such as momentum, in a dict for each parameter; usually empty until the first step.

    Raises:
        TypeError: `params` is a tensor, "params" of a group is a set, or a parameter is not a tensor.
        ValueError: there are no parameters, only some have names, a parameter is in two groups, a parameter is neither a leaf nor
            retains its gradient, or a group lacks a required option.
    """

    __reduce_ex__ = reduce_ex
    _fields: dict[str, str] = {}

    def __init_subclass__(cls) -> None:
        if cls.__module__.startswith("reference_impl."):  # annotations of a user's subclass are not fields
            declare(cls, "_begin", "params")
            if cls.__base__ is Optimizer:
                cls.step = renamed(Optimizer.step, cls.__name__)  # type: ignore[method-assign]

    def _begin(self, params: Iterable[Any], options: dict[str, Any]) -> None:
        """Check the options that `__init__` received, and initialize the optimizer.

        Raises:
            ValueError: an option has an invalid value.
        """
        for name, kind in self._fields.items():
            if kind in _CHECKS:
                _CHECKS[kind](name, options[name])
        Optimizer.__init__(self, params, options)

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to pickle: neither hooks nor the wrapper of `step` that a learning-rate scheduler sets."""
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._prepare_hooks()
        self.__dict__.update(state)

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        self.defaults = defaults
        self._prepare_hooks()
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                + typename(params)
            )
        self.state: defaultdict[Any, Any] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    # -- groups

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group: a dict with "params", a tensor or a sequence, and options. Defaults replace missing options.

        The dict itself is stored and completed. A parameter that it lists twice causes a warning.

        Raises:
            TypeError, ValueError: as when the optimizer is created. TypeError also if `param_group` is not a dict.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        param_group["params"] = self._as_list(param_group["params"])
        self._split_names(param_group)
        for param in param_group["params"]:
            if not isinstance(param, Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {typename(param)}")
            if not self.defaults.get("differentiable") and not (param.is_leaf or param.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
            param_group.setdefault(name, default)
        self._check_unique(param_group)
        self.param_groups.append(param_group)

    @staticmethod
    def _as_list(params: Any) -> list[Any]:
        if isinstance(params, Tensor):
            return [params]
        if isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets will "
                "change between runs. Please use a list instead."
            )
        return list(params)

    @staticmethod
    def _split_names(group: dict[str, Any]) -> None:
        named = [p for p in group["params"] if isinstance(p, tuple)]
        if named:
            if len(named) != len(group["params"]):
                raise ValueError("all optimizer params should be with/without names. Some param names are missing")
            group["param_names"] = [name for name, _ in named]
            group["params"] = [param for _, param in named]

    def _check_unique(self, group: dict[str, Any]) -> None:
        params = group["params"]
        if len(params) != len(set(params)):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; see "
                "github.com/pytorch/pytorch/issues/40967 for more information",
                stacklevel=4,
            )
        known: set[Any] = set()
        for other in self.param_groups:
            known.update(other["params"])
            if ("param_names" in group) != ("param_names" in other):
                kind = "with names" if "param_names" in group else "without names"
                raise ValueError(
                    f"all optimizer param groups should be with/without names. cannot add param group {kind} to the optimizer"
                )
        if not known.isdisjoint(params):
            raise ValueError("some parameters appear in more than one parameter group")

    # -- a step

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set the gradient of every parameter to None. With `set_to_none=False`, fill the existing gradients with zeros."""
        for group in self.param_groups:
            for p in group["params"]:
                if p._grad is None:
                    continue
                if set_to_none:
                    p._grad = None
                else:
                    p._grad = p._grad.detach()
                    p._grad.zero_()

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update every parameter that has a gradient.

        Args:
            closure: function that computes the gradients again and returns the loss; called before the update, with gradients enabled.

        Returns:
            The loss that the closure returned, or None without a closure.

        Raises:
            NotImplementedError: the class defines no `update`.
        """
        if type(self).update is Optimizer.update:
            raise NotImplementedError
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with set_grad_enabled(bool(self.defaults.get("differentiable"))):
            for group in self.param_groups:
                for p in group["params"]:
                    if p._grad is not None:
                        grad = -p._grad if group.get("maximize") else p._grad
                        self.update(p, grad, group)
        return loss

    def update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        """Update `param` and `self.state[param]` in place from its gradient `grad` and the options in `group`.

        Subclasses define this method; here it raises NotImplementedError.
        """
        raise NotImplementedError

    # -- hooks

    def _prepare_hooks(self) -> None:
        self._optimizer_step_pre_hooks: dict[int, Callable[..., Any]] = OrderedDict()
        self._optimizer_step_post_hooks: dict[int, Callable[..., Any]] = OrderedDict()
        own: Any = type(self)
        if not getattr(own.step, "hooked", False):  # in a subclass of a user, `step` may be any method
            own.step = _with_hooks(own.step)

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before each step. `args` and `kwargs` are the arguments of `step`, with the optimizer.

        The hook may return a tuple of other args and kwargs. Return a handle, which removes the hook.
        """
        return _register(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after each step. Return a handle, which removes the hook."""
        return _register(self._optimizer_step_post_hooks, hook)

    # -- saving and loading

    def state_dict(self) -> dict[str, Any]:
        """Return {"state": ..., "param_groups": ...}, with each parameter replaced by its number. Tensors in the state are not copied."""
        numbers: dict[int, int] = {}
        groups = []
        for group in self.param_groups:
            for p in group["params"]:
                numbers.setdefault(id(p), len(numbers))
            packed = {k: v for k, v in group.items() if k != "params"}
            packed["params"] = [numbers[id(p)] for p in group["params"]]
            groups.append(packed)
        state = {numbers[id(k)] if isinstance(k, Tensor) else k: v for k, v in self.state.items()}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Replace state and options by copies of those in `state_dict`, whose groups must have the sizes of this optimizer's groups.

        Tensors in the state of a parameter, except "step", get its device and, if it is floating-point, its dtype. Options that
        `state_dict` lacks are removed.

        Raises:
            ValueError: the number of groups, or of parameters in a group, differs.
        """
        saved = state_dict["param_groups"]
        groups = self.param_groups
        if len(groups) != len(saved):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(a["params"]) != len(b["params"]) for a, b in zip(groups, saved, strict=True)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        numbers = chain.from_iterable(g["params"] for g in saved)
        params = chain.from_iterable(g["params"] for g in groups)
        by_number = dict(zip(numbers, params, strict=True))
        self.state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in by_number:
                self.state[by_number[key]] = _match_parameter(by_number[key], value)
            else:
                self.state[key] = value
        for group, new in zip(groups, deepcopy(saved), strict=True):
            own_entries = group["params"], group.get("param_names")
            group.clear()
            group.update(new, params=own_entries[0])
            if own_entries[1] is not None:
                group.setdefault("param_names", own_entries[1])

    def __repr__(self) -> str:
        lines = [type(self).__name__ + " ("]
        for number, group in enumerate(self.param_groups):
            lines += ["", f"Parameter Group {number}"] if number else [f"Parameter Group {number}"]
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join(lines) + "\n)"


def _register(hooks: dict[int, Callable[..., Any]], hook: Callable[..., Any]) -> RemovableHandle:
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


def _with_hooks(step: Callable[..., Any]) -> Callable[..., Any]:
    """Return `step`, a method of an optimizer, with calls of the optimizer's hooks before and after it.

    Raises:
        RuntimeError: a hook before the step returned neither None nor a pair.
    """

    @functools.wraps(step)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        self = args[0]
        for hook in self._optimizer_step_pre_hooks.values():
            result = hook(self, args, kwargs)
            if result is not None:
                if not isinstance(result, tuple) or len(result) != 2:
                    raise RuntimeError(
                        f"{step} must return None or a tuple of (new_args, new_kwargs), but got {result}."
                    )
                args, kwargs = result
        loss = step(*args, **kwargs)
        for hook in self._optimizer_step_post_hooks.values():
            hook(self, args, kwargs)
        return loss

    wrapper.hooked = True  # type: ignore[attr-defined]
    return wrapper


Optimizer.__module__ = "torch.optim.optimizer"
announce_absent_methods(Optimizer, "torch.optim.Optimizer")


def _match_parameter(param: Tensor, value: Any, key: str | None = None) -> Any:
    """Return a copy of `value`, the loaded state of the parameter `param`, with tensors on the device of `param`.

    If `param` is floating-point, they get its dtype too.

    Args:
        key: name of the value in the state. The value of "step" keeps its dtype and device.
    """
    if isinstance(value, Tensor):
        if key == "step":
            return value.clone()
        return value.to(param.device, param.dtype if param.is_floating_point() else value.dtype).clone()
    if isinstance(value, dict):
        return {k: _match_parameter(param, v, k) for k, v in value.items()}
    return deepcopy(value)


# -- annotations of options, with a check of the value

NotNegative = Any
Betas = tuple[float, float]
"""The annotation of an option with two coefficients, each in [0, 1)."""


def _check_not_negative(name: str, value: Any) -> None:
    if name == "lr" and isinstance(value, Tensor) and value.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    if not 0.0 <= value:
        label = {"lr": "learning rate", "eps": "epsilon value"}.get(name, f"{name} value")
        raise ValueError(f"Invalid {label}: {value}")


def _check_betas(name: str, betas: Betas) -> None:
    for index in (0, 1):
        beta = betas[index]
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {index}: {beta}")


_CHECKS: dict[str, Callable[[str, Any], None]] = {"NotNegative": _check_not_negative, "Betas": _check_betas}


def order_options(first: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return `options` with those named in `first` (separated by spaces) at the front. torch's `defaults` have this order."""
    return {name: options[name] for name in first.split()} | options


# -- helpers of `update`


def new_step(value: float = 0.0) -> Tensor:
    """Return `value`, a number of the state such as a step count, as a 0-d tensor on the CPU.

    Its dtype is float64 if that is the default dtype, otherwise float32.
    """
    kind = float64 if get_default_dtype() is float64 else float32
    return Tensor._wrap(np.full((), value, kind.numpy))

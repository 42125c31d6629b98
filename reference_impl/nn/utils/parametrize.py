"""Tensors of a module that are computed from others: `module.weight` becomes a property, f(original).

`register_parametrization` gives the module a class of its own with that property, and puts f and the original tensors, which are
now what is trained, into `module.parametrizations.weight`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.autograd.grad_mode import no_grad
from reference_impl.nn.modules.container import ModuleDict, ModuleList
from reference_impl.nn.modules.module import Module
from reference_impl.nn.parameter import Parameter

__all__ = [
    "ParametrizationList",
    "cached",
    "is_parametrized",
    "register_parametrization",
    "remove_parametrizations",
    "transfer_parametrizations_and_params",
    "type_before_parametrizations",
]


class _Cache:
    """What `cached` remembers, by module and name of the tensor.

    Attributes:
        depth: how many `with cached()` blocks we are in.
    """

    depth = 0
    values: dict[tuple[int, str], Tensor] = {}


@contextmanager
def cached() -> Iterator[None]:
    """In the block each parametrized tensor is computed once, when it is first asked for."""
    _Cache.depth += 1
    try:
        yield
    finally:
        _Cache.depth -= 1
        if not _Cache.depth:
            _Cache.values = {}


class ParametrizationList(ModuleList):
    """The parametrizations of one tensor, the first to be applied first, and what they start from.

    The tensors are called `original`, or `original0`, `original1`, ... where the first parametrization has a `right_inverse` that
    returns a sequence of them.

    Args:
        modules: the parametrizations, at least one.
        original: the parameter or buffer so far. It keeps its identity where one tensor is enough, so that an optimizer need not
            be told.
        unsafe: allow that dtype and shape change.

    Raises:
        ValueError: what `right_inverse` or `forward` return is no tensor, or has another dtype, device or shape.
    """

    def __init__(self, modules: Sequence[Module], original: Tensor, unsafe: bool = False) -> None:
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        with no_grad():
            new: Any = original
            for module in reversed(list(self)):
                new = _inverse(module, new)
        if not isinstance(new, (Tensor, Sequence)):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                f"Got {type(new).__name__}"
            )
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if isinstance(new, Tensor) else len(new)
        if isinstance(new, Tensor):
            self._keep_one(original, new)
        else:
            self._keep_several(original, new)
        if not unsafe:
            self._check(shape, dtype)

    def _keep_one(self, original: Tensor, new: Tensor) -> None:
        for what in ("dtype", "device"):
            before, after = getattr(original, what), getattr(new, what)
            if before != after:
                raise ValueError(
                    f"When `right_inverse` outputs one tensor, it may not change the {what}.\noriginal.{what}: {before}\n"
                    f"right_inverse(original).{what}: {after}"
                )
        with no_grad():
            original.set_(new)
        _register(self, "original", original)

    def _keep_several(self, original: Tensor, new: Sequence[Any]) -> None:
        for i, one in enumerate(new):
            if not isinstance(one, Tensor):
                raise ValueError(
                    "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                    f"Got element {i} of the sequence with type {type(one).__name__}."
                )
            if isinstance(original, Parameter):
                one = Parameter(one, original.requires_grad)
            one.requires_grad_(original.requires_grad)
            _register(self, f"original{i}", one)

    def _check(self, shape: Any, dtype: Any) -> None:
        value = self()
        if not isinstance(value, Tensor):
            raise ValueError(f"A parametrization must return a tensor. Got {type(value).__name__}.")
        for what, before, after in (("dtype", dtype, value.dtype), ("shape", shape, value.shape)):
            if before != after:
                raise ValueError(
                    f"Registering a parametrization may not change the {what} of the tensor, unless `unsafe` flag is enabled.\n"
                    f"unparametrized {what}: {before}\nparametrized {what}: {after}"
                )

    def _originals(self) -> list[Tensor]:
        """The tensors that the first parametrization takes."""
        names = ["original"] if self.is_tensor else [f"original{i}" for i in range(self.ntensors)]
        return [getattr(self, name) for name in names]

    def forward(self) -> Tensor:
        first, *others = list(self)
        value = first(*self._originals())
        for module in others:
            value = module(value)
        return value

    def right_inverse(self, value: Any) -> None:
        """Set the originals so that the parametrized tensor becomes `value`: what an assignment to it does.

        Raises:
            RuntimeError: a parametrization has no `right_inverse`.
            ValueError: one returned something else than when it was registered.
        """
        with no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                value = module.right_inverse(value)
            if self.is_tensor:
                self._set_one(value)
            else:
                self._set_several(value)

    def _set_one(self, value: Any) -> None:
        if not isinstance(value, Tensor):
            raise ValueError(f"`right_inverse` should return a tensor. Got {type(value).__name__}")
        if value.dtype != self.original.dtype:
            raise ValueError(
                f"The tensor returned by `right_inverse` has dtype {value.dtype} while `original` has dtype {self.original.dtype}"
            )
        self.original.set_(value)

    def _set_several(self, value: Any) -> None:
        if not isinstance(value, Sequence):
            raise ValueError(f"'right_inverse' must return a sequence of tensors. Got {type(value).__name__}.")
        if len(value) != self.ntensors:
            raise ValueError(
                f"'right_inverse' must return a sequence of tensors of length {self.ntensors}. Got a sequence of length "
                f"{len(value)}."
            )
        for i, (original, one) in enumerate(zip(self._originals(), value, strict=True)):
            if not isinstance(one, Tensor):
                raise ValueError(
                    "'right_inverse' must return a sequence of tensors or reference-type opaques. Got element "
                    f"{i} of type {type(one).__name__}."
                )
            if original.dtype != one.dtype:
                raise ValueError(
                    f"Tensor {i} returned by `right_inverse` has dtype {one.dtype} while `original{i}` has dtype {original.dtype}"
                )
            original.set_(one)


def _inverse(parametrization: Any, value: Any) -> Any:
    """`right_inverse` of `value`; `value` itself where there is none."""
    if not hasattr(parametrization, "right_inverse"):
        return value
    try:
        return parametrization.right_inverse(value)
    except NotImplementedError:
        return value


def _register(module: Module, name: str, tensor: Tensor) -> None:
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


# -- the class of a parametrized module


def _refuse_pickling(self: Any) -> Any:
    raise RuntimeError(
        "Serialization of parametrized modules is only supported through state_dict(). See:\n"
        "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
        "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training"
    )


def _deep_copied(self: Any, memo: dict[int, Any]) -> Any:
    if id(self) not in memo:
        memo[id(self)] = twin = self.__new__(type(self))
        twin.__dict__ = deepcopy(self.__dict__, memo)
    return memo[id(self)]


def _give_own_class(module: Any) -> None:
    """Put the module into a subclass of its class, for properties that only it has."""
    cls = type(module)
    members: dict[str, Any] = {"__getstate__": _refuse_pickling}
    if not hasattr(cls, "__deepcopy__"):
        members["__deepcopy__"] = _deep_copied
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), members)


def _property(module: Module, tensor_name: str) -> property:
    # Copies of the module share the class, and with it this property and its place in the cache: torch does so too.
    key = (id(module), tensor_name)

    def parametrized(self: Any) -> Tensor:
        compute: Callable[[], Tensor] = self.parametrizations[tensor_name]
        if not _Cache.depth:
            return compute()
        if key not in _Cache.values:
            _Cache.values[key] = compute()
        return _Cache.values[key]

    def assign(self: Any, value: Tensor) -> None:
        self.parametrizations[tensor_name].right_inverse(value)

    return property(parametrized, assign)


# -- what users call


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """From now on `module.<tensor_name>` is `parametrization(original)`, computed each time it is asked for.

    Further parametrizations are applied to the result of those before. A parametrization may have a method `right_inverse`: it
    makes the original from the tensor so far, and from what is assigned later.

    Args:
        tensor_name: of a parameter or buffer.
        unsafe: allow that dtype and shape change; nothing is checked then.

    Returns:
        `module`.

    Raises:
        ValueError: there is no such tensor, or dtype or shape would change.
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            _check_next(module, tensor_name, parametrization)
        chain: Any = module.parametrizations[tensor_name]
        chain.append(parametrization)
        chain.unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        chain = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _give_own_class(module)
            module.parametrizations = ModuleDict()
        setattr(type(module), tensor_name, _property(module, tensor_name))
        module.parametrizations[tensor_name] = chain
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name '{tensor_name}'"
        )
    return module


def _check_next(module: Module, name: str, parametrization: Any) -> None:
    """Whether a further parametrization, and its `right_inverse`, keep dtype and shape of what is there."""
    before = getattr(module, name)
    after = parametrization(before)
    if not isinstance(after, Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(after).__name__}.")
    for what in _differing(before, after):
        raise ValueError(
            f"Registering a parametrization may not change the {what} of the tensor, unless the `unsafe` flag is enabled.\n"
            f"module.{name}.{what}: {getattr(before, what)}\nparametrization(module.{name}).{what}: {getattr(after, what)}"
        )
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        back = parametrization.right_inverse(after)
    except NotImplementedError:
        return
    if not isinstance(back, Tensor):
        raise ValueError(f"parametrization.right_inverse must return a tensor. Got: {type(back).__name__}")
    for what in _differing(before, back):
        raise ValueError(
            f"The tensor returned by parametrization.right_inverse must have the same {what} as module.{name}, unless the "
            f"`unsafe` flag is enabled.\nmodule.{name}.{what}: {getattr(before, what)}\nreturned {what}: {getattr(back, what)}"
        )


def _differing(a: Tensor, b: Tensor) -> list[str]:
    return [what for what in ("dtype", "shape") if getattr(a, what) != getattr(b, what)]


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether that tensor of the module is parametrized, or any if no name is given."""
    chains = getattr(module, "parametrizations", None)
    if not isinstance(chains, ModuleDict):
        return False
    return len(chains) > 0 if tensor_name is None else tensor_name in chains


def remove_parametrizations(module: Module, tensor_name: str, leave_parametrized: bool = True) -> Module:
    """Make `module.<tensor_name>` an ordinary tensor again, with its present value or, unless `leave_parametrized`, the original's.

    Raises:
        ValueError: it is not parametrized, or the original is wanted and there are several.
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    tensor = _plain(module, tensor_name, leave_parametrized)
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _register(module, tensor_name, tensor)
    if not is_parametrized(module):
        del module.parametrizations
        module.__class__ = type(module).__bases__[0]
    return module


def _plain(module: Module, name: str, leave_parametrized: bool) -> Tensor:
    chain: Any = module.parametrizations[name]
    if chain.is_tensor:
        original = chain.original
        if leave_parametrized:
            with no_grad():
                try:
                    original.set_(getattr(module, name))
                except RuntimeError as error:
                    if type(original) is Tensor:
                        raise
                    raise RuntimeError(_NOT_SET) from error
        return original
    if not leave_parametrized:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a sequence of "
            "tensors."
        )
    value = getattr(module, name)
    return Parameter(value) if value.requires_grad else value


_NOT_SET = (
    "Calling remove_parametrizations() with leave_parametrized=True for a parameter that is an instance of a tensor subclass "
    "requires set_() to be implemented correctly for the tensor subclass.Alternatively, one can opt into the swap_tensors path"
    "Either set leave_parametrized=False or provide a working implementationfor set_() in the tensor subclass or set "
    "torch.__future__.set_swap_module_params_on_conversion(True)."
)


def type_before_parametrizations(module: Module) -> type:
    """The class of the module as it was before it was parametrized."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(
    from_module: Module, to_module: Module, tensor_name: str | None = None
) -> Module:
    """Give `to_module` the parametrizations of `from_module` and their originals, of one tensor or of all.

    Returns:
        `to_module`.
    """
    if not is_parametrized(from_module):
        return to_module
    for name in list(from_module.parametrizations) if tensor_name is None else [tensor_name]:
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name)))
        source: Any = from_module.parametrizations[name]
        for parametrization in source:
            register_parametrization(to_module, name, parametrization)
        target: Any = to_module.parametrizations[name]
        for key in ["original"] if source.is_tensor else [f"original{i}" for i in range(source.ntensors)]:
            setattr(target, key, getattr(source, key))
    return to_module

"""`Module`: the base of all layers and models.

An attribute is stored by its type: a Parameter in the dict `_parameters`, a Module in `_modules`, a Buffer in `_buffers`, any other
value in `__dict__`. Methods that act on a module and all its submodules read these three dicts. Those that list, move and cast are
in `tree`; those that save and load are in `state`. `hooks` calls a module with its hooks.
"""

from __future__ import annotations

from collections import OrderedDict
from types import FunctionType
from typing import Any

from reference_impl._legacy_types import typename
from reference_impl._pickle_names import reduce_ex
from reference_impl._tensor import Tensor
from reference_impl.arguments.missing_names import absent
from reference_impl.nn.modules.global_hooks import register_module_forward_hook, register_module_forward_pre_hook  # noqa: F401
from reference_impl.nn.modules.hooks import HookedCall
from reference_impl.nn.modules.state import State
from reference_impl.nn.modules.tree import Tree
from reference_impl.nn.parameter import Buffer, Parameter

# In torch's order, which is visible in `vars(module)`.
_HOOK_DICTS = (
    "_backward_pre_hooks", "_backward_hooks", "_is_full_backward_hook", "_forward_hooks", "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called", "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", "_state_dict_hooks",
    "_state_dict_pre_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks",
)  # fmt: skip


class Module(HookedCall, State, Tree):
    """Base class of all neural-network modules.

    A subclass calls `super().__init__()` in its `__init__`, then creates layers and parameters. Its `forward` computes the output.

    Attributes:
        training: whether the module is in training mode, in which Dropout and BatchNorm behave differently.
    """

    dump_patches: bool = False
    _version: int = 1
    training: bool

    __reduce_ex__ = reduce_ex

    def __init_subclass__(cls) -> None:
        if cls.__module__.startswith("reference_impl."):
            cls.__module__ = "torch" + cls.__module__.removeprefix("reference_impl")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if kwargs:
            raise TypeError(
                f"{type(self).__name__}.__init__() got an unexpected keyword argument '{next(iter(kwargs))}'"
            )
        if args:
            raise TypeError(
                f"{type(self).__name__}.__init__() takes 1 positional argument but {len(args) + 1} were given"
            )
        set_ = super().__setattr__
        set_("training", True)
        set_("_parameters", {})
        set_("_buffers", {})
        set_("_non_persistent_buffers_set", set())
        for name in _HOOK_DICTS:
            set_(name, None if name == "_is_full_backward_hook" else OrderedDict())
        set_("_modules", {})

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the output from the inputs. A subclass must define this method; here it raises NotImplementedError."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    # -- parameters, buffers and submodules by name

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Register a parameter under `name`, or None to reserve the name. It replaces a parameter of the same name.

        Raises:
            AttributeError: `Module.__init__` was not called.
            KeyError: `name` is empty, contains a dot, or is the name of an attribute that is not a parameter.
            TypeError: `param` is not a Parameter or None, or `name` is not a string.
            ValueError: `param` is the result of a recorded operation; a parameter must be a leaf.
        """
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        _check_name(name, "parameter", self, self._parameters)
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. To express "
                f"'{name}' as a function of another Tensor, compute the value in the forward() method."
            )
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Register a tensor that belongs to the module's state but is not trained, or None to reserve the name.

        It replaces a buffer of the same name.

        Args:
            persistent: whether `state_dict` includes the tensor.

        Raises:
            AttributeError: `Module.__init__` was not called.
            KeyError: `name` is empty, contains a dot, or is the name of an attribute that is not a buffer.
            TypeError: `tensor` is not a Tensor or None, or `name` is not a string.
        """
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        _check_name(name, "buffer", self, self._buffers)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Register `module` as a submodule under `name`, or None to reserve the name. It replaces a submodule of the same name.

        Raises:
            KeyError: `name` is empty, contains a dot, or is the name of an attribute that is not a submodule.
            TypeError: `module` is not a Module or None, or `name` is not a string.
        """
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{typename(module)} is not a Module subclass")
        if not isinstance(name, str):
            raise TypeError(f"module name should be a string. Got {typename(name)}")
        _check_name(name, "module", self, self._modules)
        self._modules[name] = module

    register_module = add_module

    def get_submodule(self, target: str) -> Module:
        """Return the submodule with the dotted name `target`, or this module if the name is empty.

        Raises:
            AttributeError: there is no attribute of this name, or it is not a module.
        """
        module = self
        for name in target.split(".") if target else ():
            module = _attribute(module, name)
            if not isinstance(module, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Replace the submodule with the dotted name `target` by `module`. Unless `strict`, it may be new in an existing submodule.

        Raises:
            ValueError: the name is empty, or `module` is not a module.
            AttributeError: there is no attribute of this name with `strict`, it is not a module, or the module above it does not exist.
        """
        if not target:
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict or hasattr(parent, name):
            self.get_submodule(target)
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Parameter:
        """Return the parameter with the dotted name `target`.

        Raises:
            AttributeError: there is no attribute of this name, or it is not a parameter.
        """
        path, _, name = target.rpartition(".")
        param = _attribute(self.get_submodule(path), name)
        if not isinstance(param, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return param

    def get_buffer(self, target: str) -> Tensor:
        """Return the buffer with the dotted name `target`.

        Raises:
            AttributeError: there is no attribute of this name, or it is not a buffer.
        """
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        buffer: Tensor = _attribute(module, name)
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return buffer

    def __getattr__(self, name: str) -> Any:
        for kind in ("_parameters", "_buffers", "_modules"):
            values = self.__dict__.get(kind)
            if values is not None and name in values:
                return values[name]
        raise absent("torch.nn.Module", name, f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        attributes = self.__dict__
        if isinstance(value, Parameter):
            if "_parameters" not in attributes:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, attributes, self._buffers, self._modules)
            self.register_parameter(name, value)
        elif name in attributes.get("_parameters", ()):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)"
                )
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            if "_modules" not in attributes:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, attributes, self._parameters, self._buffers)
            self._modules[name] = value
        elif name in attributes.get("_modules", ()):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as child module '{name}' (torch.nn.Module or None expected)"
                )
            self._modules[name] = value
        elif isinstance(value, Buffer) or name in attributes.get("_buffers", ()):
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{typename(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None expected)"
                )
            known = name not in self._non_persistent_buffers_set
            self.register_buffer(name, value, value.persistent if isinstance(value, Buffer) else known)
        else:
            super().__setattr__(name, value)

    def _forget(self, name: str, *dicts: dict[str, Any]) -> None:
        for values in dicts:
            values.pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    def __delattr__(self, name: str) -> None:
        for values in (self._parameters, self._buffers, self._modules):
            if name in values:
                del values[name]
                self._non_persistent_buffers_set.discard(name)
                return
        super().__delattr__(name)

    # -- printing

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """Return the text between the parentheses of `repr`, such as the options. Subclasses override this method."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        extra_lines = extra.split("\n") if extra else []
        child_lines = [f"({name}): " + _indent(repr(module)) for name, module in self._modules.items()]
        if not extra_lines and not child_lines:
            return f"{self._get_name()}()"
        if len(extra_lines) == 1 and not child_lines:
            return f"{self._get_name()}({extra_lines[0]})"
        return f"{self._get_name()}(\n  " + "\n  ".join(extra_lines + child_lines) + "\n)"


Module.__module__ = "torch.nn.modules.module"
for _part in Module.__bases__:
    for _method in vars(_part).values():
        if isinstance(_method, FunctionType):
            _method.__qualname__ = f"Module.{_method.__name__}"  # the name in errors and `help`


def _indent(text: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([first, *("  " + line if line.strip() else "" for line in rest)])


def _attribute(module: Module, name: str) -> Any:
    if not hasattr(module, name):
        raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
    return getattr(module, name)


def _check_name(name: Any, kind: str, module: Module, known: dict[str, Any]) -> None:
    if kind != "module" and not isinstance(name, str):
        raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
    if "." in name:
        suffix = f", got: {name}" if kind == "module" else ""
        raise KeyError(f'{kind} name can\'t contain "."{suffix}')
    if name == "":
        raise KeyError(f'{kind} name can\'t be empty string ""')
    if hasattr(module, name) and name not in known:
        raise KeyError(f"attribute '{name}' already exists")


def __getattr__(name: str) -> Any:
    raise absent("torch.nn.modules.module", name)

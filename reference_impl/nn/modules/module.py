"""`Module`: the base of all layers and models.

What is assigned to an attribute decides where it goes: a Parameter into `_parameters`, a Module into `_modules`, a Buffer into
`_buffers`, anything else into the object itself. Everything a module does for its whole tree (moving, training mode,
`state_dict`) is a walk over these three dicts; `state` holds the walks that save and load, `hooks` those that watch a call.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

from reference_impl import _dtype
from reference_impl._device import device as Device
from reference_impl._legacy_types import typename
from reference_impl._tensor import Tensor
from reference_impl._torch_names import reduce_ex
from reference_impl.autograd.grad_mode import no_grad
from reference_impl.nn.modules import global_hooks as everywhere
from reference_impl.nn.modules.global_hooks import (
    register_module_backward_hook as register_module_backward_hook,
)
from reference_impl.nn.modules.global_hooks import (
    register_module_buffer_registration_hook as register_module_buffer_registration_hook,
)
from reference_impl.nn.modules.global_hooks import (
    register_module_forward_hook as register_module_forward_hook,
)
from reference_impl.nn.modules.global_hooks import (
    register_module_forward_pre_hook as register_module_forward_pre_hook,
)
from reference_impl.nn.modules.global_hooks import (
    register_module_full_backward_hook as register_module_full_backward_hook,
)
from reference_impl.nn.modules.global_hooks import (
    register_module_full_backward_pre_hook as register_module_full_backward_pre_hook,
)
from reference_impl.nn.modules.global_hooks import (
    register_module_module_registration_hook as register_module_module_registration_hook,
)
from reference_impl.nn.modules.global_hooks import (
    register_module_parameter_registration_hook as register_module_parameter_registration_hook,
)
from reference_impl.nn.modules.hooks import HookedCall
from reference_impl.nn.modules.state import State
from reference_impl.nn.parameter import Buffer, Parameter


class Module(HookedCall, State):
    """Base class of all neural-network modules.

    A subclass calls `super().__init__()` first, makes its layers and parameters there, and computes in `forward`.

    Attributes:
        training: whether the module is in training mode (Dropout and BatchNorm behave differently then).
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
        for name in (
            "_backward_pre_hooks",
            "_backward_hooks",
        ):
            set_(name, OrderedDict())
        set_("_is_full_backward_hook", None)
        for name in (
            "_forward_hooks",
            "_forward_hooks_with_kwargs",
            "_forward_hooks_always_called",
            "_forward_pre_hooks",
            "_forward_pre_hooks_with_kwargs",
            "_state_dict_hooks",
            "_state_dict_pre_hooks",
            "_load_state_dict_pre_hooks",
            "_load_state_dict_post_hooks",
        ):
            set_(name, OrderedDict())
        set_("_modules", {})

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """The computation. Every subclass has its own."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    # -- parts by name

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter, or None to keep the name free.

        Raises:
            KeyError: the name is taken, empty or has a dot.
            TypeError: not a Parameter.
            ValueError: a tensor that has been computed: a parameter must be a leaf.
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
        if everywhere.parameter_registration_hooks:
            param = everywhere.registered(everywhere.parameter_registration_hooks, self, name, param)
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that is state but not trained.

        Args:
            persistent: whether it stands in `state_dict`.

        Raises:
            KeyError: the name is taken, empty or has a dot.
            TypeError: not a Tensor.
        """
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        _check_name(name, "buffer", self, self._buffers)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        if everywhere.buffer_registration_hooks:
            tensor = everywhere.registered(everywhere.buffer_registration_hooks, self, name, tensor)
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a child module.

        Raises:
            KeyError: the name is taken, empty or has a dot.
            TypeError: not a Module.
        """
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{typename(module)} is not a Module subclass")
        if not isinstance(name, str):
            raise TypeError(f"module name should be a string. Got {typename(name)}")
        _check_name(name, "module", self, self._modules)
        self._put_module(name, module)

    def _put_module(self, name: str, module: Any) -> None:
        if everywhere.module_registration_hooks:
            module = everywhere.registered(everywhere.module_registration_hooks, self, name, module)
        self._modules[name] = module

    register_module = add_module

    def get_submodule(self, target: str) -> Module:
        """The module with the dotted name `target`.

        Raises:
            AttributeError: there is none.
        """
        module: Any = self
        for part in target.split(".") if target else ():
            if not hasattr(module, part):
                raise AttributeError(f"{module._get_name()} has no attribute `{part}`")
            module = getattr(module, part)
            if not isinstance(module, Module):
                raise AttributeError(f"`{part}` is not an nn.Module")
        return module

    def get_parameter(self, target: str) -> Parameter:
        """The parameter with the dotted name `target`."""
        return self._get_tensor(target, Parameter, "nn.Parameter")

    def get_buffer(self, target: str) -> Tensor:
        """The buffer with the dotted name `target`."""
        buffer = self._get_tensor(target, Tensor, "buffer")
        path, _, name = target.rpartition(".")
        if name not in self.get_submodule(path)._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return buffer

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put `module` in the place of the submodule with the dotted name `target`; `strict`: only where there is one.

        Raises:
            ValueError: `target` is empty, or `module` is no Module.
            AttributeError: what is on the way, or at the place, is no Module.
        """
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), Module):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def _get_tensor(self, target: str, kind: Any, what: str) -> Any:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        value = getattr(module, name)
        if not isinstance(value, kind):
            raise AttributeError(f"`{name}` is not an {what}" if what != "buffer" else f"`{name}` is not a buffer")
        return value

    def __getattr__(self, name: str) -> Any:
        for kind in ("_parameters", "_buffers", "_modules"):
            values = self.__dict__.get(kind)
            if values is not None and name in values:
                return values[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        if isinstance(value, Parameter):
            if "_parameters" not in own:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, own, self._buffers, self._modules)
            self.register_parameter(name, value)
        elif name in own.get("_parameters", ()):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)"
                )
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            if "_modules" not in own:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, own, self._parameters, self._buffers)
            self._put_module(name, value)
        elif name in own.get("_modules", ()):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as child module '{name}' (torch.nn.Module or None expected)"
                )
            self._put_module(name, value)
        elif isinstance(value, Buffer) or name in own.get("_buffers", ()):
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

    def __dir__(self) -> list[str]:
        names = [*super().__dir__(), *self._parameters, *self._modules, *self._buffers]
        return sorted({n for n in names if not n[0].isdigit()})

    # -- walks over the tree

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[Any]:
        """(dotted name, module) of this module and all below it, each module once unless `remove_duplicate` is False."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, prefix + ("." if prefix else "") + name, remove_duplicate)

    def modules(self, remove_duplicate: bool = True) -> Iterator[Module]:
        """This module and all below it."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """(name, module) of the modules directly below this one, each once."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Module]:
        """The modules directly below this one."""
        for _, module in self.named_children():
            yield module

    def _named_members(
        self, members: Callable[[Module], Any], prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Any]]:
        seen = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for module_prefix, module in modules:
            for name, value in members(module):
                if value is None or value in seen:
                    continue
                if remove_duplicate:
                    seen.add(value)
                yield module_prefix + ("." if module_prefix else "") + name, value

    def named_parameters(self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True) -> Iterator[Any]:
        """(dotted name, parameter), each parameter once unless `remove_duplicate` is False."""
        return self._named_members(lambda m: m._parameters.items(), prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The parameters of this module and, with `recurse`, of all below it."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True) -> Iterator[Any]:
        """(dotted name, buffer)."""
        return self._named_members(lambda m: m._buffers.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers of this module and, with `recurse`, of all below it."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def apply(self, fn: Callable[[Module], None]) -> Module:
        """Call `fn` with every module below this one and then with this one."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode: bool = True) -> Module:
        """Set training mode, here and below."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Module:
        """Leave training mode: `train(False)`."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Module:
        """Set `requires_grad` of all parameters."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Take away the gradients of all parameters; with `set_to_none=False`, set them to zero."""
        for parameter in self.parameters():
            if parameter._grad is None:
                continue
            if set_to_none:
                parameter.grad = None
            else:
                parameter._grad = parameter._grad.detach()
                parameter._grad.zero_()

    # -- moving and casting

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Module:
        """Replace the values of every parameter, gradient and buffer by `fn` of them; the Parameter objects stay."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        for parameter in self._parameters.values():
            if parameter is not None:
                with no_grad():
                    parameter.data = fn(parameter)
                    if parameter._grad is not None:
                        parameter._grad.data = fn(parameter._grad)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Module:
        """Move to a device and cast floating-point parameters and buffers to a dtype."""
        device, dtype = kwargs.get("device"), kwargs.get("dtype")
        for value in args:
            if isinstance(value, _dtype.dtype):
                dtype = value
            elif isinstance(value, Tensor):
                device, dtype = value.device, value.dtype
            elif isinstance(value, (str, int, Device)) and not isinstance(value, bool):
                device = value
        if dtype is not None and not dtype.is_floating_point:
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}"
            )

        def convert(t: Tensor) -> Tensor:
            return t.to(device, dtype if t.is_floating_point() else None)

        return self._apply(convert)

    def cpu(self) -> Module:
        """Move to the CPU."""
        return self._apply(lambda t: t.cpu())

    def cuda(self, device: Any = None) -> Module:
        """Move to the GPU."""
        return self._apply(lambda t: t.cuda(device))

    def type(self, dst_type: Any) -> Module:
        """Cast everything."""
        return self._apply(lambda t: t.type(dst_type))

    def float(self) -> Module:
        """Cast floating-point parameters and buffers to float32."""
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self) -> Module:
        """Cast floating-point parameters and buffers to float64."""
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self) -> Module:
        """Cast floating-point parameters and buffers to float16."""
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    # -- printing

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """What stands between the brackets of `repr`. Subclasses override it."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        extra_lines = extra.split("\n") if extra else []
        child_lines = [f"({name}): " + _indented(repr(module)) for name, module in self._modules.items()]
        if not extra_lines and not child_lines:
            return f"{self._get_name()}()"
        if len(extra_lines) == 1 and not child_lines:
            return f"{self._get_name()}({extra_lines[0]})"
        return f"{self._get_name()}(\n  " + "\n  ".join(extra_lines + child_lines) + "\n)"


Module.__module__ = "torch.nn.modules.module"


def _indented(text: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([first, *("  " + line if line.strip() else "" for line in rest)])


def _check_name(name: Any, what: str, module: Module, known: dict[str, Any]) -> None:
    if what != "module" and not isinstance(name, str):
        raise TypeError(f"{what} name should be a string. Got {typename(name)}")
    if "." in name:
        shown = f", got: {name}" if what == "module" else ""
        raise KeyError(f'{what} name can\'t contain "."{shown}')
    if name == "":
        raise KeyError(f'{what} name can\'t be empty string ""')
    if hasattr(module, name) and name not in known:
        raise KeyError(f"attribute '{name}' already exists")

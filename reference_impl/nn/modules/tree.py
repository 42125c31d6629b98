"""Methods that act on a module and all its submodules: list them, switch between training and evaluation, move and cast."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from reference_impl import _dtype
from reference_impl._device import device as Device
from reference_impl._tensor import Tensor
from reference_impl.autograd.grad_mode import no_grad
from reference_impl.nn.parameter import Parameter


class Tree:
    """Base class of Module with methods that act on all its submodules, parameters and buffers."""

    training: bool
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[Any]:
        """Yield (dotted name, module) for this module and all its submodules, each once unless `remove_duplicate` is False.

        Args:
            memo: the modules that were yielded already.
            prefix: name of this module.
        """
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, prefix + ("." if prefix else "") + name, remove_duplicate)

    def modules(self, remove_duplicate: bool = True) -> Iterator[Any]:
        """Yield this module and all its submodules, each once unless `remove_duplicate` is False."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """Yield (name, module) for the direct submodules of this module, each once."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Any]:
        """Yield the direct submodules of this module, each once."""
        for _, module in self.named_children():
            yield module

    def _named_members(
        self, members: Callable[[Any], Any], prefix: str, recurse: bool, remove_duplicate: bool
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
        """Yield (dotted name, parameter), each parameter once unless `remove_duplicate` is False.

        Args:
            prefix: name of this module, which precedes each name and a dot; empty for no prefix.
            recurse: include the parameters of submodules.
        """
        yield from self._named_members(lambda m: m._parameters.items(), prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Yield the parameters of this module and, with `recurse`, of all its submodules, each once."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True) -> Iterator[Any]:
        """Yield (dotted name, buffer), with the same arguments as `named_parameters`."""
        yield from self._named_members(lambda m: m._buffers.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Yield the buffers of this module and, with `recurse`, of all its submodules, each once."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def apply(self, fn: Callable[[Any], None]) -> Any:
        """Call `fn(module)` for every submodule and then for this module. Return this module."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode: bool = True) -> Any:
        """Set `training` of this module and all its submodules to `mode`, and return this module.

        Raises:
            ValueError: `mode` is not a bool.
        """
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Any:
        """Switch this module and all its submodules to evaluation mode, as `train(False)` does. Return this module."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """Set `requires_grad` of all parameters, and return this module."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set the gradient of every parameter to None. With `set_to_none=False`, fill the existing gradients with zeros."""
        for parameter in self.parameters():
            if parameter._grad is None:
                continue
            if set_to_none:
                parameter.grad = None
            else:
                parameter._grad = parameter._grad.detach()
                parameter._grad.zero_()

    # -- moving and casting

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Any:
        """Replace every parameter, gradient and buffer `t` by `fn(t)`, and return this module. With `recurse`, include all submodules.

        Parameters and gradients keep their identity as objects.
        """
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

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """Move all parameters and buffers to a device, cast floating-point ones to a dtype, and return this module.

        Args:
            args, kwargs: `device`, `dtype`, or (not by keyword) a tensor whose device and dtype are used. Others, such as
                `non_blocking`, are ignored.

        Raises:
            TypeError: the dtype is not a floating-point dtype.
            RuntimeError: the device is unknown.
        """
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

        device = None if device is None else Device(device)

        def convert(t: Tensor) -> Tensor:
            return t.to(device, dtype if t.is_floating_point() else None)

        return self._apply(convert)

    def cpu(self) -> Any:
        """Move all parameters and buffers to the CPU, and return this module."""
        return self._apply(lambda t: t.cpu())

    def cuda(self, device: Any = None) -> Any:
        """Move all parameters and buffers to a GPU, by default the current GPU, and return this module."""
        return self._apply(lambda t: t.cuda(device))

    def type(self, dst_type: Any) -> Any:
        """Cast all parameters and buffers, also integer buffers, to `dst_type`, and return this module."""
        return self._apply(lambda t: t.type(dst_type))

    def float(self) -> Any:
        """Cast floating-point parameters and buffers to float32, and return this module."""
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self) -> Any:
        """Cast floating-point parameters and buffers to float64, and return this module."""
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self) -> Any:
        """Cast floating-point parameters and buffers to float16, and return this module."""
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

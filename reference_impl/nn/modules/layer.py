"""`Layer`: a module that applies a function of `nn.functional` with options."""

from __future__ import annotations

from typing import Any

from reference_impl._fields import declare, write_method
from reference_impl._tensor import Tensor
from reference_impl.nn.modules.module import Module


class Layer(Module):
    """A module declared by its `function` and the function's options, which are fields of the class (see `_fields`).

        class Threshold(Layer):
            threshold: float
            value: float
            inplace: bool = False
            function = F.threshold

    declares a complete layer. The fields become arguments of `__init__` and attributes of the layer (a Tensor becomes a buffer). `repr`
    prints them. `forward(input)` is `F.threshold(input, threshold=self.threshold, value=self.value, inplace=self.inplace)`.

    Attributes:
        function: the function of `nn.functional`. A subclass without it defines `forward`.
        inputs: the names of the arguments of `forward`, separated by spaces.
        function_options: the names of the attributes that are passed to the function, separated by spaces; None means all fields.
        repr_options: the names of the attributes that `repr` prints; None means all fields. `inplace` is printed only if it is True.
    """

    function: Any
    inputs: str = "input"
    function_options: str | None = None
    repr_options: str | None = None
    _fields: dict[str, str] = {}

    def __init_subclass__(cls) -> None:
        if cls.__module__.startswith("reference_impl."):  # annotations of a user's subclass are not fields
            declare(cls, "_begin")
            if "function" in vars(cls):
                cls._write_forward(vars(cls)["function"])
        super().__init_subclass__()

    @classmethod
    def _write_forward(cls, function: Any) -> None:
        inputs = cls.inputs.split()
        arguments = [*inputs, *[f"{name}=self.{name}" for name in cls._option_names(cls.function_options)]]
        write_method(cls, "forward", ["self", *inputs], f"function({', '.join(arguments)})", function=function)

    @classmethod
    def _option_names(cls, names: str | None) -> list[str]:
        attribute_names = [name for name, kind in cls._fields.items() if kind != "InitOnly"]
        return attribute_names if names is None else names.split()

    def _begin(self, options: dict[str, Any]) -> None:
        super().__init__()
        init_only = {}
        for name, value in options.items():
            if self._fields[name] == "InitOnly":
                init_only[name] = value
            elif self._fields[name].startswith("Tensor"):
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)
        self.complete(**init_only)

    def complete(self, *args: Any, **kwargs: Any) -> None:
        """Check the options and set derived attributes. The arguments are the `InitOnly` fields. Subclasses override this method."""

    def extra_repr(self) -> str:
        """Return the options as text, for `repr`."""
        names = [name for name in self._option_names(self.repr_options) if name != "inplace" or self.inplace]
        return ", ".join(f"{name}={getattr(self, name)}" for name in names)


def check_dimensions(input: Tensor, *allowed: int) -> None:
    """Raise ValueError, with torch's message, unless the number of dimensions of `input` is one of `allowed`."""
    if input.dim() not in allowed:
        expected = " or ".join(f"{n}D" for n in allowed)
        raise ValueError(f"expected {expected} input (got {input.dim()}D input)")

"""Linear layers."""

from __future__ import annotations

import math
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.nn import functional as F
from reference_impl.nn import init
from reference_impl.nn.modules.lazy import LazyModuleMixin
from reference_impl.nn.modules.module import Module
from reference_impl.nn.parameter import Parameter, UninitializedParameter
from reference_impl.ops.creation import empty


class Identity(Module):
    """A module that returns its input. `__init__` accepts and ignores any arguments, so it can replace another layer."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        """Return `input`."""
        return input


class Linear(Module):
    """`input @ weight.T + bias`: (*, in_features) -> (*, out_features).

    Weight and bias start as uniform random numbers in ±1/√in_features.
    """

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(empty((out_features, in_features), device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new random values for weight and bias, uniform in ±1/√in_features (kaiming_uniform with a = √5)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        """Return `input` · weightᵀ + bias: (*, in_features) -> (*, out_features)."""
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Return the options as text, for `repr`."""
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class LazyLinear(LazyModuleMixin, Linear):
    """A Linear that takes `in_features` from its first input."""

    cls_to_become = Linear

    def __init__(self, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None) -> None:
        super().__init__(0, 0, False)  # creates no bias, because the lines below would replace it
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        """Draw new random values for weight and bias, unless their shapes are still unknown."""
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:  # type: ignore[override]
        """Set `in_features` to the size of the last dimension of `input`, and initialize weight and bias.

        If parameters were loaded before, keep their values.

        Raises:
            AssertionError: the parameters were loaded, and their `in_features` is not the last size of `input`.
        """
        if self.has_uninitialized_params():
            self.in_features = input.shape[-1]
            self.weight.materialize((self.out_features, self.in_features))
            if self.bias is not None:
                self.bias.materialize((self.out_features,))
            self.reset_parameters()
        if self.in_features == 0:  # the parameters were loaded
            if input.shape[-1] != self.weight.shape[-1]:
                raise AssertionError(
                    f"The in_features inferred from input: {input.shape[-1]} is not equal to in_features from self.weight: "
                    f"{self.weight.shape[-1]}"
                )
            self.in_features = input.shape[-1]

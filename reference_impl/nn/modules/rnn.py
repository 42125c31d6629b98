"""Recurrent layers and cells."""

from __future__ import annotations

import math
import numbers
import warnings
from typing import Any

import numpy as np

from reference_impl._tensor import Tensor
from reference_impl.nn import init
from reference_impl.nn.modules.module import Module
from reference_impl.nn.parameter import Parameter
from reference_impl.nn.utils.rnn import PackedSequence
from reference_impl.ops import recurrent
from reference_impl.ops.creation import empty

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


class RNNBase(Module):
    """Layers of a recurrent network. The weights of layer n are weight_ih_l<n>, weight_hh_l<n>, bias_ih_l<n>, bias_hh_l<n>
    (and weight_hr_l<n> where the output is projected), those of the other direction end in _reverse; uniform in ±1/√hidden_size.

    Args:
        batch_first: the input is (b, t, i), not (t, b, i).
        dropout: between the layers.
        proj_size: of the output, where it is projected.
    """

    def __init__(
        self, mode: str, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True, batch_first: bool = False,
        dropout: float = 0.0, bidirectional: bool = False, proj_size: int = 0, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        _check_dropout(dropout, num_layers)
        _check_sizes(bias, batch_first, input_size, hidden_size, num_layers, proj_size)
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._all_weights: list[list[str]] = []
        if mode not in _GATES:
            raise ValueError("Unrecognized RNN mode: " + mode)
        gates, output = _GATES[mode] * hidden_size, proj_size or hidden_size
        for layer in range(num_layers):
            for suffix in ("", "_reverse") if bidirectional else ("",):
                width = input_size if layer == 0 else output * (2 if bidirectional else 1)
                shapes: dict[str, Any] = {"weight_ih": (gates, width), "weight_hh": (gates, output)}
                if bias:
                    shapes |= {"bias_ih": gates, "bias_hh": gates}
                if proj_size:
                    shapes["weight_hr"] = (proj_size, hidden_size)
                names = {name: f"{name}_l{layer}{suffix}" for name in shapes}
                for name, shape in shapes.items():
                    setattr(self, names[name], Parameter(empty(shape, device=device, dtype=dtype)))
                self._all_weights.append(list(names.values()))
        self.reset_parameters()

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The weights by layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    @property
    def _flat_weights(self) -> list[Parameter]:
        return [w for weights in self.all_weights for w in weights]

    def flatten_parameters(self) -> None:
        """Bring the weights together in memory, which only matters to cuDNN: nothing to do."""

    def reset_parameters(self) -> None:
        """Draw all weights anew."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    # -- forward

    def _state_sizes(self, batch: int) -> list[tuple[int, int, int]]:
        layers = self.num_layers * (2 if self.bidirectional else 1)
        sizes = [(layers, batch, self.proj_size or self.hidden_size)]
        return sizes + [(layers, batch, self.hidden_size)] if self.mode == "LSTM" else sizes

    def _run(self, input: Any, state: tuple[Tensor, ...] | None) -> tuple[Any, tuple[Tensor, ...]]:
        if isinstance(input, PackedSequence):
            return self._run_packed(input, state)
        name = "RNN" if self.mode.startswith("RNN") else self.mode
        if input.ndim not in (2, 3):
            kind = "tensor instead" if name == "RNN" else "instead"
            raise ValueError(f"{name}: Expected input to be 2D or 3D, got {input.ndim}D {kind}")
        batched, batch_dim = input.ndim == 3, 0 if self.batch_first else 1
        if state is not None:
            self._check_state_dims(state, 3 if batched else 2)
        if not batched:
            input = input.unsqueeze(batch_dim)
            state = None if state is None else tuple([s.unsqueeze(1) for s in state])
        state = self._checked_state(input, state, input.shape[batch_dim], 3)
        output, state = self._network(input, state, self.batch_first, None)
        if not batched:
            return output.squeeze(batch_dim), tuple([s.squeeze(1) for s in state])
        return output, state

    def _run_packed(self, packed: PackedSequence, state: Any) -> tuple[PackedSequence, tuple[Tensor, ...]]:
        data, batch_sizes, order, back = packed
        sizes = batch_sizes.tolist()
        if state is not None and order is not None:
            state = tuple([s.index_select(1, order) for s in state])
        state = self._checked_state(data, state, sizes[0], 2)
        output, state = self._network(data, state, False, sizes)
        if back is not None:
            state = tuple([s.index_select(1, back) for s in state])
        return PackedSequence(output, batch_sizes, order, back), state

    def _network(self, input: Tensor, state: Any, batch_first: bool, sizes: Any) -> tuple[Tensor, tuple[Tensor, ...]]:
        return recurrent.network(
            recurrent.STEPS[self.mode], input, state, self._flat_weights, self.bias, self.num_layers, self.dropout,
            self.training, self.bidirectional, batch_first, sizes, self.proj_size > 0,
        )  # fmt: skip

    def _checked_state(self, input: Tensor, state: Any, batch: int, ndim: int) -> tuple[Tensor, ...]:
        """The first state: `state`, or zeros.

        Raises:
            ValueError, RuntimeError: an input or state that doesn't fit.
        """
        weight = self._flat_weights[0]
        if input.dtype != weight.dtype:
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). Convert input: "
                f"input.to({weight.dtype}), or convert model: model.to({input.dtype})"
            )
        if input.ndim != ndim:
            raise RuntimeError(f"input must have {ndim} dimensions, got {input.ndim}")
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.shape[-1]}"
            )
        sizes = self._state_sizes(batch)
        if state is None:
            return tuple([Tensor._wrap(np.zeros_like(input._array, shape=size)) for size in sizes])
        for i, (size, s) in enumerate(zip(sizes, state, strict=True)):
            if tuple(s.shape) != size:
                which = f"hidden[{i}]" if self.mode == "LSTM" else "hidden"
                raise RuntimeError(f"Expected {which} size {size}, got {list(s.shape)}")
        return tuple(state)

    def _check_state_dims(self, state: tuple[Tensor, ...], ndim: int) -> None:
        if all(s.ndim == ndim for s in state):
            return
        batched = "batched 3-D" if ndim == 3 else "unbatched 2-D"
        if self.mode == "LSTM":
            dims = f"({state[0].ndim}-D, {state[1].ndim}-D)"
            raise RuntimeError(f"For {batched} input, hx and cx should also be {ndim}-D but got {dims} tensors")
        raise RuntimeError(f"For {batched} input, hx should also be {ndim}-D but got {state[0].ndim}-D tensor")

    def extra_repr(self) -> str:
        shown = f"{self.input_size}, {self.hidden_size}"
        usual = {
            "proj_size": 0,
            "num_layers": 1,
            "bias": True,
            "batch_first": False,
            "dropout": 0,
            "bidirectional": False,
        }
        return shown + "".join(f", {n}={getattr(self, n)}" for n, value in usual.items() if getattr(self, n) != value)


def _check_dropout(dropout: Any, num_layers: int) -> None:
    if not isinstance(dropout, numbers.Number) or isinstance(dropout, bool) or not 0 <= dropout <= 1:  # type: ignore[operator]
        raise ValueError(
            "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
        )
    if dropout > 0 and num_layers == 1:  # type: ignore[operator]
        warnings.warn(
            "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers greater "
            f"than 1, but got dropout={dropout} and num_layers={num_layers}",
            stacklevel=4,
        )


def _check_sizes(
    bias: Any, batch_first: Any, input_size: Any, hidden_size: Any, num_layers: int, proj_size: int
) -> None:
    for name, value, kind in (
        ("bias", bias, bool),
        ("batch_first", batch_first, bool),
        ("input_size", input_size, int),
        ("hidden_size", hidden_size, int),
    ):
        if not isinstance(value, kind):
            raise TypeError(f"{name} should be of type {kind.__name__}, got: {type(value).__name__}")
        if kind is int and value <= 0:
            raise ValueError(f"{name} must be greater than zero")
    if num_layers <= 0:
        raise ValueError("num_layers must be greater than zero")
    if proj_size < 0:
        raise ValueError("proj_size should be a positive integer or zero to disable projections")
    if proj_size >= hidden_size:
        raise ValueError("proj_size has to be smaller than hidden_size")


def _refuse_projection(kwargs: dict[str, Any]) -> None:
    if "proj_size" in kwargs:
        raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")


class RNN(RNNBase):
    """h' = tanh(x w_ihᵀ + b_ih + h w_hhᵀ + b_hh), or relu: (t, b, i) -> outputs (t, b, h) and the last states.

    Args:
        args: input_size, hidden_size, num_layers, nonlinearity ("tanh" or "relu"), and further those of RNNBase.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _refuse_projection(kwargs)
        if len(args) > 3:
            nonlinearity, args = args[3], (*args[:3], *args[4:])
        else:
            nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__("RNN_" + nonlinearity.upper(), *args, **kwargs)
        self.nonlinearity = nonlinearity

    def forward(self, input: Any, hx: Tensor | None = None) -> tuple[Any, Tensor]:
        output, (h,) = self._run(input, None if hx is None else (hx,))
        return output, h


class LSTM(RNNBase):
    """Long short-term memory: (t, b, i) -> outputs (t, b, h) and the last states (h, c)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def forward(self, input: Any, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Any, tuple[Tensor, ...]]:
        return self._run(input, hx)


class GRU(RNNBase):
    """Gated recurrent units: (t, b, i) -> outputs (t, b, h) and the last states."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _refuse_projection(kwargs)
        super().__init__("GRU", *args, **kwargs)

    def forward(self, input: Any, hx: Tensor | None = None) -> tuple[Any, Tensor]:
        output, (h,) = self._run(input, None if hx is None else (hx,))
        return output, h


# -- cells


class RNNCellBase(Module):
    """One step of one layer."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool, num_chunks: int, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = num_chunks * hidden_size
        self.weight_ih = Parameter(empty((rows, input_size), device=device, dtype=dtype))
        self.weight_hh = Parameter(empty((rows, hidden_size), device=device, dtype=dtype))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, Parameter(empty(rows, device=device, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all weights anew, uniform in ±1/√hidden_size."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def _step(self, step: Any, input: Tensor, state: tuple[Tensor, ...] | None, count: int) -> tuple[Tensor, ...]:
        name = type(self).__name__
        if input.ndim not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.ndim}D instead")
        for i, s in enumerate(state or ()):
            if s.ndim not in (1, 2):
                which = f"hx[{i}]" if count == 2 else "hidden"
                raise ValueError(f"{name}: Expected {which} to be 1D or 2D, got {s.ndim}D instead")
        batched = input.ndim == 2
        if not batched:
            input = input.unsqueeze(0)
            state = None if state is None else tuple([s.unsqueeze(0) for s in state])
        if state is None:
            zeros = np.zeros_like(input._array, shape=(input.shape[0], self.hidden_size))
            state = (Tensor._wrap(zeros),) * count
        self._check_sizes(input, state)
        found = recurrent.cell(step, input, state, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return found if batched else tuple([s.squeeze(0) for s in found])

    def _check_sizes(self, input: Tensor, state: tuple[Tensor, ...]) -> None:
        """Raises:
        RuntimeError: an input, (n, input_size), or a state, (n, hidden_size), of other sizes."""
        batch, size = input.shape
        if size != self.input_size:
            raise RuntimeError(f"input has inconsistent input_size: got {size} expected {self.input_size}")
        for i, s in enumerate(state):
            if s.shape[0] != batch:
                raise RuntimeError(f"Input batch size {batch} doesn't match hidden{i} batch size {s.shape[0]}")
            if s.shape[1] != self.hidden_size:
                raise RuntimeError(
                    f"hidden{i} has inconsistent hidden_size: got {s.shape[1]}, expected {self.hidden_size}"
                )

    def extra_repr(self) -> str:
        shown = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            shown += f", bias={self.bias}"
        nonlinearity = self.__dict__.get("nonlinearity", "tanh")
        return shown if nonlinearity == "tanh" else shown + f", nonlinearity={nonlinearity}"


class RNNCell(RNNCellBase):
    """h' = tanh(x w_ihᵀ + b_ih + h w_hhᵀ + b_hh), or relu."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh", device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        steps = {"tanh": recurrent.tanh_step, "relu": recurrent.relu_step}
        if self.nonlinearity not in steps:
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._step(steps[self.nonlinearity], input, None if hx is None else (hx,), 1)[0]


class LSTMCell(RNNCellBase):
    """One step of an LSTM: (h', c')."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, ...]:
        return self._step(recurrent.lstm_step, input, hx, 2)


class GRUCell(RNNCellBase):
    """One step of a GRU."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return self._step(recurrent.gru_step, input, None if hx is None else (hx,), 1)[0]

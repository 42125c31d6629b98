"""Recurrent layers, and cells, which compute one step of a recurrent layer."""

from __future__ import annotations

import math
import numbers
import warnings
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.nn import init
from reference_impl.nn.modules.module import Module
from reference_impl.nn.parameter import Parameter
from reference_impl.nn.utils.rnn import PackedSequence
from reference_impl.ops.creation import empty, zeros
from reference_impl.ops.recurrent import gru_cell, lstm_cell, recurrent, rnn_relu_cell, rnn_tanh_cell

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


class RNNBase(Module):
    """Base of recurrent layers: (steps, batch, input_size) -> (steps, batch, directions · hidden_size), and the final states.

    The output has 2 directions if `bidirectional`, otherwise 1, and `proj_size` replaces hidden_size if it is not 0. With `batch_first`,
    input and output are (batch, steps, *). The input may also be a single sequence, (steps, input_size), or a PackedSequence. The
    weights start as uniform random numbers in ±1/√hidden_size.

    Args:
        dropout: probability of dropout on the outputs of each layer but the last, in training. With a single layer, it causes a warning.

    Raises:
        ValueError, TypeError: an option has an invalid value, or a value of the wrong type.
    """

    def __init__(
        self, mode: str, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True, batch_first: bool = False,
        dropout: float = 0.0, bidirectional: bool = False, proj_size: int = 0, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._check_options(dropout)
        self._all_weights: list[list[str]] = []
        for layer in range(num_layers):
            for suffix in ("", "_reverse") if bidirectional else ("",):
                self._add_weights(layer, f"l{layer}{suffix}", {"device": device, "dtype": dtype})
        self.reset_parameters()

    def _check_options(self, dropout: Any) -> None:
        if not isinstance(dropout, numbers.Number) or isinstance(dropout, bool) or not 0 <= dropout <= 1:  # type: ignore[operator]
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
            )
        if self.dropout > 0 and self.num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers greater "
                f"than 1, but got dropout={dropout} and num_layers={self.num_layers}",
                stacklevel=3,
            )
        for name, kind in (("bias", bool), ("batch_first", bool), ("input_size", int), ("hidden_size", int)):
            value = getattr(self, name)
            if not isinstance(value, kind):
                raise TypeError(f"{name} should be of type {kind.__name__}, got: {type(value).__name__}")
            if kind is int and value <= 0:
                raise ValueError(f"{name} must be greater than zero")
        if self.num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if self.proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if self.proj_size >= self.hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")
        if self.mode not in _GATES:
            raise ValueError("Unrecognized RNN mode: " + self.mode)

    def _add_weights(self, layer: int, suffix: str, options: dict[str, Any]) -> None:
        """Add the parameters of layer number `layer` in one direction. Their names end with `suffix`, such as `l0_reverse`."""
        gates, size = _GATES[self.mode] * self.hidden_size, self.proj_size or self.hidden_size
        inputs = size * (2 if self.bidirectional else 1) if layer else self.input_size
        shapes: dict[str, Any] = {"weight_ih_": (gates, inputs), "weight_hh_": (gates, size)}
        if self.bias:
            shapes |= {"bias_ih_": gates, "bias_hh_": gates}
        if self.proj_size:
            shapes["weight_hr_"] = (self.proj_size, self.hidden_size)
        for name, shape in shapes.items():
            setattr(self, name + suffix, Parameter(empty(shape, **options)))
        self._all_weights.append([name + suffix for name in shapes])

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """Return a list of parameters for each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    @property
    def _flat_weights_names(self) -> list[str]:
        return [name for names in self._all_weights for name in names]

    @property
    def _flat_weights(self) -> list[Parameter]:
        return [getattr(self, name) for name in self._flat_weights_names]

    def _complete_weights(self) -> list[list[Any]]:
        """Return a list of five parameters for each layer and direction, None for an absent one. See `ops.recurrent.Weights`."""
        bias, projection = 2 * self.bias, bool(self.proj_size)
        return [
            [*w[:2], *(w[2:4] if bias else (None, None)), w[2 + bias] if projection else None] for w in self.all_weights
        ]

    def flatten_parameters(self) -> None:
        """Do nothing. torch copies the weights into one block of memory for cuDNN, which the engine does not use."""

    def reset_parameters(self) -> None:
        """Draw new values for all weights."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def check_input(self, input: Tensor, batch_sizes: Tensor | None) -> None:
        """Check dtype and size of the input. `batch_sizes` is None unless the input is packed.

        Raises:
            ValueError: the dtype differs from that of the weights.
            RuntimeError: the number of dimensions or the size of the last dimension is wrong.
        """
        dtype = self._flat_weights[0].dtype
        if input.dtype != dtype:
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({dtype}). Convert input: input.to({dtype}), or "
                f"convert model: model.to({input.dtype})"
            )
        expected_dim = 3 if batch_sizes is None else 2
        if input.dim() != expected_dim:
            raise RuntimeError(f"input must have {expected_dim} dimensions, got {input.dim()}")
        if self.input_size != input.size(-1):
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(-1)}"
            )

    def get_expected_hidden_size(self, input: Tensor, batch_sizes: Tensor | None) -> tuple[int, int, int]:
        """Return the shape of the hidden states for `input`: (layers · directions, batch, hidden_size or proj_size)."""
        return self._state_size(input, self.proj_size or self.hidden_size, batch_sizes)

    def _state_size(self, input: Tensor, size: int, batch_sizes: Tensor | None = None) -> tuple[int, int, int]:
        if batch_sizes is not None:
            batch = int(batch_sizes[0])
        else:
            batch = input.size(0) if self.batch_first else input.size(1)
        return self.num_layers * (2 if self.bidirectional else 1), batch, size

    def check_hidden_size(
        self, hx: Tensor, expected_hidden_size: tuple[int, int, int], msg: str = "Expected hidden size {}, got {}"
    ) -> None:
        """Check the shape of the states `hx`.

        Raises:
            RuntimeError: the shape is not `expected_hidden_size`. The message is `msg`, formatted with both shapes.
        """
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def _run(self, input: Tensor, states: Any, batch_sizes: Tensor | None = None) -> tuple[Tensor, ...]:
        return recurrent(
            self.mode, input, states, self._complete_weights(), self.num_layers, self.dropout, self.training,
            self.bidirectional, self.batch_first, None if batch_sizes is None else batch_sizes.tolist(),
        )  # fmt: skip

    def permute_hidden(self, hx: Any, permutation: Tensor | None) -> Any:
        """Return the states (a tensor or a tuple) with the batch dimension reordered by `permutation`, unchanged if that is None."""
        if permutation is None:
            return hx
        if isinstance(hx, tuple):
            return tuple([state.index_select(1, permutation) for state in hx])
        return hx.index_select(1, permutation)

    def _run_packed(self, sequence: PackedSequence, hx: Any) -> tuple[PackedSequence, tuple[Tensor, ...]]:
        """Return the packed outputs, and the final states in the order that the sequences had before packing."""
        data, batch_sizes, order, inverse = sequence
        states = self._zeros(data, batch_sizes) if hx is None else self.permute_hidden(hx, order)
        self._check(data, states, batch_sizes)
        output, *lasts = self._run(data, states, batch_sizes)
        return PackedSequence(output, batch_sizes, order, inverse), self.permute_hidden(tuple(lasts), inverse)

    def _check(self, input: Tensor, states: tuple[Tensor, ...], batch_sizes: Tensor | None = None) -> None:
        """Check the sizes of the input and of each state."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(states[0], self.get_expected_hidden_size(input, batch_sizes))

    def _zeros(self, input: Tensor, batch_sizes: Tensor | None = None) -> tuple[Tensor, ...]:
        """Return a tuple of initial states, which are zeros, for a call without `hx`."""
        size = self.get_expected_hidden_size(input, batch_sizes)
        return (zeros(size, dtype=input.dtype, device=input.device),)

    def _check_dim(self, input: Tensor) -> None:
        if input.dim() not in (2, 3):
            name = type(self).__name__
            tail = "D tensor instead" if name == "RNN" else "D instead"
            raise ValueError(f"{name}: Expected input to be 2D or 3D, got {input.dim()}{tail}")

    def forward(self, input: Any, hx: Tensor | None = None) -> tuple[Any, Any]:
        """Return the outputs of the last layer, and the final hidden states, (layers · directions, batch, hidden_size).

        For a single sequence, the states have no batch dimension; for a PackedSequence, the outputs are one too. Without `hx`, the initial
        hidden states are zeros. See `ops.recurrent.recurrent`.

        Raises:
            ValueError, RuntimeError: dtype, dimensions or sizes of `input` or `hx` are wrong.
        """
        if isinstance(input, PackedSequence):
            packed, lasts = self._run_packed(input, None if hx is None else (hx,))
            return packed, lasts[0]
        self._check_dim(input)
        is_batched, batch_dim = input.dim() == 3, 0 if self.batch_first else 1
        if hx is not None and hx.dim() != input.dim():
            kind = "batched 3-D" if is_batched else "unbatched 2-D"
            raise RuntimeError(f"For {kind} input, hx should also be {input.dim()}-D but got {hx.dim()}-D tensor")
        if not is_batched:
            input, hx = input.unsqueeze(batch_dim), None if hx is None else hx.unsqueeze(1)
        states = self._zeros(input) if hx is None else (hx,)
        self._check(input, states)
        output, hidden = self._run(input, states)
        return (output, hidden) if is_batched else (output.squeeze(batch_dim), hidden.squeeze(1))

    def extra_repr(self) -> str:
        """Return the options as text, for `repr`."""
        parts = [f"{self.input_size}, {self.hidden_size}"]
        for name, default in (
            ("proj_size", 0), ("num_layers", 1), ("bias", True), ("batch_first", False), ("dropout", 0),
            ("bidirectional", False),
        ):  # fmt: skip
            if getattr(self, name) != default:
                parts.append(f"{name}={getattr(self, name)}")
        return ", ".join(parts)


_NO_PROJECTION = "proj_size argument is only supported for LSTM, not RNN or GRU"


class RNN(RNNBase):
    """Layers that compute h = f(w_ih · x + b_ih + w_hh · h + b_hh) for each step of a sequence.

    f is tanh or, with nonlinearity="relu", relu. For shapes and other options see `RNNBase`.

    Raises:
        ValueError: `nonlinearity` has another value, or `proj_size` is passed, which only LSTM has.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError(_NO_PROJECTION)
        if len(args) > 3:
            self.nonlinearity = args[3]
            args = args[:3] + args[4:]
        else:
            self.nonlinearity = kwargs.pop("nonlinearity", "tanh")
        modes = {"tanh": "RNN_TANH", "relu": "RNN_RELU"}
        if self.nonlinearity not in modes:
            raise ValueError(f"Unknown nonlinearity '{self.nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(modes[self.nonlinearity], *args, **kwargs)


class GRU(RNNBase):
    """Layers of gated recurrent units (GRU), computed for each step of a sequence. For shapes and options see `RNNBase`.

    Raises:
        ValueError: `proj_size` is passed, which only LSTM has.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError(_NO_PROJECTION)
        super().__init__("GRU", *args, **kwargs)


class LSTM(RNNBase):
    """Layers of long short-term memory (LSTM), computed for each step of a sequence. The states are a tuple (hidden, cell).

    For shapes and options see `RNNBase`.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def get_expected_cell_size(self, input: Tensor, batch_sizes: Tensor | None) -> tuple[int, int, int]:
        """Return the shape of the cell states for `input`: (layers · directions, batch, hidden_size)."""
        return self._state_size(input, self.hidden_size, batch_sizes)

    def _check(self, input: Tensor, states: tuple[Tensor, ...], batch_sizes: Tensor | None = None) -> None:
        self.check_input(input, batch_sizes)
        sizes = self.get_expected_hidden_size(input, batch_sizes), self.get_expected_cell_size(input, batch_sizes)
        for number, (state, size) in enumerate(zip(states, sizes, strict=True)):
            self.check_hidden_size(state, size, f"Expected hidden[{number}] size {{}}, got {{}}")

    def _zeros(self, input: Tensor, batch_sizes: Tensor | None = None) -> tuple[Tensor, ...]:
        size = self.get_expected_cell_size(input, batch_sizes)
        return *super()._zeros(input, batch_sizes), zeros(size, dtype=input.dtype, device=input.device)

    def forward(self, input: Any, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Any, Any]:  # type: ignore[override]
        """Return the outputs of the last layer, and a tuple of the final hidden and cell states of each layer and direction.

        `hx` is a tuple of the initial hidden and cell states. If it is None, they are zeros.

        Raises:
            ValueError, RuntimeError: dtype, dimensions or sizes of `input` or of a state are wrong.
        """
        if isinstance(input, PackedSequence):
            return self._run_packed(input, hx)
        self._check_dim(input)
        is_batched, batch_dim = input.dim() == 3, 0 if self.batch_first else 1
        input = input if is_batched else input.unsqueeze(batch_dim)
        states: Any = self._zeros(input) if hx is None else hx
        if hx is not None:
            n = 3 if is_batched else 2
            if hx[0].dim() != n or hx[1].dim() != n:
                kind = "batched 3-D" if is_batched else "unbatched 2-D"
                raise RuntimeError(
                    f"For {kind} input, hx and cx should also be {n}-D but got ({hx[0].dim()}-D, {hx[1].dim()}-D) tensors"
                )
            states = hx if is_batched else (hx[0].unsqueeze(1), hx[1].unsqueeze(1))
        self._check(input, states)
        output, hidden, cell = self._run(input, states)
        if not is_batched:
            return output.squeeze(batch_dim), (hidden.squeeze(1), cell.squeeze(1))
        return output, (hidden, cell)


class RNNCellBase(Module):
    """Base of cells, which compute one step: (batch, input_size) -> (batch, hidden_size), or (input_size,) -> (hidden_size,).

    The weights start as uniform random numbers in ±1/√hidden_size.
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool, num_chunks: int, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        options = {"device": device, "dtype": dtype}
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        self.weight_ih = Parameter(empty((num_chunks * hidden_size, input_size), **options))
        self.weight_hh = Parameter(empty((num_chunks * hidden_size, hidden_size), **options))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, Parameter(empty(num_chunks * hidden_size, **options)) if bias else None)
        self.reset_parameters()  # type: ignore[misc]

    def extra_repr(self) -> str:
        """Return the options as text, for `repr`."""
        text = f"{self.input_size}, {self.hidden_size}" + ("" if self.bias is True else f", bias={self.bias}")
        other = vars(self).get("nonlinearity", "tanh")
        return text if other == "tanh" else f"{text}, nonlinearity={other}"

    reset_parameters = RNNBase.reset_parameters

    def _weights(self) -> tuple[Any, ...]:
        return self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh

    def _check_dim(self, value: Tensor, name: str) -> None:
        if value.dim() not in (1, 2):
            raise ValueError(f"{type(self).__name__}: Expected {name} to be 1D or 2D, got {value.dim()}D instead")

    def _add_batch_dim(self, input: Tensor, hx: Tensor | None) -> tuple[Tensor, Tensor]:
        """Return `input` and the state `hx` with a batch dimension. If `hx` is None, the state is zeros.

        Raises:
            ValueError: `input` or `hx` does not have one or two dimensions.
        """
        self._check_dim(input, "input")
        if hx is not None:
            self._check_dim(hx, "hidden")
        is_batched = input.dim() == 2
        input = input if is_batched else input.unsqueeze(0)
        if hx is None:
            return input, zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)
        return input, hx if is_batched else hx.unsqueeze(0)


class RNNCell(RNNCellBase):
    """One step of an RNN: tanh(w_ih · x + b_ih + w_hh · h + b_hh). With nonlinearity="relu", relu replaces tanh."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh", device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """Return the hidden state after a step. `hx` is the hidden state before it, by default zeros.

        Raises:
            ValueError: `input` or `hx` does not have one or two dimensions.
            RuntimeError: sizes don't match, or `nonlinearity` is unknown.
        """
        x, h = self._add_batch_dim(input, hx)
        cells = {"tanh": rnn_tanh_cell, "relu": rnn_relu_cell}
        if self.nonlinearity not in cells:
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        state = cells[self.nonlinearity](x, h, *self._weights())
        return state if input.dim() == 2 else state.squeeze(0)


class GRUCell(RNNCellBase):
    """One step of a GRU. For shapes see `RNNCellBase`."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """Return the hidden state after a step. `hx` is the hidden state before it, by default zeros.

        Raises:
            ValueError: `input` or `hx` does not have one or two dimensions.
            RuntimeError: sizes don't match.
        """
        x, h = self._add_batch_dim(input, hx)
        state = gru_cell(x, h, *self._weights())
        return state if input.dim() == 2 else state.squeeze(0)


class LSTMCell(RNNCellBase):
    """One step of an LSTM. The states are a tuple (hidden, cell)."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        """Return the hidden state and the cell state after a step. `hx` has both states before the step, by default zeros.

        Raises:
            ValueError: `input` or a state does not have one or two dimensions.
            RuntimeError: sizes don't match.
        """
        self._check_dim(input, "input")
        for index, state in enumerate(() if hx is None else hx):
            self._check_dim(state, f"hx[{index}]")
        x, h = self._add_batch_dim(input, None if hx is None else hx[0])
        _, c = self._add_batch_dim(input, None if hx is None else hx[1])
        hidden, cell = lstm_cell(x, (h, c), *self._weights())
        return (hidden, cell) if input.dim() == 2 else (hidden.squeeze(0), cell.squeeze(0))

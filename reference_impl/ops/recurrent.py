"""Recurrent networks: the steps of RNN, LSTM and GRU, and layers that apply a step to each element of a sequence.

A step computes the next state from the previous state, the weights, and the products of the input and its weights. These products, the
parameter `gates` of the step functions, are computed for all steps of a sequence together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from reference_impl.core.tensor import Tensor
from reference_impl.ops.dropout import dropout
from reference_impl.ops.joining import cat, stack
from reference_impl.ops.linear import linear
from reference_impl.ops.registry import op

State = tuple[Tensor, ...]
"""The state of a layer: (hidden,) or, for an LSTM, (hidden, cell). Each is a tensor of shape (batch, size)."""

Weights = Sequence[Any]
"""(weight of the input, weight of the state, bias of the input, bias of the state, projection of an LSTM); None for an absent tensor."""


def _hidden_gates(state: State, weights: Weights) -> Tensor:
    return linear(state[0], weights[1], weights[3])


def _tanh_step(gates: Tensor, state: State, weights: Weights) -> State:
    """Return the state h' = tanh(gates + w · h), for the previous state h and the weight and bias of the state."""
    return ((_hidden_gates(state, weights) + gates).tanh(),)


def _relu_step(gates: Tensor, state: State, weights: Weights) -> State:
    """Return the state h' = relu(gates + w · h), for the previous state h and the weight and bias of the state."""
    return ((_hidden_gates(state, weights) + gates).relu(),)


def _lstm_step(gates: Tensor, state: State, weights: Weights) -> State:
    """Return the hidden and the cell state, h' = sigmoid(o) · tanh(c')  and  c' = sigmoid(f) · c + sigmoid(i) · tanh(g).

    c is the previous cell state; i, f, g and o are the four parts of `gates` plus the product of the previous hidden state and its
    weight. If there is a projection, h' is multiplied by it.
    """
    i, f, g, o = (_hidden_gates(state, weights) + gates).chunk(4, 1)
    cell = f.sigmoid() * state[1] + i.sigmoid() * g.tanh()
    hidden = o.sigmoid() * cell.tanh()
    return (hidden if weights[4] is None else linear(hidden, weights[4])), cell


def _gru_step(gates: Tensor, state: State, weights: Weights) -> State:
    """Return the state h' = n' + sigmoid(z + z_h) · (h - n'),  n' = tanh(n + sigmoid(r + r_h) · n_h).

    h is the previous state; r, z and n are the three parts of `gates`; r_h, z_h and n_h are those of the product of h and its weight.
    """
    (r, z, n), (r_h, z_h, n_h) = gates.chunk(3, 1), _hidden_gates(state, weights).chunk(3, 1)
    new = (n + n_h * (r_h + r).sigmoid()).tanh()
    return ((state[0] - new) * (z_h + z).sigmoid() + new,)


STEPS: dict[str, Callable[[Tensor, State, Weights], State]] = {
    "RNN_TANH": _tanh_step,
    "RNN_RELU": _relu_step,
    "LSTM": _lstm_step,
    "GRU": _gru_step,
}


def recurrent(
    mode: str, input: Tensor, states: State, weights: Sequence[Weights], num_layers: int, dropout_p: float, train: bool,
    bidirectional: bool, batch_first: bool, batch_sizes: Sequence[int] | None = None,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Return the outputs of the last layer, (steps, batch, directions · size), followed by the final states of all layers.

    Each state is a tensor of shape (layers · directions, batch, size).

    Args:
        mode: a key of STEPS.
        input: the sequences, (steps, batch, input size).
        states: the initial states, in the shape of the final states.
        weights: the Weights of each layer and direction.
        dropout_p, train: in training, the probability of dropout between layers.
        batch_first: input and output are (batch, steps, size).
        batch_sizes: the number of sequences at each step, if input and output are packed: (sum of `batch_sizes`, size).

    Raises:
        RuntimeError: the sequence has no steps.
    """
    x = input.transpose(0, 1) if batch_first and batch_sizes is None else input
    if not x.shape[0]:
        raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
    directions = 2 if bidirectional else 1
    firsts = list(zip(*[s.unbind(0) for s in states], strict=True))
    lasts: list[State] = []
    for layer in range(num_layers):
        outputs = []
        for number in range(layer * directions, (layer + 1) * directions):
            arguments = STEPS[mode], x, firsts[number], weights[number], number % directions == 1
            if batch_sizes is None:
                output, last = _over_sequence(*arguments)
            else:
                output, last = _over_packed(*arguments, batch_sizes)
            outputs.append(output)
            lasts.append(last)
        x = cat(outputs, -1) if bidirectional else outputs[0]
        if dropout_p and train and layer < num_layers - 1:
            x = dropout(x, dropout_p)
    if batch_first and batch_sizes is None:
        x = x.transpose(0, 1) if mode == "LSTM" else x.transpose_(0, 1)  # the same node as in torch
    return (x, *[stack(parts, 0) for parts in zip(*lasts, strict=True)])


def _over_sequence(step: Any, x: Tensor, state: State, weights: Weights, reverse: bool) -> tuple[Tensor, State]:
    """Return the hidden states of all steps, stacked, and the final state. With `reverse`, go from the last step of `x` to the first."""
    gates = list(linear(x, weights[0], weights[2]).unbind(0))
    outputs = []
    for gate in reversed(gates) if reverse else gates:
        state = step(gate, state, weights)
        outputs.append(state[0])
    return stack(outputs[::-1] if reverse else outputs, 0), state


def _over_packed(
    step: Any, x: Tensor, state: State, weights: Weights, reverse: bool, batch_sizes: Sequence[int]
) -> tuple[Tensor, State]:
    """Return the hidden states of all steps, packed in the same way as `x`, and the final state of each sequence.

    The sequences are sorted, the longest first, so the batch shrinks from step to step. The state of a sequence that ends is stored. With
    `reverse`, the steps run backwards and the batch grows: a sequence that begins takes its row of the initial `state`.
    """
    gates = linear(x, weights[0], weights[2]).split(list(batch_sizes))
    outputs: list[Tensor] = []
    if reverse:
        first, state = state, tuple([part[: batch_sizes[-1]] for part in state])
        for gate in reversed(gates):
            before, size = state[0].size(0), gate.size(0)
            if size > before:
                state = tuple([cat([s, f[before:size]]) for s, f in zip(state, first, strict=True)])
            state = step(gate, state, weights)
            outputs.append(state[0])
        return cat(outputs[::-1]), state
    ended: list[State] = []
    for gate in gates:
        before, size = state[0].size(0), gate.size(0)
        if size < before:
            ended.append(tuple([part[size:before] for part in state]))
            state = tuple([part[:size] for part in state])
        state = step(gate, state, weights)
        outputs.append(state[0])
    return cat(outputs), tuple([cat(parts) for parts in zip(state, *ended[::-1], strict=True)])


def _one_step(mode: str, input: Tensor, states: State, weights: Weights) -> State:
    """Check the sizes, and return the states after one step of the cell `mode`, a key of STEPS.

    Raises:
        RuntimeError: a size of `input` or of a state does not match the weights, or their batch sizes differ.
    """
    size, hidden_size = weights[0].size(1), weights[1].size(1)
    if input.size(1) != size:
        raise RuntimeError(f"input has inconsistent input_size: got {input.size(1)} expected {size}")
    for number, state in enumerate(states):
        if input.size(0) != state.size(0):
            sizes = f"{input.size(0)} doesn't match hidden{number} batch size {state.size(0)}"
            raise RuntimeError(f"Input batch size {sizes}")
        if state.size(1) != hidden_size:
            sizes = f"got {state.size(1)}, expected {hidden_size}"
            raise RuntimeError(f"hidden{number} has inconsistent hidden_size: {sizes}")
    return STEPS[mode](linear(input, weights[0], weights[2]), states, weights)


@op("function")
def rnn_tanh_cell(
    input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
) -> Tensor:
    """Return tanh(w_ih · input + b_ih + w_hh · hx + b_hh). `input` is (batch, input size), `hx` and the result (batch, size).

    Raises:
        RuntimeError: sizes don't fit.
    """
    return _one_step("RNN_TANH", input, (hx,), (w_ih, w_hh, b_ih, b_hh))[0]


@op("function")
def rnn_relu_cell(
    input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
) -> Tensor:
    """Return relu(w_ih · input + b_ih + w_hh · hx + b_hh). `input` is (batch, input size), `hx` and the result (batch, size).

    Raises:
        RuntimeError: sizes don't fit.
    """
    return _one_step("RNN_RELU", input, (hx,), (w_ih, w_hh, b_ih, b_hh))[0]


@op("function")
def lstm_cell(
    input: Tensor, hx: Any, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
) -> tuple[Tensor, ...]:
    """Return the hidden and the cell state after a step of an LSTM. `hx` are the hidden and the cell state before it.

    `input` is (batch, input size), each state (batch, size).

    Raises:
        RuntimeError: sizes don't fit.
    """
    return _one_step("LSTM", input, tuple(hx), (w_ih, w_hh, b_ih, b_hh, None))


@op("function")
def gru_cell(
    input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
) -> Tensor:
    """Return the hidden state after a step of a GRU. `hx` is the hidden state before it.

    `input` is (batch, input size), each state (batch, size).

    Raises:
        RuntimeError: sizes don't fit.
    """
    return _one_step("GRU", input, (hx,), (w_ih, w_hh, b_ih, b_hh))[0]

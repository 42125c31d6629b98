"""Recurrent networks: the plain one, LSTM and GRU, as steps made of differentiable operations.

A network is layers of one or two directions; a direction is a loop over the steps. The products with the input are made for all
steps at once, those with the hidden state step by step. See ATen/native/RNN.cpp, whose operations and order these are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record_many
from reference_impl.ops.activation import relu, sigmoid
from reference_impl.ops.dropout import dropout as drop
from reference_impl.ops.elementwise import tanh
from reference_impl.ops.joining import cat, stack
from reference_impl.ops.linear import linear
from reference_impl.ops.lstm_layer import lstm_layer

State = tuple[Tensor, ...]
"""(h,), or (h, c) for an LSTM."""


class Weights(NamedTuple):
    """Those of one layer and direction."""

    ih: Tensor
    hh: Tensor
    bias_ih: Tensor | None
    bias_hh: Tensor | None
    hr: Tensor | None


Step = Callable[[Tensor, State, Weights], State]
"""From the input's product with the weight, and the state, to the next state."""


class UnsafeSplitBackward0(Node):
    """Pieces of one size that count as tensors of their own: their gradients are put together again."""

    split_size: int
    dim: int

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        shapes = self.output_metadata[::2]
        known = next(g for g in grads if g is not None)
        parts = [
            Tensor._wrap(np.zeros_like(known._array, shape=s)) if g is None else g
            for g, s in zip(grads, shapes, strict=True)
        ]
        return (cat(parts, self.dim),)


def _unsafe_chunk(input: Tensor, chunks: int) -> tuple[Tensor, ...]:
    """`chunk` over dimension 1, without views."""
    size = input._array.shape[1] // chunks
    parts = [input._array[:, n * size : (n + 1) * size] for n in range(chunks)]
    return record_many(UnsafeSplitBackward0, parts, (input,), split_size=size, dim=1)


# -- steps


def tanh_step(gates: Tensor, state: State, weights: Weights) -> State:
    """h' = tanh(x w_ihᵀ + b_ih + h w_hhᵀ + b_hh)."""
    return (tanh(linear(state[0], weights.hh, weights.bias_hh) + gates),)


def relu_step(gates: Tensor, state: State, weights: Weights) -> State:
    """As `tanh_step` with relu."""
    return (relu(linear(state[0], weights.hh, weights.bias_hh) + gates),)


def lstm_step(gates: Tensor, state: State, weights: Weights) -> State:
    """c' = σ(f) c + σ(i) tanh(g),  h' = σ(o) tanh(c'), projected by `weights.hr` if there is one."""
    h, c = state
    i, f, g, o = _unsafe_chunk(linear(h, weights.hh, weights.bias_hh) + gates, 4)
    i, f, g, o = sigmoid(i), sigmoid(f), tanh(g), sigmoid(o)
    c = f * c + i * g
    h = o * tanh(c)
    return (h if weights.hr is None else h.matmul(weights.hr.t())), c


def gru_step(gates: Tensor, state: State, weights: Weights) -> State:
    """r = σ(xr + hr),  z = σ(xz + hz),  n = tanh(xn + hn · r),  h' = (h - n) z + n."""
    h = state[0]
    from_x = _unsafe_chunk(gates, 3)
    from_h = _unsafe_chunk(linear(h, weights.hh, weights.bias_hh), 3)
    r = sigmoid(from_h[0] + from_x[0])
    z = sigmoid(from_h[1] + from_x[1])
    n = tanh(from_x[2] + from_h[2] * r)
    return ((h - n) * z + n,)


# -- layers


def _layer(step: Step, input: Tensor, state: State, weights: Weights, reverse: bool) -> tuple[Tensor, State]:
    """(t, b, i) -> (t, b, h)."""
    if step is lstm_step and _as_one_operation(input, weights):
        zeros = Tensor._wrap(np.zeros_like(weights.ih._array, shape=weights.ih._array.shape[:1]))
        biases = (weights.bias_ih or zeros, weights.bias_hh or zeros) if weights.bias_ih is None else weights[2:4]
        return lstm_layer(input, (weights.ih, weights.hh, *biases), *state, reverse)  # type: ignore[misc, arg-type, call-arg]
    steps = linear(input, weights.ih, weights.bias_ih).unbind(0)
    outputs = []
    for gates in reversed(steps) if reverse else steps:
        state = step(gates, state, weights)
        outputs.append(state[0])
    return stack(outputs[::-1] if reverse else outputs, 0), state


def _as_one_operation(input: Tensor, weights: Weights) -> bool:
    return input._array.dtype == np.float32 and input._array.size > 0 and weights.hr is None


def _packed_layer(
    step: Step, input: Tensor, state: State, weights: Weights, reverse: bool, batch_sizes: list[int]
) -> tuple[Tensor, State]:
    """As `_layer` for sequences of several lengths, the longest first: the rows of all first steps, of all second, ...

    Going forward, sequences end: their states are put aside. Going backward, they begin.
    """
    gates = linear(input, weights.ih, weights.bias_ih)
    starts = [sum(batch_sizes[:t]) for t in range(len(batch_sizes))]
    order = range(len(batch_sizes) - 1, -1, -1) if reverse else range(len(batch_sizes))
    first, outputs, ended = state, [], []
    now = tuple([s.narrow(0, 0, batch_sizes[-1 if reverse else 0]) for s in state])
    for t in order:
        size, have = batch_sizes[t], now[0].shape[0]
        if size < have:
            ended.append(tuple([s.narrow(0, size, have - size) for s in now]))
            now = tuple([s.narrow(0, 0, size) for s in now])
        elif size > have:
            now = tuple([cat([s, f.narrow(0, have, size - have)], 0) for s, f in zip(now, first, strict=True)])
        now = step(gates.narrow(0, starts[t], size), now, weights)
        outputs.append(now[0])
    ended.append(now)
    last = tuple([cat(list(parts), 0) for parts in zip(*ended[::-1], strict=True)])
    return cat(outputs[::-1] if reverse else outputs, 0), last


def _in_groups(params: Sequence[Tensor], has_biases: bool, projected: bool) -> list[Weights]:
    """The flat list of weights by layer and direction."""
    count = 2 + 2 * has_biases + projected
    groups = [list(params[n : n + count]) for n in range(0, len(params), count)]
    return [
        Weights(g[0], g[1], g[2] if has_biases else None, g[3] if has_biases else None, g[-1] if projected else None)
        for g in groups
    ]


def network(
    step: Step, input: Tensor, state: State, params: Sequence[Tensor], has_biases: bool, num_layers: int, dropout: float,
    train: bool, bidirectional: bool, batch_first: bool = False, batch_sizes: list[int] | None = None, projected: bool = False,
) -> tuple[Tensor, State]:  # fmt: skip
    """All layers. The states are (layers · directions, b, h).

    Args:
        batch_sizes: how many sequences have each step, where they are packed; then there is no `batch_first`.

    Returns:
        The outputs of the last layer for all steps, and the last states of all layers.
    """
    if batch_first:
        input = input.transpose(0, 1)
    directions = 2 if bidirectional else 1
    groups = _in_groups(params, has_biases, projected)
    firsts = list(zip(*[s.unbind(0) for s in state], strict=True))
    lasts: list[State] = []
    for layer in range(num_layers):
        outputs = []
        for direction in range(directions):
            number = layer * directions + direction
            if batch_sizes is None:
                out, last = _layer(step, input, firsts[number], groups[number], direction == 1)
            else:
                out, last = _packed_layer(step, input, firsts[number], groups[number], direction == 1, batch_sizes)
            outputs.append(out)
            lasts.append(last)
        input = cat(outputs, -1) if bidirectional else outputs[0]
        if dropout != 0 and train and layer < num_layers - 1:
            input = drop(input, dropout, True)
    if batch_first:  # in place, except for an LSTM
        input = input.transpose(0, 1) if step is lstm_step else input.transpose_(0, 1)
    return input, tuple([stack(list(states), 0) for states in zip(*lasts, strict=True)])


STEPS = {"RNN_TANH": tanh_step, "RNN_RELU": relu_step, "LSTM": lstm_step, "GRU": gru_step}


# -- single cells


def cell(
    step: Step,
    input: Tensor,
    state: State,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> State:
    """One step of one layer: (b, i) and (b, h) -> (b, h)."""
    weights = Weights(w_ih, w_hh, b_ih, b_hh, None)
    return step(linear(input, w_ih, b_ih), state, weights)

"""One layer of an LSTM as a single operation: all steps forward, and all of them back.

torch computes float32 LSTMs on the CPU so (with oneDNN), hence the name of the node. With σ the logistic function and, at each
step, (i, f, g, o) the four parts of  x · w_ihᵀ + b_ih + h · w_hhᵀ + b_hh :

    c' = σ(f) · c + σ(i) · tanh(g),    h' = σ(o) · tanh(c')
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record_many
from reference_impl.ops.not_implemented import NotImplementedBackward


class MkldnnRnnLayerBackward0(Node):
    """Back through time: see `_backward`."""

    saved_names = ("input", "weight0", "weight1", "weight2", "weight3", "hx_", "cx_")
    reverse: bool
    _states: tuple[Any, ...]

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        if all(g is None for g in grads):
            return (None,) * 7
        inputs = [self.unpack(i) for i in range(7)]
        given = [None if g is None else g._array for g in grads]
        arrays = _backward(given, [t._array for t in inputs], self._states, self.reverse)
        wanted = [a if node is not None else None for a, node in zip(arrays, self.next_nodes, strict=True)]
        made = [a for a in wanted if a is not None]
        sources = [*inputs, *[g for g in grads if g is not None]]
        outs = iter(record_many(NotImplementedBackward, made, sources, operation="mkldnn_rnn_layer_backward"))
        return tuple([None if a is None else next(outs) for a in wanted])


def lstm_layer(
    input: Tensor, weights: tuple[Tensor, ...], hx: Tensor, cx: Tensor, reverse: bool
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """(t, b, i) and the states (b, h) -> all outputs (t, b, h) and the last states.

    Args:
        weights: w_ih (4 h, i), w_hh (4 h, h) and the two biases (4 h).
        reverse: from the last step to the first.
    """
    inputs = (input, *weights, hx, cx)
    outputs, states = _forward([t._array for t in inputs], reverse)
    output, h, c = record_many(
        MkldnnRnnLayerBackward0, (outputs, *states[:2]), inputs, inputs, reverse=reverse, _states=states[2:]
    )
    return output, (h, c)


def _sigmoid(x: Any) -> None:
    """In place."""
    np.negative(x, out=x)
    np.exp(x, out=x)
    x += 1
    np.divide(1, x, out=x)


def _forward(arrays: list[Any], reverse: bool) -> tuple[Any, tuple[Any, ...]]:
    """The outputs, and (last h, last c, gates after their functions, all c, all h); the latter two with the first state."""
    x, w_ih, w_hh, b_ih, b_hh, h, c = arrays
    steps, batch, size = x.shape[0], x.shape[1], w_hh.shape[1]
    x = x[::-1] if reverse else x
    gates = np.matmul(x.reshape(steps * batch, -1), w_ih.T).reshape(steps, batch, 4 * size)
    gates += b_ih + b_hh
    all_c = np.empty_like(x, shape=(steps + 1, batch, size), order="C")
    all_h = np.empty_like(all_c)
    all_c[0], all_h[0] = c, h
    recurrent = w_hh.T
    for t in range(steps):
        now = gates[t]
        now += np.matmul(all_h[t], recurrent)
        _sigmoid(now[:, : 2 * size])
        _sigmoid(now[:, 3 * size :])
        i, f, g, o = (now[:, n * size : (n + 1) * size] for n in range(4))
        np.tanh(g, out=g)
        np.multiply(f, all_c[t], out=all_c[t + 1])
        all_c[t + 1] += i * g
        np.multiply(o, np.tanh(all_c[t + 1]), out=all_h[t + 1])
    outputs = all_h[1:][::-1].copy() if reverse else all_h[1:].copy()
    return outputs, (all_h[-1].copy(), all_c[-1].copy(), gates, all_c, all_h)


def _backward(grads: list[Any], arrays: list[Any], states: tuple[Any, ...], reverse: bool) -> tuple[Any, ...]:
    """The gradients of input, weights, biases, h and c. Per step, with dh and dc what arrives from the step after:

    do = dh · tanh(c') · o (1 - o),  dc += dh · o · (1 - tanh²(c'))
    di = dc · g · i (1 - i),  df = dc · c · f (1 - f),  dg = dc · i · (1 - g²)
    """
    x, w_ih, w_hh = arrays[:3]
    gates, all_c, all_h = states
    steps, batch, size = gates.shape[0], gates.shape[1], w_hh.shape[1]
    x = x[::-1] if reverse else x
    to_outputs = np.zeros_like(all_c[1:]) if grads[0] is None else grads[0][::-1] if reverse else grads[0]
    dh = np.zeros_like(all_h[0]) if grads[1] is None else grads[1].copy()
    dc = np.zeros_like(all_c[0]) if grads[2] is None else grads[2].copy()
    d_gates = np.empty_like(gates)
    for t in range(steps - 1, -1, -1):
        i, f, g, o = (gates[t][:, n * size : (n + 1) * size] for n in range(4))
        di, df, dg, do = (d_gates[t][:, n * size : (n + 1) * size] for n in range(4))
        dh = dh + to_outputs[t]
        bent = np.tanh(all_c[t + 1])
        np.multiply(dh * bent, o * (1 - o), out=do)
        dc = dc + dh * o * (1 - bent * bent)
        np.multiply(dc * g, i * (1 - i), out=di)
        np.multiply(dc * all_c[t], f * (1 - f), out=df)
        np.multiply(dc * i, 1 - g * g, out=dg)
        dc = dc * f
        dh = np.matmul(d_gates[t], w_hh)
    flat = d_gates.reshape(steps * batch, 4 * size)
    dx = np.matmul(flat, w_ih).reshape(steps, batch, -1)
    d_bias = np.sum(flat, axis=0)
    return (
        dx[::-1].copy() if reverse else dx,
        np.matmul(flat.T, x.reshape(steps * batch, -1)),
        np.matmul(flat.T, all_h[:-1].reshape(steps * batch, size)),
        d_bias,
        d_bias.copy(),
        dh,
        dc,
    )

"""Recurrent networks and cells as functions of C++: `torch.lstm`, `torch.lstm_cell` and their like. See ATen/native/RNN.cpp.

A network takes an input of one length, (t, b, i) or (b, t, i), or packed rows with the number of rows of each step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.ops import recurrent
from reference_impl.ops.registry import builtin


def _run(mode: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Tensor, recurrent.State]:
    """The network of (data, batch_sizes, hx, ...) or (input, hx, ..., batch_first).

    Raises:
        TypeError: other arguments, which the registry puts into words.
        RuntimeError: too few states or weights.
    """
    first = {"data", "batch_sizes"} & kwargs.keys()
    packed = bool(first) or (len(args) > 3 and isinstance(args[1], Tensor) and isinstance(args[3], (tuple, list)))
    names = ("data", "batch_sizes") if packed else ("input",)
    names = (*names, "hx", "params", "has_biases", "num_layers", "dropout", "train", "bidirectional")
    names = names if packed else (*names, "batch_first")
    given = dict(zip(names, args, strict=False)) | kwargs
    if len(args) > len(names) or set(given) != set(names) or not _is_state(mode, given["hx"]):
        raise TypeError
    state = tuple(given["hx"]) if mode == "LSTM" else (given["hx"],)
    if mode == "LSTM" and len(state) != 2:
        raise RuntimeError("lstm expects two hidden states")
    layers = given["num_layers"] * (2 if given["bidirectional"] else 1)
    params: Sequence[Tensor] = given["params"]
    each = 4 if given["has_biases"] else 2
    projected = mode == "LSTM" and state[0].shape[2] != state[1].shape[2]
    if len(params) % (each + projected):
        raise RuntimeError("got an incorrect number of RNN parameters")
    if state[0].shape[0] < layers or len(params) < layers * (each + projected):
        raise RuntimeError("Expected more hidden states in stacked_rnn")
    return recurrent.network(
        recurrent.STEPS[mode], given["data" if packed else "input"], state, params, given["has_biases"],
        given["num_layers"], given["dropout"], given["train"], given["bidirectional"], given.get("batch_first", False),
        given["batch_sizes"].tolist() if packed else None, projected,
    )  # fmt: skip


def _is_state(mode: str, value: Any) -> bool:
    return isinstance(value, (tuple, list)) if mode == "LSTM" else isinstance(value, Tensor)


@builtin
def rnn_tanh(*args: Any, **kwargs: Any) -> tuple[Tensor, ...]:
    """What `nn.RNN` computes: (outputs, last states)."""
    output, (h,) = _run("RNN_TANH", args, kwargs)
    return output, h


@builtin
def rnn_relu(*args: Any, **kwargs: Any) -> tuple[Tensor, ...]:
    """What `nn.RNN` computes with relu: (outputs, last states)."""
    output, (h,) = _run("RNN_RELU", args, kwargs)
    return output, h


@builtin
def gru(*args: Any, **kwargs: Any) -> tuple[Tensor, ...]:
    """What `nn.GRU` computes: (outputs, last states)."""
    output, (h,) = _run("GRU", args, kwargs)
    return output, h


@builtin
def lstm(*args: Any, **kwargs: Any) -> tuple[Tensor, ...]:
    """What `nn.LSTM` computes: (outputs, last h, last c)."""
    output, (h, c) = _run("LSTM", args, kwargs)
    return output, h, c


# -- cells


def _cell(
    step: recurrent.Step, input: Tensor, state: recurrent.State, w_ih: Tensor, w_hh: Tensor, b_ih: Any, b_hh: Any
) -> recurrent.State:
    """Raises:
    RuntimeError: sizes that don't fit each other."""
    size = w_ih.shape[1]
    if input.shape[1] != size:
        raise RuntimeError(f"input has inconsistent input_size: got {input.shape[1]} expected {size}")
    for number, s in enumerate(state):
        if s.shape[0] != input.shape[0]:
            raise RuntimeError(
                f"Input batch size {input.shape[0]} doesn't match hidden{number} batch size {s.shape[0]}"
            )
        if s.shape[1] != w_hh.shape[1]:
            raise RuntimeError(
                f"hidden{number} has inconsistent hidden_size: got {s.shape[1]}, expected {w_hh.shape[1]}"
            )
    return recurrent.cell(step, input, state, w_ih, w_hh, b_ih, b_hh)


def _single(name: str, step: Callable[..., Any]) -> None:
    """Define `torch.<name>`, a cell with one state."""

    def cell(
        input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
    ) -> Tensor:
        return _cell(step, input, (hx,), w_ih, w_hh, b_ih, b_hh)[0]

    cell.__name__ = cell.__qualname__ = name
    cell.__doc__ = "One step of one layer: (b, i) and (b, h) -> (b, h)."
    globals()[name] = builtin(cell)


_single("rnn_tanh_cell", recurrent.tanh_step)
_single("rnn_relu_cell", recurrent.relu_step)
_single("gru_cell", recurrent.gru_step)


@builtin
def lstm_cell(
    input: Tensor, hx: Any, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
) -> tuple[Tensor, ...]:
    """One step of one layer: (b, i) and the states (h, c), each (b, h) -> the next (h, c).

    Raises:
        RuntimeError: not two states, or sizes that don't fit each other.
    """
    if isinstance(hx, Tensor):
        raise TypeError
    if len(hx) != 2:
        raise RuntimeError("lstm_cell expects two hidden states")
    return _cell(recurrent.lstm_step, input, tuple(hx), w_ih, w_hh, b_ih, b_hh)

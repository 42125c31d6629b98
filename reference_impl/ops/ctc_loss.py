"""Connectionist temporal classification: the probability of a label sequence, summed over all ways to spread it over time.

With the labels l' = blank, l₁, blank, l₂, ..., blank (length S = 2 L + 1), in logarithms:

    α[t, s] = log p[t, l'ₛ] + log(exp α[t-1, s] + exp α[t-1, s-1] + exp α[t-1, s-2])

the last term only where l'ₛ is no blank and not the same label again; β runs backward in the same way. See Graves et al. 2006.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import RESULT, record, record_many
from reference_impl.ops.losses import reduced, reduction_number
from reference_impl.ops.not_implemented import NotImplementedBackward
from reference_impl.ops.registry import checked
from reference_impl.ops.where import where


class CtcLossBackward0(Node):
    """∂log p[t, k] = g · (p[t, k] - exp(loss) · Σ_{s: l'ₛ = k} exp(α[t, s] + β[t, s] - log p[t, k]))."""

    saved_names = ("log_probs", "targets", "result0", "result1")  # the last two: the losses and α
    input_lengths: tuple[int, ...]
    target_lengths: tuple[int, ...]
    blank: int
    zero_infinity: bool

    def grad_log_probs(self, g: Tensor) -> Tensor:
        logs = self._saved_log_probs
        x, losses, alpha = [_backend.to_numpy(t._array) for t in (logs, self._saved_result0, self._saved_result1)]
        labels = _with_blanks(_split(self._saved_targets, self.target_lengths), self.blank)
        lengths = self.input_lengths, self.target_lengths
        found = _gradient(x, labels, lengths, np.swapaxes(alpha, 0, 1), losses, self.blank, self.zero_infinity)
        found = _backend.to_device_of(found, logs._array)
        found *= g._array[:, None]
        return record_many(NotImplementedBackward, (found,), (g, logs), operation="_ctc_loss_backward")[0]


def _with_blanks(targets: list[Any], blank: int) -> Any:
    """(n, S): blank, first label, blank, ..., filled up with blanks."""
    longest = max([len(t) for t in targets], default=0)
    labels = np.full((len(targets), 2 * longest + 1), blank, np.int64)
    for row, target in zip(labels, targets, strict=True):
        row[1 : 2 * len(target) : 2] = target
    return labels


def _log_sum(*terms: Any) -> Any:
    largest = np.maximum.reduce(terms)
    safe = np.where(np.isneginf(largest), 0, largest)
    return np.log(sum(np.exp(t - safe) for t in terms)) + safe


def _may_skip(labels: Any, blank: int) -> Any:
    """Where s can be reached from s - 2: at a label that is not the one before again."""
    skip = np.zeros_like(labels, dtype=bool)
    skip[:, 2:] = (labels[:, 2:] != blank) & (labels[:, 2:] != labels[:, :-2])
    return skip


def _shifted(a: Any, by: int) -> Any:
    out = np.full_like(a, -np.inf)
    if by < a.shape[1]:
        out[:, by:] = a[:, : a.shape[1] - by]
    return out


def _emissions(logs: Any, labels: Any) -> Any:
    """(t, n, S): the log-probability of each label at each step."""
    return np.take_along_axis(logs, np.broadcast_to(labels, (logs.shape[0], *labels.shape)), axis=2)


def _alphas(logs: Any, labels: Any, blank: int) -> Any:
    emitted, skip = _emissions(logs, labels), _may_skip(labels, blank)
    alpha = np.full_like(emitted, -np.inf)
    if len(alpha):
        alpha[0, :, :2] = emitted[0, :, :2]
    for t in range(1, len(alpha)):
        before = alpha[t - 1]
        alpha[t] = emitted[t] + _log_sum(before, _shifted(before, 1), np.where(skip, _shifted(before, 2), -np.inf))
    return alpha


def _losses_of(alpha: Any, input_lengths: Any, target_lengths: Any, dtype: Any) -> Any:
    losses = np.empty(len(input_lengths), dtype)
    for n, (t, length) in enumerate(zip(input_lengths, target_lengths, strict=True)):
        if t == 0:
            losses[n] = 0 if length == 0 else np.inf
            continue
        last = alpha[t - 1, n, max(2 * length - 1, 0) : 2 * length + 1]
        losses[n] = -np.logaddexp.reduce(last)
    return losses


def _gradient(
    logs: Any, labels: Any, lengths: tuple[Any, Any], alpha: Any, losses: Any, blank: int, zero_infinity: bool
) -> Any:
    input_lengths, target_lengths = lengths
    emitted, skip = _emissions(logs, labels), _may_skip(labels, blank)
    gradient = np.zeros_like(logs)
    for n, (steps, length) in enumerate(zip(input_lengths, target_lengths, strict=True)):
        if steps == 0 or (zero_infinity and np.isinf(losses[n])):
            continue
        size = 2 * length + 1
        beta = np.full((steps, size), -np.inf, logs.dtype)
        beta[-1, max(size - 2, 0) :] = emitted[steps - 1, n, max(size - 2, 0) : size]
        ahead = np.append(skip[n, 2:size], [False] * min(2, size))[:size]
        for t in range(steps - 2, -1, -1):
            after = beta[t + 1]
            one, two = np.append(after[1:], -np.inf), np.append(after[2:], [-np.inf] * min(2, size))[:size]
            beta[t] = emitted[t, n, :size] + _log_sum(after, one, np.where(ahead, two, -np.inf))
        through = alpha[:steps, n, :size] + beta
        share = np.full((steps, logs.shape[2]), -np.inf, logs.dtype)
        for s in range(size):
            label = labels[n, s]
            share[:, label] = np.logaddexp(share[:, label], through[:, s])
        own = logs[:steps, n]
        gradient[:steps, n] = np.exp(own) - np.exp(share + losses[n] - own)
    return gradient


def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: int = 0, reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:  # fmt: skip
    """-log of the probability of each target sequence: log_probs (t, n, classes), or (t, classes).

    Args:
        targets: (n, longest), or all one after the other.
        blank: the class that stands for no label.
        zero_infinity: a loss of infinity (a target longer than its input) counts 0.

    Raises:
        RuntimeError: lengths that don't fit.
    """
    return native(log_probs, targets, input_lengths, target_lengths, blank, reduction_number(reduction), zero_infinity)


def _native_ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: int = 0, reduction: int = 0,
    zero_infinity: bool = False,
) -> Tensor:  # fmt: skip
    """`ctc_loss` with the number of the reduction: 1 mean, 2 sum, otherwise none."""
    both = (Tensor, Tensor), (tuple, tuple), (list, tuple), (tuple, list), (list, list)
    tensors = isinstance(log_probs, Tensor) and isinstance(targets, Tensor)
    if not tensors or not isinstance(blank, int) or (type(input_lengths), type(target_lengths)) not in both:
        raise TypeError  # which `checked` puts into words
    if log_probs.ndim not in (2, 3):
        raise RuntimeError(
            f"Expected 3-dimensional tensor, but got {log_probs.ndim + 1}-dimensional tensor for argument #1 'log_probs'{_WHERE}"
        )
    batched = log_probs.ndim == 3
    logs = log_probs if batched else log_probs.unsqueeze(1)
    inputs, lengths = _numbers("input_lengths", input_lengths), _numbers("target_lengths", target_lengths)
    if logs._array.dtype not in (np.float32, np.float64):
        raise NotImplementedError(f"\"ctc_loss_cpu\" not implemented for '{logs.dtype.tensor_type}'")
    _check_lengths(logs, inputs, lengths, blank)
    _check_targets(targets, lengths)
    labels = _with_blanks(_split(targets, lengths), blank)
    x = _backend.to_numpy(logs._array)
    alpha = _alphas(x, labels, blank)
    losses = _losses_of(alpha, inputs, lengths, x.dtype)
    kept = Tensor._wrap(_backend.to_device_of(np.swapaxes(alpha, 0, 1), logs._array))  # torch's has the batch first
    out = record(
        CtcLossBackward0, _backend.to_device_of(losses, logs._array), (logs,), (logs, targets, RESULT, kept), blank=blank,
        zero_infinity=zero_infinity, input_lengths=tuple(inputs.tolist()), target_lengths=tuple(lengths.tolist()),
    )  # fmt: skip
    if zero_infinity:
        out = where(out == float("inf"), Tensor._wrap(np.zeros_like(logs._array, shape=())), out)
    if reduction == 1:
        sizes = _backend.to_device_of(np.maximum(lengths, 1).astype(x.dtype), logs._array)
        return (out / Tensor._wrap(sizes)).mean()
    return reduced(out if batched else out.squeeze(0), reduction)


native = checked("ctc_loss", _native_ctc_loss, ())
"""`torch.ctc_loss`."""


def _numbers(name: str, lengths: Any) -> np.ndarray:
    if isinstance(lengths, Tensor) and lengths._array.dtype.kind not in "iu":
        raise RuntimeError(f"{name} must be integral")
    return np.atleast_1d(np.asarray(lengths.tolist() if isinstance(lengths, Tensor) else lengths, np.int64))


def _split(targets: Tensor, lengths: Sequence[int] | np.ndarray) -> list[Any]:
    values = _backend.to_numpy(targets._array)
    if values.ndim == 1:
        ends = np.cumsum(lengths)
        return [values[end - n : end] for end, n in zip(ends, lengths, strict=True)]
    return [row[:n] for row, n in zip(values, lengths, strict=True)]


_WHERE = " (while checking arguments for ctc_loss_allocate_outputs)"


def _check_lengths(logs: Tensor, inputs: np.ndarray, lengths: np.ndarray, blank: int) -> None:
    steps, batch, classes = logs.shape
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    for name, numbers in (("input_lengths", inputs), ("target_lengths", lengths)):
        if len(numbers) != batch:
            raise RuntimeError(f"{name} must be of size batch_size")
    for name, numbers, most in (("target_lengths", lengths, None), ("input_lengths", inputs, steps)):
        for length in numbers:
            if length < 0:
                raise RuntimeError(f"Expected {name} to have value at least 0, but got value {length}{_WHERE}")
            if most is not None and length > most:
                raise RuntimeError(f"Expected {name} to have value at most {most}, but got value {length}{_WHERE}")


def _check_targets(targets: Tensor, lengths: np.ndarray) -> None:
    """Targets are (n, longest) or longer, or all in a row."""
    shape = targets.shape
    if targets.ndim not in (1, 2):
        raise RuntimeError(
            f"Expected 1 to 2 dimensions, but got {targets.ndim}-dimensional tensor for argument #2 'targets'{_WHERE}"
        )
    wrong = None
    if targets.ndim == 1:
        if shape[0] != sum(lengths):
            wrong = f"size {sum(lengths)} at dimension 0, but got size {shape[0]}"
    elif shape[0] != len(lengths):
        wrong = f"size {len(lengths)} at dimension 0, but got size {shape[0]}"
    elif shape[1] < max(lengths, default=0):
        wrong = f"size at least {max(lengths)} at dimension 1, but got size {shape[1]}"
    if wrong:
        raise RuntimeError(f"Expected tensor to have {wrong} for argument #2 'targets'{_WHERE}")

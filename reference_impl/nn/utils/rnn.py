"""Sequences of several lengths in one batch: padded to the longest, or packed without padding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from reference_impl import _backend
from reference_impl._tensor import Tensor
from reference_impl._torch_names import reduce_ex
from reference_impl.ops.creation import tensor
from reference_impl.ops.joining import cat, stack

__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpad_sequence",
]


class _PackedSequence(NamedTuple):
    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(_PackedSequence):
    """The first steps of all sequences, then the second steps of all that have one, and so on.

    Attributes:
        data: (sum of the lengths, *).
        batch_sizes: how many sequences have each step.
        sorted_indices: in which order the sequences lie, the longest first; None where they came so.
        unsorted_indices: the reverse.
    """

    def __new__(
        cls, data: Tensor, batch_sizes: Any = None, sorted_indices: Tensor | None = None, unsorted_indices: Any = None
    ) -> PackedSequence:
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    __reduce_ex__ = reduce_ex

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """The data moved or cast."""
        return type(self)(self.data.to(*args, **kwargs), self.batch_sizes, self.sorted_indices, self.unsorted_indices)

    @property
    def is_cuda(self) -> bool:
        return self.data.is_cuda


PackedSequence.__module__ = "torch.nn.utils.rnn"


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The permutation that undoes `permutation`."""
    if permutation is None:
        return None
    return Tensor._wrap(_backend.positions(np.argsort(permutation._array)))


def pack_padded_sequence(
    input: Tensor, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Padded sequences (t, b, *), or (b, t, *) with `batch_first`, without their padding.

    Args:
        lengths: of the sequences.
        enforce_sorted: whether they must come longest first; otherwise they are sorted here.

    Raises:
        RuntimeError: lengths that don't fit, or are not sorted.
    """
    numbers = np.asarray(lengths.tolist() if isinstance(lengths, Tensor) else list(lengths), np.int64)
    order = None
    if not enforce_sorted:
        by_length = _backend.positions(np.argsort(-numbers, kind="stable"))
        order, numbers = Tensor._wrap(by_length), numbers[by_length]
        input = input.index_select(0 if batch_first else 1, order)
    batch = input.shape[0 if batch_first else 1]
    if input.numel() == 0:
        raise RuntimeError("Cannot pack empty tensors.")
    if len(numbers) != batch:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(numbers)} (batch_size={batch})"
        )
    if numbers[-1] <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    if np.any(np.diff(numbers) > 0):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do not "
            "need ONNX exportability."
        )
    steps = input.transpose(0, 1) if batch_first else input
    sizes = [int(np.sum(numbers > t)) for t in range(int(numbers[0]))]
    data = cat([steps[t, :size] for t, size in enumerate(sizes)], 0)
    return PackedSequence(data, tensor(sizes), order, None)


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """A packed batch padded to its longest sequence, or to `total_length`, and the lengths.

    Raises:
        ValueError: `total_length` is too short.
    """
    sizes = sequence.batch_sizes.tolist()
    steps = len(sizes)
    if total_length is not None and total_length < steps:
        raise ValueError(
            "Expected total_length to be at least the length of the longest sequence in input, but got "
            f"total_length={total_length} and max sequence length being {steps}"
        )
    data, start, rows = sequence.data, 0, []
    filler = Tensor._wrap(np.full_like(data._array, padding_value, shape=(sizes[0], *data.shape[1:])))
    for size in sizes:
        row = data.narrow(0, start, size)
        rows.append(row if size == sizes[0] else cat([row, filler[size:]], 0))
        start += size
    rows += [filler] * ((total_length or steps) - steps)
    padded = stack(rows, 1 if batch_first else 0)
    lengths = Tensor._wrap(np.array([sum(s > b for s in sizes) for b in range(sizes[0])], np.int64))
    if sequence.unsorted_indices is not None:
        padded = padded.index_select(0 if batch_first else 1, sequence.unsorted_indices)
        lengths = lengths[sequence.unsorted_indices]
    return padded, lengths


def pad_sequence(
    sequences: Sequence[Tensor], batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Tensor:
    """Sequences (length, *) filled up to the longest and stacked: (t, b, *), or (b, t, *) with `batch_first`.

    Raises:
        RuntimeError: not a list of tensors, or an unknown side.
    """
    if isinstance(sequences, Tensor):
        sequences = list(sequences.unbind(0))
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}"
        )
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    listed = list(sequences)
    longest = max(s.shape[0] for s in listed)
    rows = []
    for s in listed:
        room = longest - s.shape[0]
        filler = Tensor._wrap(np.full_like(s._array, padding_value, shape=(room, *s.shape[1:])))
        rows.append(cat([s, filler] if padding_side == "right" else [filler, s], 0) if room else s)
    return stack(rows, 0 if batch_first else 1)


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> list[Tensor]:
    """The reverse of `pad_sequence`."""
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [row[: int(n)] for row, n in zip(rows.unbind(0), lengths.tolist(), strict=True)]


def pack_sequence(sequences: Sequence[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Sequences (length, *) packed."""
    lengths = [s.shape[0] for s in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)

"""Pad sequences of different lengths to the same length, or pack them step by step without padding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from reference_impl.core.arrays import checked_dim
from reference_impl.core.node import Node
from reference_impl.core.record import record_many
from reference_impl.core.saving import Result
from reference_impl.core.tensor import Tensor
from reference_impl.ops.creation import full, zeros

_NOT_SORTED = (
    "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass `enforce_sorted=False` to "
    "pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do not need ONNX exportability."
)


def _runs(batch_sizes: Sequence[int]) -> Iterable[tuple[int, int, int]]:
    """Yield (first step, end, batch size) for consecutive steps with the same batch size: [3, 3, 1] gives (0, 2, 3) and (2, 3, 1)."""
    begin = 0
    for step in range(1, len(batch_sizes) + 1):
        if step == len(batch_sizes) or batch_sizes[step] != batch_sizes[begin]:
            yield begin, step, batch_sizes[begin]
            begin = step


class PackPaddedSequenceBackward0(Node):
    """The rows of g go back to their positions in the padded batch; the padding receives 0."""

    saved_names = ("result1",)
    batch_first: bool
    input_sym_sizes: tuple[int, ...]

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None]:
        """Return the gradient of the padded batch, or None if the packed rows receive none."""
        g = grads[0]
        if g is None:
            return (None,)
        steps, batch, *rest = self.input_sym_sizes
        if self.batch_first:
            steps, batch = batch, steps
        padded = zeros(steps, batch, *rest, dtype=g.dtype, device=g.device)
        _unpack_into(padded, g, self._saved_result1.tolist())
        return (padded.transpose(0, 1) if self.batch_first else padded,)


def _unpack_into(padded: Tensor, data: Tensor, batch_sizes: Sequence[int]) -> None:
    """Copy the packed rows `data` to their positions in `padded`, which has the shape (steps, batch, *)."""
    offset = 0
    for begin, end, size in _runs(batch_sizes):
        count = (end - begin) * size
        rows = data.narrow(0, offset, count).view(end - begin, size, *padded.shape[2:])
        padded[begin:end, :size].copy_(rows)
        offset += count


def pack_padded(input: Tensor, lengths: Tensor, batch_first: bool) -> tuple[Tensor, Tensor]:
    """Return the rows of a padded batch, step by step without the padding, (sum of `lengths`, *), and the number of sequences at each step.

    Args:
        input: the padded batch, (steps, batch, *) or, with `batch_first`, (batch, steps, *).
        lengths: the lengths of the sequences, the longest first: int64 on the CPU.

    Raises:
        IndexError: `input` has only one dimension.
        RuntimeError: `input` is empty, or `lengths` is not a vector on the CPU with a positive length for each sequence, sorted.
    """
    if not input._array.size:
        raise RuntimeError("Cannot pack empty tensors.")
    checked_dim(1, input.dim())
    array = np.swapaxes(input._array, 0, 1) if batch_first else input._array
    if lengths.dim() != 1 or not lengths.is_cpu:
        kinds = f"{lengths.dim()}D {lengths.device.type} {lengths.dtype.tensor_type} tensor"
        raise RuntimeError(f"'lengths' argument should be a 1D CPU int64 tensor, but got {kinds}")
    batch, sizes = array.shape[1], lengths.tolist()
    if len(sizes) != batch:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(sizes)} (batch_size={batch})"
        )
    if sizes[-1] <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    if any(a < b for a, b in zip(sizes, sizes[1:], strict=False)):
        raise RuntimeError(_NOT_SORTED)
    counts = [sum(size > step for size in sizes) for step in range(sizes[0])]
    parts = [np.reshape(array[begin:end, :size], (-1, *array.shape[2:])) for begin, end, size in _runs(counts)]
    return record_many(  # type: ignore[return-value]
        PackPaddedSequenceBackward0,
        (np.concatenate(parts), np.array(counts)),
        (input,),
        (Result(1),),
        batch_first=batch_first,
        input_sym_sizes=tuple(input.shape),
    )


def pad_packed(
    data: Tensor, batch_sizes: Tensor, batch_first: bool, padding_value: float, total_length: int
) -> tuple[Tensor, Tensor]:
    """Return packed sequences as a padded batch, (total_length, batch, *), and the lengths of the sequences.

    Args:
        data, batch_sizes: the result of `pack_padded`.
        batch_first: return the batch as (batch, total_length, *).
        padding_value: value of the elements of the padding.
        total_length: number of steps of the batch, at least the length of the longest sequence.
    """
    counts = batch_sizes.tolist()
    shape = (total_length, counts[0], *data.shape[1:])
    padded = full(shape, padding_value, dtype=data.dtype, device=data.device)
    _unpack_into(padded, data, counts)
    lengths = [sum(count > number for count in counts) for number in range(counts[0])]
    return padded.transpose(0, 1) if batch_first else padded, Tensor._wrap(np.array(lengths))


def pad(sequences: Sequence[Tensor], batch_first: bool, padding_value: float, padding_side: str) -> Tensor:
    """Return one tensor of all sequences, each (steps, *), padded with `padding_value` to the longest: (steps, batch, *).

    Args:
        batch_first: return (batch, steps, *).
        padding_side: "right" or "left", where the padding of a sequence is.

    Raises:
        RuntimeError: there are no sequences, the first has no dimension, sizes don't broadcast to those of the first, or `padding_side` is
            wrong.
        IndexError: a later sequence has no dimension.
        TypeError: a sequence is not a tensor.
    """
    if not sequences:
        raise RuntimeError("received an empty list of sequences")
    for position, sequence in enumerate(sequences):
        if not isinstance(sequence, Tensor):
            kind = type(sequence).__name__
            raise TypeError(f"expected Tensor as element {position} in argument 0, but got {kind}")
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    first = sequences[0]
    if not first.dim():
        raise RuntimeError("ArrayRef: invalid slice, N = 1; size = 0")
    longest, batch = max(s.size(0) for s in sequences), len(sequences)
    shape = (batch, longest) if batch_first else (longest, batch)
    padded = full((*shape, *first.shape[1:]), padding_value, dtype=first.dtype, device=first.device)
    for number, sequence in enumerate(sequences):
        start = longest - sequence.size(0) if padding_side == "left" else 0
        column = padded.select(0 if batch_first else 1, number)
        column.narrow(0, start, sequence.size(0)).copy_(sequence)
    return padded

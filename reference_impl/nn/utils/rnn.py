"""Build batches of sequences of different lengths: padded to the same length, or packed step by step for recurrent layers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from reference_impl._tensor import Tensor
from reference_impl.ops.creation import as_tensor, empty_like
from reference_impl.ops.packing import pack_padded, pad, pad_packed
from reference_impl.ops.ranges import arange

__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
]

_NOT_ON_CPU = (
    "batch_sizes should always be on CPU. Instances of PackedSequence should never be created manually. They should be "
    "instantiated by functions like pack_sequence and pack_padded_sequences in nn.utils.rnn. "
    "https://pytorch.org/docs/stable/nn.html#torch.nn.utils.rnn.pack_sequence"
)


class _PackedFields(NamedTuple):
    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(_PackedFields):
    """A batch of sequences without padding: step 0 of each sequence, then step 1 of each sequence that is long enough, and so on.

    Attributes:
        data: the steps of all sequences, of shape (sum of the lengths, *).
        batch_sizes: the number of sequences that have each step, int64 on the CPU.
        sorted_indices: the indices of the original sequences, from the longest to the shortest; None if the sequences were packed with
            `enforce_sorted=True`.
        unsorted_indices: the inverse permutation of `sorted_indices`, or None.
    """

    def __new__(
        cls, data: Any, batch_sizes: Any = None, sorted_indices: Any = None, unsorted_indices: Any = None
    ) -> PackedSequence:
        """Create a packed sequence from data and batch sizes, or from a tuple (data, batch_sizes).

        Raises:
            AssertionError: `batch_sizes` is None, and `data` is not a list or tuple of two.
            ValueError: `batch_sizes` is not on the CPU.
        """
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None:
            if not (isinstance(data, (list, tuple)) and len(data) == 2):
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        elif batch_sizes.device.type != "cpu":
            raise ValueError(_NOT_ON_CPU)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """Return the sequence with its data converted by `Tensor.to`. Return the sequence itself if its data do not change."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        indices = [None if t is None else t.to(data.device) for t in self[2:]]  # type: ignore[union-attr]
        return type(self)(data, self.batch_sizes, *indices)

    def cuda(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """Return the sequence on a GPU."""
        return self.to(*args, **{"device": "cuda", **kwargs})

    def cpu(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """Return the sequence on the CPU."""
        return self.to(*args, **{"device": "cpu", **kwargs})

    def double(self) -> PackedSequence:
        """Return the sequence in float64."""
        return self.to(self.data.double().dtype)

    def float(self) -> PackedSequence:
        """Return the sequence in float32."""
        return self.to(self.data.float().dtype)

    def half(self) -> PackedSequence:
        """Return the sequence in float16."""
        return self.to(self.data.half().dtype)

    def long(self) -> PackedSequence:
        """Return the sequence in int64."""
        return self.to(self.data.long().dtype)

    def int(self) -> PackedSequence:
        """Return the sequence in int32."""
        return self.to(self.data.int().dtype)

    @property
    def is_cuda(self) -> bool:
        """Return whether the data are on a GPU."""
        return self.data.is_cuda

    def pin_memory(self) -> PackedSequence:
        """Raise RuntimeError, because the engine has no page-locked memory."""
        pinned = [None if t is None else t.pin_memory() for t in (self.data, *self[2:])]
        return type(self)(pinned[0], self.batch_sizes, *pinned[1:])

    def is_pinned(self) -> bool:
        """Return False, because the engine has no page-locked memory."""
        return self.data.is_pinned()


_PackedFields.__name__ = "PackedSequence_"
for _class in (PackedSequence, _PackedFields):
    _class.__module__ = "torch.nn.utils.rnn"


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """Return the inverse permutation: [2, 0, 1] -> [1, 2, 0]. Return None for None."""
    if permutation is None:
        return None
    return empty_like(permutation).scatter_(0, permutation, arange(permutation.numel(), device=permutation.device))


def pack_padded_sequence(
    input: Tensor, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Return a padded batch of shape (steps, batch, *) as a PackedSequence.

    Args:
        lengths: lengths of the sequences, a list or a tensor on the CPU.
        batch_first: if True, the shape of `input` is (batch, steps, *).
        enforce_sorted: if True, the sequences must be sorted, the longest first; if False, they are sorted.

    Raises:
        RuntimeError: the number of lengths is not the size of the batch, a length is 0, or the lengths are not sorted although
            `enforce_sorted` is True.
    """
    lengths = lengths.long() if isinstance(lengths, Tensor) else as_tensor(lengths).long()
    order = None
    if not enforce_sorted:
        lengths, order = lengths.sort(descending=True)
        order = order.to(input.device)
        input = input.index_select(0 if batch_first else 1, order)
    return PackedSequence(*pack_padded(input, lengths, batch_first), order)


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """Return the sequences of a packed batch, padded to the same length, and their lengths, in the order before packing.

    Args:
        batch_first: return the batch in shape (batch, steps, *) instead of (steps, batch, *).
        total_length: the number of steps after padding, by default the length of the longest sequence.

    Raises:
        ValueError: `total_length` is less than the length of the longest sequence.
    """
    longest = sequence.batch_sizes.size(0)
    if total_length is not None and total_length < longest:
        raise ValueError(
            "Expected total_length to be at least the length of the longest sequence in input, but got "
            f"total_length={total_length} and max sequence length being {longest}"
        )
    steps = longest if total_length is None else total_length
    padded, lengths = pad_packed(sequence.data, sequence.batch_sizes, batch_first, padding_value, steps)
    order = sequence.unsorted_indices
    if order is None:
        return padded, lengths
    return padded.index_select(0 if batch_first else 1, order), lengths[order.cpu()]


def pad_sequence(
    sequences: Any, batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Tensor:
    """Stack sequences of shape (steps, *) into a tensor of shape (steps, batch, *), padded with `padding_value`.

    Args:
        batch_first: return the batch in shape (batch, steps, *).
        padding_side: "right" or "left".

    Raises:
        RuntimeError: `sequences` is empty or not iterable, the first has no dimension, sizes don't broadcast to those of the first, or
            `padding_side` is wrong.
        IndexError: a later sequence has no dimension.
        TypeError: a sequence is not a tensor.
    """
    if not isinstance(sequences, Iterable):
        kind = type(sequences)
        raise RuntimeError(f"pad_sequence: Expected iterable for input sequences, but got arg of type: {kind}")
    return pad(tuple(sequences), batch_first, padding_value, padding_side)


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> list[Tensor]:
    """Return the sequences of a padded batch, of shape (steps, batch, *), each cut to its length.

    Args:
        batch_first: if True, the shape of the batch is (batch, steps, *). If False, the first two dimensions of `padded_sequences` itself
            are exchanged in place, as in torch.
    """
    if not batch_first:
        padded_sequences.transpose_(0, 1)
    steps = arange(padded_sequences.shape[1], device=lengths.device)
    return [sequence[steps < length] for sequence, length in zip(padded_sequences, lengths, strict=True)]


def pack_sequence(sequences: Any, enforce_sorted: bool = True) -> PackedSequence:
    """Return sequences of shape (steps, *) as a PackedSequence.

    Args:
        enforce_sorted: if True, the sequences must be sorted, the longest first; if False, they are sorted.

    Raises:
        RuntimeError: a sequence has no steps, or the sequences are not sorted although `enforce_sorted` is True.
    """
    lengths = as_tensor([s.size(0) for s in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """Return the sequences of a packed batch, each of shape (steps, *), in the order that they had before packing."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)

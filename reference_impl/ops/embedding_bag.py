"""Embedding without the rows in between: the sum, mean or maximum of the rows of each bag of indices."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import needs_grad, record
from reference_impl.ops.embedding import renormalize
from reference_impl.ops.registry import checked

_MODES = {"sum": 0, "mean": 1, "max": 2}


class EmbeddingBagBackward0(Node):
    """out[bag] = Σ weight[index] · per_sample_weight (or their mean or maximum) over the bag.

    A row receives the gradients of the bags that it is in, times its weight there or divided by the size of the bag; with
    "max" only where it was the largest. The results 1 to 3 are those of `_native_embedding_bag`.
    """

    saved_names = ("weight", "indices", "offsets", "per_sample_weights", "result1", "result2", "result3")
    mode: int
    scale_grad_by_freq: bool
    padding_idx: int
    weight_sym_argsize_0: int
    _bags: Any

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        (g,) = grads
        if g is None:
            return (None, None)
        # Not all of them count in each mode, but torch checks that nobody has changed them.
        weight, indices, _, per_sample, _, sizes, largest = [self.unpack(i) for i in range(7)]
        zeros = Tensor._wrap(np.zeros_like(g._array, shape=(self.weight_sym_argsize_0, g._array.shape[1])))
        if self.mode == 2:
            g = g.masked_fill((sizes == 0).unsqueeze(1), 0)  # an empty bag has no largest row
            return zeros.scatter_add(0, largest, g), None
        bags = Tensor._wrap(self._bags)
        each = g.index_select(0, bags)  # the gradient of its bag, for each index
        to_per_sample = None
        if self.needs_grad(1):
            to_per_sample = (each * weight.index_select(0, indices)).sum(1).masked_fill(self._left_out(indices), 0)
        if not self.needs_grad(0):
            return None, to_per_sample
        if per_sample is not None:
            each = each * per_sample.unsqueeze(1)
        if self.mode == 1:
            of_bag = np.maximum(sizes._array, 1)[self._bags]
            each = each / Tensor._wrap(of_bag[:, None].astype(g._array.dtype))
        if self.scale_grad_by_freq:
            counts = np.bincount(indices._array, minlength=self.weight_sym_argsize_0)[indices._array]
            each = each / Tensor._wrap(counts[:, None].astype(g._array.dtype))
        each = each.masked_fill(self._left_out(indices).unsqueeze(1), 0)
        return zeros.index_add(0, indices, each), to_per_sample

    def _left_out(self, indices: Tensor) -> Tensor:
        return indices == self.padding_idx


def _sizes(bags: Any, indices: Any, count: int, padding_idx: int) -> Any:
    """How many indices each bag has, the padding not counted; at least 1."""
    counted = np.where(indices == padding_idx, 0, 1)
    return np.maximum(np.bincount(bags, weights=counted, minlength=count), 1)


def _first_largest(w: Any, indices: Any, bags: Any, padding_idx: int) -> Any:
    """(indices, width): 1 where the element is the first largest of its bag."""
    rows = np.where((indices == padding_idx)[:, None], -np.inf, w[indices])
    marks = np.zeros_like(rows)
    for bag in np.unique(bags):
        members = np.nonzero(bags == bag)[0]
        members = members[indices[members] != padding_idx]
        if members.size:
            marks[members[np.argmax(rows[members], axis=0)], np.arange(w.shape[1], like=w)] = 1
    return marks


def _forward(w: Any, indices: Any, bags: Any, count: int, mode: int, per_sample: Any, padding_idx: int) -> Any:
    out = np.zeros_like(w, shape=(count, w.shape[1]))
    kept = indices != padding_idx
    rows, kept_bags = w[indices[kept]], bags[kept]
    if mode == 2:
        rows = rows * _first_largest(w, indices, bags, padding_idx)[kept]
    elif per_sample is not None:
        rows = rows * per_sample[kept][:, None]
    np.add.at(out, kept_bags, rows)
    if mode == 1:
        out /= _sizes(bags, indices, count, padding_idx)[:, None].astype(w.dtype)
    return out


def embedding_bag(
    input: Tensor, weight: Tensor, offsets: Tensor | None = None, max_norm: float | None = None, norm_type: float = 2,
    scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False, per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False, padding_idx: int | None = None,
) -> Tensor:  # fmt: skip
    """The sum, mean or maximum of the rows of `weight` named by each bag: (b, n), or (all) with `offsets` (b), -> (b, width).

    Args:
        offsets: where each bag begins; with `include_last_offset` the end of the last one too.
        per_sample_weights: the rows' weights in a sum.
        padding_idx: this row counts nothing.

    Raises:
        ValueError, NotImplementedError, RuntimeError: arguments that don't fit each other.
    """
    if weight._array.dtype == np.int64 and input.is_floating_point():
        warnings.warn(
            "Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is deprecated, "
            "and should now be `embedding_bag(input, weight, ...)`.",
            stacklevel=3,
        )
        weight, input = input, weight
    _check_arguments(input, weight, offsets, mode, scale_grad_by_freq, sparse, per_sample_weights)
    if input.ndim == 2:
        rows, width = input.shape
        offsets = Tensor._wrap(_backend.to_device_of(np.arange(rows) * width, input._array))
        input = input.reshape(-1)
        per_sample_weights = None if per_sample_weights is None else per_sample_weights.reshape(-1)
    if max_norm is not None:
        renormalize(weight, input, max_norm, norm_type)
    return native(
        weight,
        input,
        offsets,
        scale_grad_by_freq,
        _MODES[mode],
        sparse,
        per_sample_weights,
        include_last_offset,
        padding_idx,
    )[0]


def _native_embedding_bag(
    weight: Tensor, indices: Tensor, offsets: Tensor, scale_grad_by_freq: bool = False, mode: int = 0, sparse: bool = False,
    per_sample_weights: Tensor | None = None, include_last_offset: bool = False, padding_idx: int | None = None,
) -> tuple[Tensor, ...]:  # fmt: skip
    """`embedding_bag` of a row of indices, with the number of the mode: 0 sum, 1 mean, 2 max.

    Returns:
        The bags, (b, width); the bag of each index (empty where torch needs none: a sum in float32); the number of indices of each bag,
        without padding (0 for a sum); for the maximum which row each number is from, otherwise the former again.
    """
    flags = (scale_grad_by_freq, sparse, include_last_offset)
    if not isinstance(mode, int) or not all(isinstance(flag, bool) for flag in flags):
        raise TypeError  # which `checked` puts into words
    _check_tensors(weight, indices, offsets, mode, per_sample_weights)
    indices, offsets = indices.contiguous(), offsets.contiguous()  # what torch saves
    starts = _backend.to_numpy(offsets._array)
    _check_offsets(starts, indices.shape[0])
    if include_last_offset:
        starts = starts[:-1]
    padding = _row(padding_idx, weight.shape[0])
    simple = weight._array.dtype != np.float64 and padding_idx is None  # torch then needs no bag for each index
    _check_indices(indices._array, weight.shape[0], simple and mode != 2)
    count = len(starts)
    bags = np.searchsorted(starts, np.arange(indices.numel()), side="right") - 1
    per_sample = None if per_sample_weights is None else per_sample_weights._array
    places = _backend.to_device_of(bags, weight._array)
    if mode == 0:
        sizes = np.zeros_like(places, shape=offsets._array.shape)
    else:
        counted = np.where(indices._array == padding, 0, 1)
        sizes = np.bincount(places, weights=counted, minlength=count).astype(np.int64)
    rows = _rows_of_largest(weight._array, indices._array, places, count, padding) if mode == 2 else sizes.copy()
    shown = places[:0] if simple and mode == 0 else places
    others = tuple([Tensor._wrap(array) for array in (shown, sizes, rows)])
    out = record(
        EmbeddingBagBackward0,
        _forward(weight._array, indices._array, places, count, mode, per_sample, padding),
        (weight, per_sample_weights),
        # The rows themselves count for the gradients of the weights of samples only.
        (weight if needs_grad(per_sample_weights) else None, indices, offsets, per_sample_weights, *others),
        mode=mode,
        scale_grad_by_freq=scale_grad_by_freq,
        padding_idx=padding,
        weight_sym_argsize_0=weight._array.shape[0],
        _bags=places,
    )
    return out, *others


native = checked("embedding_bag", _native_embedding_bag, ())
"""`torch.embedding_bag`."""


def _rows_of_largest(w: Any, indices: Any, bags: Any, count: int, padding: int) -> Any:
    """(count, width): the row of `w` that each number of a maximum is from; 0 in an empty bag."""
    found = np.zeros_like(bags, shape=(count, w.shape[1]))
    marks = _first_largest(w, indices, bags, padding).astype(np.int64)
    np.add.at(found, bags, marks * indices[:, None])
    return found


def _row(padding_idx: int | None, rows: int) -> int:
    """The row that counts nothing, from the front; -1 for none."""
    if padding_idx is None:
        return -1
    if not -rows <= padding_idx < rows:
        raise RuntimeError(
            f"padding_idx must be within the number of embeddings, {-rows} through {rows - 1}, but got {padding_idx}"
        )
    return padding_idx % rows


def _check_indices(indices: Any, rows: int, simple: bool) -> None:
    """Raises:
    RuntimeError: the first index that is out of range, in the words of the kernel that torch takes."""
    wrong = np.nonzero((indices < 0) | (indices >= rows))[0]
    if wrong.size:
        at, value = int(wrong[0]), int(indices[wrong[0]])
        raise RuntimeError(
            f"Index {at} of input takes value {value} which is not in the valid range [0, {rows})"
            if simple
            else f"embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be {value}"
        )


def _check_tensors(weight: Tensor, indices: Tensor, offsets: Tensor, mode: int, per_sample: Tensor | None) -> None:
    """Raises:
    RuntimeError: a tensor of another dtype or number of dimensions than `torch.embedding_bag` takes."""
    where = " (while checking arguments for embedding_bag)"
    for t in (indices, offsets):  # of one dtype in torch by now, so that it names the first
        if t._array.dtype not in (np.int64, np.int32):
            raise RuntimeError(
                "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
                f"{t.type()} instead{where}"
            )
    if offsets.ndim != 1:
        raise RuntimeError(f"offsets has to be a 1D Tensor, but got Tensor of dimension {offsets.ndim}")
    if weight.ndim != 2:
        raise RuntimeError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.ndim}")
    if weight._array.dtype.kind != "f":
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have one of the following scalar types: Half, BFloat16, Float, Double; "
            f"but got {weight.type()} instead{where}"
        )
    if mode not in _MODES.values():
        raise RuntimeError("`mode` must be sum, mean, or max.")
    if per_sample is None:
        return
    if mode:
        raise RuntimeError("embedding_bag: per_sample_weights only supported with mode='sum'")
    if per_sample.dtype is not weight.dtype:
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have the same type as tensor for argument #1 'per_sample_weights'; but "
            f"type {weight.type()} does not equal {per_sample.type()}{where}"
        )
    if per_sample.numel() != indices.numel():
        raise RuntimeError(
            "Expected per_sample_weights.value().numel() == indices.numel() to be true, but got false.  (Could this error message be "
            "improved?  If so, please report an enhancement request to PyTorch.)"
        )


def _check_offsets(starts: np.ndarray, total: int) -> None:
    if starts.size and starts[0] != 0:
        raise RuntimeError(
            f"offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got {starts[0]}\n"
            "[ torch.LongTensor{} ]"
        )
    if starts.size and starts[-1] > total:
        raise RuntimeError(
            f"offsets[-1] can not be greater than input's length {total} but got offsets[-1] of {starts[-1]}"
        )


def _check_arguments(
    input: Tensor, weight: Tensor, offsets: Any, mode: str, scale_grad_by_freq: bool, sparse: bool, per_sample: Any
) -> None:
    if per_sample is not None and input.shape != per_sample.shape:
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({per_sample.shape}) is not None, then it must have the same shape as the "
            f"input ({input.shape})"
        )
    if weight.ndim != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.ndim}")
    if input.ndim == 2 and offsets is not None:
        raise ValueError(
            "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length sequences. However, "
            f"found offsets of type {type(offsets)}"
        )
    if input.ndim == 1 and offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    if input.ndim == 1 and offsets.dim() != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    if input.ndim not in (1, 2):
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.ndim}")
    if mode not in _MODES:
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    if per_sample is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' (got "
            f"mode='{mode}'). Please open a feature request on GitHub."
        )
    if sparse:
        raise NotImplementedError("embedding_bag(sparse=True): sparse gradients are out of the scope of reference_impl")

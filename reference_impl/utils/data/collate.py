"""Collate a list of samples into one batch."""

from __future__ import annotations

import copy
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from reference_impl._dtype import float64
from reference_impl._tensor import Tensor
from reference_impl.ops.creation import as_tensor, tensor
from reference_impl.ops.joining import stack

_UNSUPPORTED = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {0}"


def default_collate(batch: Sequence[Any]) -> Any:
    """Collate a list of samples into a batch: stack tensors and arrays, put numbers into a tensor, return strings unchanged.

    Python floats give float64, integers int64. Dicts, tuples and lists are collated item by item; a tuple without names gives a list:
    [(1, "a"), (2, "b")] -> [tensor([1, 2]), ("a", "b")].

    Raises:
        TypeError: samples of this type cannot be collated.
        RuntimeError: tensors differ in shape, or lists differ in length.
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(batch, 0)
    if isinstance(first, np.ndarray):
        if first.dtype.kind in "OSU":
            raise TypeError(_UNSUPPORTED.format(first.dtype))
        return stack([as_tensor(b) for b in batch], 0)
    if isinstance(first, np.generic) and first.dtype.kind in "biuf":
        return as_tensor(batch)
    if isinstance(first, float):
        return tensor(batch, dtype=float64)
    if isinstance(first, int):
        return tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return _mapping(first, batch)
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(values) for values in zip(*batch, strict=True)))
    if isinstance(first, Sequence):
        return _sequence(first, batch)
    raise TypeError(_UNSUPPORTED.format(type(first)))


def _mapping(first: Any, batch: Sequence[Any]) -> Any:
    collated = {key: default_collate([d[key] for d in batch]) for key in first}
    try:
        if isinstance(first, MutableMapping):
            clone = copy.copy(first)
            clone.update(collated)
            return clone
        return type(first)(collated)
    except TypeError:
        return collated


def _sequence(first: Any, batch: Sequence[Any]) -> Any:
    if any(len(b) != len(first) for b in batch):
        raise RuntimeError("each element in list of batch should be of equal size")
    collated = [default_collate(values) for values in zip(*batch, strict=True)]
    if isinstance(first, tuple):
        return collated
    try:
        if isinstance(first, MutableSequence):
            clone = copy.copy(first)
            for index, value in enumerate(collated):
                clone[index] = value
            return clone
        return type(first)(collated)
    except TypeError:
        return collated


def default_convert(data: Any) -> Any:
    """Convert arrays and NumPy numbers to tensors, also inside of dicts, lists and tuples. A tuple without names becomes a list.

    Arrays of strings or objects, and all other values, are returned unchanged.
    """
    if isinstance(data, Tensor) or isinstance(data, (str, bytes)):
        return data
    if isinstance(data, (np.ndarray, np.generic)):
        return data if data.dtype.kind in "OSU" else as_tensor(data)
    if isinstance(data, Mapping):
        kind: Any = type(data)
        return kind({key: default_convert(value) for key, value in data.items()})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(default_convert(d) for d in data))
    if isinstance(data, tuple):
        return [default_convert(d) for d in data]
    if isinstance(data, Sequence):
        kind = type(data)
        try:
            return kind([default_convert(d) for d in data])
        except TypeError:
            return [default_convert(d) for d in data]
    return data


default_collate.__module__ = default_convert.__module__ = "torch.utils.data._utils.collate"

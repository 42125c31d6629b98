"""Datasets: samples by index, or one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl._torch_names import reduce_ex


class Dataset:
    """Samples by index: a subclass has `__getitem__(index)` and, for most samplers, `__len__`."""

    __reduce_ex__ = reduce_ex

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __class_getitem__(cls, item: Any) -> type[Dataset]:
        return cls


class IterableDataset(Dataset):
    """Samples one after the other: a subclass has `__iter__`. With several workers each has a copy of the dataset, so
    `__iter__` must ask `get_worker_info()` which part is its own."""

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")


class TensorDataset(Dataset):
    """Sample i is the tuple of row i of each tensor.

    Raises:
        AssertionError: the tensors have different numbers of rows.
    """

    def __init__(self, *tensors: Tensor) -> None:
        if any(tensors[0].size(0) != t.size(0) for t in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(t[index] for t in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].size(0)


for _cls in (Dataset, IterableDataset, TensorDataset):
    _cls.__module__ = "torch.utils.data.dataset"

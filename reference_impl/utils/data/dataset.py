"""Datasets: map-style datasets return samples by index; iterable datasets yield samples one after the other."""

from __future__ import annotations

import math
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from reference_impl._pickle_names import reduce_ex
from reference_impl._tensor import Tensor
from reference_impl.ops.random_creation import randperm
from reference_impl.random import default_generator


class Dataset:
    """Base of datasets that return samples by index. A subclass defines `__getitem__(index)` and, for most samplers, `__len__`."""

    __reduce_ex__ = reduce_ex

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Any) -> ConcatDataset:
        return ConcatDataset([self, other])

    def __class_getitem__(cls, item: Any) -> type[Dataset]:
        return cls


class IterableDataset(Dataset):
    """Base of datasets that yield samples one after the other. A subclass defines `__iter__`.

    With several workers, each worker iterates over a copy of the dataset. `__iter__` must then use `get_worker_info()` to yield different
    samples in each worker; otherwise every worker yields all samples.
    """

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")


class TensorDataset(Dataset):
    """Dataset whose sample i is a tuple with row i of each tensor.

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


class ConcatDataset(Dataset):
    """The samples of several datasets, one dataset after the other.

    Attributes:
        cumulative_sizes: for each dataset, the number of samples in it and in all datasets before it.

    Raises:
        AssertionError: there is no dataset, or one is an IterableDataset.
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = list(accumulate(map(len, self.datasets)))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, index: int) -> Any:
        if index < 0:
            if -index > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            index += len(self)
        number = bisect_right(self.cumulative_sizes, index)
        return self.datasets[number][index - [0, *self.cumulative_sizes][number]]


class Subset(Dataset):
    """A dataset of the samples of `dataset` at `indices`.

    Raises:
        NotImplementedError: a subclass defines `__getitem__` without `__getitems__`.
    """

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices
        cls = type(self)
        if cls.__getitem__ is not Subset.__getitem__ and cls.__getitems__ is Subset.__getitems__:
            raise NotImplementedError(
                f"{cls.__name__} overrides __getitem__ but not __getitems__. When subclassing Subset and overriding __getitem__, "
                "you must also override __getitems__ to ensure DataLoader works correctly with your custom logic. A simple "
                "implementation:\n\ndef __getitems__(self, indices):\n    return [self.__getitem__(idx) for idx in indices]"
            )

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __getitems__(self, indices: list[int]) -> list[Any]:
        """Return the samples at these indices of the subset. Use the dataset's `__getitems__` if it has that method."""
        own_indices = [self.indices[i] for i in indices]
        get_items = getattr(self.dataset, "__getitems__", None)
        return get_items(own_indices) if callable(get_items) else [self.dataset[i] for i in own_indices]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset: Any, lengths: Sequence[float], generator: Any = default_generator) -> list[Subset]:
    """Return a random subset of `dataset` for each of `lengths`, which are numbers of samples, or fractions that add up to 1.

    No sample is in two subsets. Numbers of samples from fractions are rounded down, and the first subsets get one of the remaining
    samples each. A fraction that gives no sample causes a warning.

    Raises:
        ValueError: the lengths do not add up to the length of the dataset, or a fraction is not between 0 and 1.
    """
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        lengths = _lengths_of_fractions(lengths, len(dataset))
        for index, length in enumerate(lengths):
            if length == 0:
                warnings.warn(
                    f"Length of split at index {index} is 0. This might result in an empty dataset.", stacklevel=2
                )
    if sum(lengths) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    indices = randperm(len(dataset), generator=generator).tolist()
    ends = list(accumulate(lengths))
    return [Subset(dataset, indices[end - length : end]) for end, length in zip(ends, lengths, strict=True)]  # type: ignore[misc]


def _lengths_of_fractions(fractions: Sequence[float], total: int) -> list[int]:
    """Return a length for each fraction of `total`: [0.5, 0.5], 5 -> [3, 2].

    The lengths are rounded down. The remaining samples are added one by one, from the first length on.

    Raises:
        ValueError: a fraction is not between 0 and 1.
    """
    for index, fraction in enumerate(fractions):
        if not 0 <= fraction <= 1:
            raise ValueError(f"Fraction at index {index} is not between 0 and 1")
    lengths = [math.floor(total * fraction) for fraction in fractions]
    for index in range(total - sum(lengths)):
        lengths[index % len(lengths)] += 1
    return lengths


for _cls in (Dataset, IterableDataset, TensorDataset, ConcatDataset, Subset):
    _cls.__module__ = "torch.utils.data.dataset"

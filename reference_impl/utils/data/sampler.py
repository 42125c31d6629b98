"""Samplers, which determine the order in which a loader takes the samples of a dataset."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from reference_impl._dtype import float64
from reference_impl._pickle_names import reduce_ex
from reference_impl._tensor import Tensor
from reference_impl.ops.creation import as_tensor
from reference_impl.ops.random_creation import multinomial, randint, randperm
from reference_impl.random import Generator


class Sampler:
    """Base of all samplers. A subclass defines `__iter__`, which yields indices or lists of indices."""

    __reduce_ex__ = reduce_ex

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError

    def __class_getitem__(cls, item: Any) -> type[Sampler]:
        return cls


class SequentialSampler(Sampler):
    """Sampler of the indices 0, 1, 2, ... in order."""

    def __init__(self, data_source: Any) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


def draw_seed(generator: Any = None) -> int:
    """Return a seed in [0, 2^63), drawn from `generator` or, if it is None, from the default generator."""
    return Tensor._wrap(np.zeros((), np.int64)).random_(generator=generator).item()


class RandomSampler(Sampler):
    """Sampler of `num_samples` random indices, by default as many as the dataset has samples.

    Without `replacement`, no index repeats until all have been drawn; then another permutation begins. With `replacement`, each index
    is drawn independently of the others. Without `generator`, each epoch uses a new generator, and the default generator draws its seed.

    Raises:
        TypeError: `replacement` is not a bool.
        ValueError: `num_samples` is not a positive integer, or the dataset is empty.
    """

    def __init__(
        self, data_source: Any, replacement: bool = False, num_samples: int | None = None, generator: Any = None
    ) -> None:
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement should be a boolean value, but got replacement={replacement}")
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={self.num_samples}")

    @property
    def num_samples(self) -> int:
        """Return the number of samples per epoch, by default the length of the dataset."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        n = len(self.data_source)
        generator = self.generator
        if generator is None:
            seed = draw_seed()
            generator = Generator()
            generator.manual_seed(seed)
        if self.replacement:
            for _ in range(self.num_samples // 32):
                yield from randint(0, n, (32,), generator=generator).tolist()
            yield from randint(0, n, (self.num_samples % 32,), generator=generator).tolist()
        else:
            for _ in range(self.num_samples // n):
                yield from randperm(n, generator=generator).tolist()
            yield from randperm(n, generator=generator).tolist()[: self.num_samples % n]

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """Sampler of the given indices in a random order, each of them once."""

    def __init__(self, indices: Any, generator: Any = None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[Any]:
        for i in randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """Sampler of `num_samples` random indices. Index i is drawn with a probability proportional to `weights[i]`.

    Without `replacement`, each index is drawn at most once.

    Raises:
        ValueError: `num_samples` is not a positive integer, `replacement` is not a bool, or `weights` is not a vector.
    """

    def __init__(self, weights: Any, num_samples: int, replacement: bool = True, generator: Any = None) -> None:
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={num_samples}")
        if not isinstance(replacement, bool):
            raise ValueError(f"replacement should be a boolean value, but got replacement={replacement}")
        self.weights = as_tensor(weights, dtype=float64)
        if self.weights.ndim != 1:
            raise ValueError(
                f"weights should be a 1d sequence but given weights have shape {tuple(self.weights.shape)}"
            )
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        yield from multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator).tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler):
    """Sampler that groups the indices of another sampler into lists of `batch_size`. With `drop_last`, leave out a shorter last list.

    Raises:
        ValueError: `batch_size` is not a positive integer, or `drop_last` is not a bool.
    """

    def __init__(self, sampler: Any, batch_size: int, drop_last: bool) -> None:
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        while batch := list(itertools.islice(indices, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        n = len(self.sampler)
        return n // self.batch_size if self.drop_last else (n + self.batch_size - 1) // self.batch_size


for _cls in (Sampler, SequentialSampler, RandomSampler, SubsetRandomSampler, WeightedRandomSampler, BatchSampler):
    _cls.__module__ = "torch.utils.data.sampler"

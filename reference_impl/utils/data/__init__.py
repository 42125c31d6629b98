"""Datasets, samplers, and the loader that builds batches from them."""

from __future__ import annotations

from typing import Any

from reference_impl.arguments.missing_names import absent
from reference_impl.utils.data.collate import default_collate, default_convert
from reference_impl.utils.data.dataloader import DataLoader
from reference_impl.utils.data.dataset import (
    ConcatDataset,
    Dataset,
    IterableDataset,
    Subset,
    TensorDataset,
    random_split,
)  # fmt: skip
from reference_impl.utils.data.sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)  # fmt: skip
from reference_impl.utils.data.worker import get_worker_info

__all__ = [
    "BatchSampler", "ConcatDataset", "DataLoader", "Dataset", "IterableDataset", "RandomSampler", "Sampler", "SequentialSampler",
    "Subset", "SubsetRandomSampler", "TensorDataset", "WeightedRandomSampler", "default_collate", "default_convert", "get_worker_info", "random_split",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    raise absent("torch.utils.data", name)

"""Run a worker process of a DataLoader, which sends batches to the main process.

A worker sends pickled pairs (number of the batch, batch) through a pipe. If loading a batch raises, it sends an ExceptionWrapper
instead of the batch. If an iterable dataset is exhausted, it sends END.
"""

from __future__ import annotations

import os
import random as python_random
import sys
import traceback
from dataclasses import dataclass
from typing import Any

import numpy as np

from reference_impl import random
from reference_impl.utils.data.fetch import make_fetcher

END = "end of an iterable dataset"
_PARENT_CHECK_SECONDS = 1.0


@dataclass
class WorkerInfo:
    """The result of `get_worker_info()` in a worker process.

    Attributes:
        id: number of the worker, from 0 to num_workers - 1.
        seed: seed of the worker's random numbers.
        dataset: the worker's copy of the dataset.
    """

    id: int
    num_workers: int
    seed: int
    dataset: Any

    def __repr__(self) -> str:
        return f"WorkerInfo(id={self.id}, num_workers={self.num_workers}, seed={self.seed}, dataset={self.dataset})"


WorkerInfo.__module__ = "torch.utils.data._utils.worker"
_worker_info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """Return a WorkerInfo with id, num_workers, seed and dataset of this worker. Return None in the main process."""
    return _worker_info


class ExceptionWrapper:
    """The error that is being handled in a worker. The main process raises it again, with the worker's traceback in its message.

    Args:
        where: what raised the error, such as "in DataLoader worker process 0".
    """

    def __init__(self, where: str) -> None:
        kind, value, trace = sys.exc_info()
        assert kind is not None
        self.kind = kind
        self.message = "".join(traceback.format_exception(kind, value, trace))
        self.where = where

    def reraise(self) -> None:
        """Raise an error of the same type as the wrapped error.

        Raises:
            RuntimeError: an error of this type cannot be created from a message.
        """
        message = f"Caught {self.kind.__name__} {self.where}.\nOriginal {self.message}"
        try:
            error = self.kind(_Unquoted(message) if self.kind is KeyError else message)
        except Exception:
            raise RuntimeError(message) from None
        raise error


class _Unquoted(str):
    """A message that KeyError prints without quotes. (KeyError prints the `repr` of its message.)"""

    def __repr__(self) -> str:
        return str(self)


@dataclass
class WorkerSetup:
    """The options that a worker process needs. `parent` is the process id of the main process."""

    dataset: Any
    auto_collation: bool
    collate_fn: Any
    drop_last: bool
    base_seed: int
    worker_init_fn: Any
    worker_id: int
    num_workers: int
    iterable: bool
    parent: int


def worker_loop(setup: WorkerSetup, connection: Any) -> None:
    """Send a batch for each request (number of the batch, indices), until the request is None or the main process has ended.

    At the start, seed the random numbers of Python, NumPy and the engine with `base_seed` + `worker_id`, set the result of
    `get_worker_info`, and call `worker_init_fn`.

    Instead of a batch, send an ExceptionWrapper if an error occurs, or END if an iterable dataset is exhausted.
    """
    global _worker_info
    seed = setup.base_seed + setup.worker_id
    python_random.seed(seed)
    random.manual_seed(seed)
    # torch computes NumPy's seed from base seed and worker id in another way, so NumPy's numbers differ from those in torch's workers.
    np.random.seed(seed % 2**32)
    _worker_info = WorkerInfo(setup.worker_id, setup.num_workers, seed, setup.dataset)
    where = f"in DataLoader worker process {setup.worker_id}"
    fetcher = failure = None
    try:
        if setup.worker_init_fn is not None:
            setup.worker_init_fn(setup.worker_id)
        fetcher = make_fetcher(setup.dataset, setup.iterable, setup.auto_collation, setup.collate_fn, setup.drop_last)
    except Exception:
        failure = ExceptionWrapper(where)
    while True:
        while not connection.poll(_PARENT_CHECK_SECONDS):
            if os.getppid() != setup.parent:
                return
        request = connection.recv()
        if request is None:
            return
        number, index = request
        connection.send((number, failure or _fetch(fetcher, index, where, setup.iterable)))


def _fetch(fetcher: Any, index: Any, where: str, iterable: bool) -> Any:
    try:
        return fetcher(index)
    except StopIteration:
        if iterable:
            return END
        return ExceptionWrapper(where)
    except Exception:
        return ExceptionWrapper(where)

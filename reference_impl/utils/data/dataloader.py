"""`DataLoader`: build batches of a dataset, in this process or in worker processes."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import warnings
from collections.abc import Iterator
from multiprocessing.connection import wait
from typing import Any

from reference_impl._fields import KW_ONLY, InitOnly, declare
from reference_impl.utils.data.collate import default_collate, default_convert
from reference_impl.utils.data.dataset import IterableDataset
from reference_impl.utils.data.fetch import make_fetcher
from reference_impl.utils.data.sampler import BatchSampler, RandomSampler, SequentialSampler, draw_seed
from reference_impl.utils.data.worker import END, ExceptionWrapper, WorkerSetup, worker_loop

_FIXED = ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers")


class _InfiniteSampler:
    """The sampler for an iterable dataset, which has no indices. It yields None without end."""

    def __iter__(self) -> Iterator[None]:
        return itertools.repeat(None)


class DataLoader:
    """Load the samples of `dataset` in batches. Each iteration over the loader is an epoch.

    Args:
        batch_size: number of samples per batch. With None, the loader yields single samples.
        shuffle: whether each epoch visits the samples in a new random order.
        sampler: iterable of sample indices, instead of `shuffle`.
        batch_sampler: iterable of lists of sample indices, one per batch, instead of `batch_size`, `shuffle` and `sampler`.
        num_workers: number of processes that load batches. With 0, the main process loads them.
        collate_fn: function that turns a list of samples into a batch, by default `default_collate`. If the loader yields single samples,
            the function is called with each sample, and is by default `default_convert`.
        pin_memory: accepted and ignored, with a warning in each epoch.
        drop_last: whether to leave out the last batch of an epoch (for an iterable dataset, of each worker) if it has fewer than
            `batch_size` samples.
        timeout: number of seconds to wait for a batch from a worker, before RuntimeError is raised. With 0, there is no limit.
        worker_init_fn: function that each worker calls with its number when it starts.
        multiprocessing_context: how to start the workers: a start method, by default "fork", or a context of `multiprocessing`.
        generator: generator for `shuffle` and the seeds of the workers.
        prefetch_factor: number of batches that each worker loads in advance, by default 2.
        persistent_workers: whether to use the same worker processes in all epochs.
        pin_memory_device, in_order: accepted and ignored. Batches always come in the order of the sampler.

    Raises:
        ValueError: an option has an invalid value, or two options exclude each other.
        RuntimeError: in an epoch, a worker has ended or has not sent a batch in time.
    """

    dataset: Any
    batch_size: int | None = 1
    shuffle: InitOnly = None
    sampler: Any = None
    batch_sampler: Any = None
    num_workers: int = 0
    collate_fn: Any = None
    pin_memory: bool = False
    drop_last: bool = False
    timeout: float = 0
    worker_init_fn: Any = None
    multiprocessing_context: Any = None
    generator: Any = None
    _: KW_ONLY
    prefetch_factor: Any = None
    persistent_workers: bool = False
    pin_memory_device: str = ""
    in_order: bool = True

    def _begin(self, options: dict[str, Any]) -> None:
        shuffle = options.pop("shuffle")
        vars(self).update(options)
        self._workers: _Workers | None = None
        self._iterable = isinstance(self.dataset, IterableDataset)
        self._check_worker_options()
        self._check_sampling(shuffle)
        if self.num_workers > 0 and self.prefetch_factor is None:
            self.prefetch_factor = 2
        if self.sampler is None:
            if self._iterable:
                self.sampler = _InfiniteSampler()
            elif shuffle:
                self.sampler = RandomSampler(self.dataset, generator=self.generator)
            else:
                self.sampler = SequentialSampler(self.dataset)
        if self.batch_sampler is not None:
            self.batch_size = None
        elif self.batch_size is not None:
            self.batch_sampler = BatchSampler(self.sampler, self.batch_size, self.drop_last)
        if not self.collate_fn:
            self.collate_fn = default_collate if self._auto_collation else default_convert
        self._initialized = True

    def _check_worker_options(self) -> None:
        if self.num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        if self.timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if self.num_workers == 0 and self.prefetch_factor is not None:
            raise ValueError(
                "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable multiprocessing, "
                "otherwise set prefetch_factor to None."
            )
        if self.prefetch_factor is not None and self.prefetch_factor < 0:
            raise ValueError("prefetch_factor option should be non-negative")
        if self.persistent_workers and self.num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        if self.multiprocessing_context is not None and self.num_workers == 0:
            raise ValueError(
                "multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got "
                f"num_workers={self.num_workers}"
            )

    def _check_sampling(self, shuffle: Any) -> None:
        if self._iterable:
            for name, value in (("shuffle", shuffle), ("sampler", self.sampler), ("batch_sampler", self.batch_sampler)):
                if value is not None and not (name == "shuffle" and value is False):
                    raise ValueError(
                        f"DataLoader with IterableDataset: expected unspecified {name} option, but got {name}={value}"
                    )
        if self.sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if self.batch_sampler is not None:
            if self.batch_size != 1 or shuffle or self.sampler is not None or self.drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
                )
        elif self.batch_size is None and self.drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")

    def __setattr__(self, name: str, value: Any) -> None:
        if getattr(self, "_initialized", False) and name in _FIXED:
            raise ValueError(f"{name} attribute should not be set after {type(self).__name__} is initialized")
        super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    @property
    def _auto_collation(self) -> bool:
        return self.batch_sampler is not None

    @property
    def _index_sampler(self) -> Any:
        return self.batch_sampler if self._auto_collation else self.sampler

    def __len__(self) -> int:
        """Return the number of batches per epoch; without batches, the number of samples.

        For an iterable dataset, compute it from the length of the dataset, otherwise from that of the sampler.

        Raises:
            TypeError: the dataset or the sampler has no length.
        """
        if not self._iterable:
            return len(self._index_sampler)
        n = len(self.dataset)
        if self.batch_size is None:
            return n
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self) -> Iterator[Any]:
        if self.pin_memory:
            warnings.warn(
                "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be used.",
                stacklevel=2,
            )
        if self._workers is not None:
            return self._workers.run_epoch(iter(self._index_sampler))
        base_seed = draw_seed(self.generator)
        if self.num_workers == 0:
            return _SingleProcessDataLoaderIter(self)
        workers = _Workers(self, base_seed)
        if self.persistent_workers:
            self._workers = workers
        return workers.run_epoch(iter(self._index_sampler))


declare(DataLoader, "_begin")
DataLoader.__module__ = "torch.utils.data.dataloader"


class _SingleProcessDataLoaderIter:
    """An iterator that loads the batches of an epoch in this process. After an error in a sample, the epoch continues."""

    def __init__(self, loader: DataLoader) -> None:
        self._index_sampler = loader._index_sampler
        self._indices = iter(self._index_sampler)
        self._fetch = make_fetcher(
            loader.dataset, loader._iterable, loader._auto_collation, loader.collate_fn, loader.drop_last
        )

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return self._fetch(next(self._indices))

    def __len__(self) -> int:
        return len(self._index_sampler)


class _MultiProcessingDataLoaderIter:
    """An iterator over the batches of an epoch that worker processes load."""

    def __init__(self, loader: DataLoader, batches: Iterator[Any]) -> None:
        self._index_sampler = loader._index_sampler
        self._batches = batches

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._batches)

    def __len__(self) -> int:
        return len(self._index_sampler)


for _class in (_SingleProcessDataLoaderIter, _MultiProcessingDataLoaderIter):
    _class.__module__ = "torch.utils.data.dataloader"


class _Epoch:
    """The state of an epoch.

    Attributes:
        ready: batches that arrived before an earlier batch, by their number.
        ended: workers whose iterable dataset is exhausted.
        outstanding: the worker of each batch that was requested but not yielded yet, by the number of the batch.
    """

    def __init__(self, connections: list[Any], requests: Iterator[tuple[int, Any]]) -> None:
        self.connections = connections
        self.requests = requests
        self.ready: dict[int, Any] = {}
        self.ended: set[int] = set()
        self.outstanding: dict[int, int] = {}
        self.next_worker = itertools.cycle(range(len(connections)))

    def request_next(self) -> bool:
        """Request the next batch from the next worker that has not ended. Return False if no such worker or no batch is left."""
        for worker in itertools.islice(self.next_worker, len(self.connections)):
            if worker not in self.ended:
                break
        else:
            return False
        request = next(self.requests, None)
        if request is None:
            return False
        self.connections[worker].send(request)
        self.outstanding[request[0]] = worker
        return True


class _Workers:
    """The worker processes of a loader. The workers take turns, but batches are yielded in the order of the sampler."""

    def __init__(self, loader: DataLoader, base_seed: int) -> None:
        context = loader.multiprocessing_context
        if context is None or isinstance(context, str):
            context = multiprocessing.get_context(context or "fork")
        self.loader = loader
        self.connections, self.processes = [], []
        self.running: _Epoch | None = None
        for number in range(loader.num_workers):
            receiving_end, worker_end = context.Pipe()
            setup = WorkerSetup(
                loader.dataset,
                loader._auto_collation,
                loader.collate_fn,
                loader.drop_last,
                base_seed,
                loader.worker_init_fn,
                number,
                loader.num_workers,
                loader._iterable,
                os.getpid(),
            )
            process = context.Process(target=worker_loop, args=(setup, worker_end), daemon=True)
            process.start()
            worker_end.close()
            self.connections.append(receiving_end)
            self.processes.append(process)

    def run_epoch(self, indices: Iterator[Any]) -> Iterator[Any]:
        """Discard the batches of an unfinished epoch, request the first batches of a new epoch, and return an iterator over this epoch."""
        self._drain()
        epoch = _Epoch(self.connections, enumerate(indices))
        self.running = epoch
        for _ in range(self.loader.prefetch_factor * len(self.connections)):
            if not epoch.request_next():
                break
        return _MultiProcessingDataLoaderIter(self.loader, self._batches(epoch))

    def _batches(self, epoch: _Epoch) -> Iterator[Any]:
        number = 0
        try:
            while number in epoch.outstanding or number in epoch.ready:
                while number not in epoch.ready:
                    received_number, batch = self._receive(epoch.outstanding[number])
                    epoch.ready[received_number] = batch
                batch = epoch.ready.pop(number)
                worker = epoch.outstanding.pop(number)
                number += 1
                if isinstance(batch, ExceptionWrapper):
                    batch.reraise()
                if isinstance(batch, str) and batch == END:
                    epoch.ended.add(worker)
                    epoch.request_next()
                    continue
                epoch.request_next()
                yield batch
        finally:
            if not self.loader.persistent_workers:
                self.shut_down()
            elif self.running is epoch:
                self._drain()

    def _drain(self) -> None:
        """Receive and discard the outstanding batches of an unfinished epoch."""
        unfinished_epoch, self.running = self.running, None
        if unfinished_epoch is not None:
            for number in [n for n in unfinished_epoch.outstanding if n not in unfinished_epoch.ready]:
                self._receive(unfinished_epoch.outstanding[number])

    def _receive(self, worker: int) -> Any:
        connection, process = self.connections[worker], self.processes[worker]
        ready = wait([connection, process.sentinel], self.loader.timeout or None)
        if not ready:
            raise RuntimeError(f"DataLoader timed out after {self.loader.timeout} seconds")
        try:
            if connection.poll():
                return connection.recv()
        except (EOFError, ConnectionResetError):
            pass
        process.join(1)
        raise RuntimeError(
            f"DataLoader worker (pid(s) {process.pid}) exited unexpectedly with exit code {process.exitcode}"
        )

    def shut_down(self) -> None:
        for connection in self.connections:
            try:
                connection.send(None)
            except (BrokenPipeError, OSError):
                pass
            connection.close()
        for process in self.processes:
            process.join(0.5)
            if process.is_alive():
                process.terminate()
                process.join()

    def __del__(self) -> None:
        if all(not c.closed for c in self.connections):
            self.shut_down()

"""A program that loads data prints the same on both engines: batches, their order, random numbers and errors of workers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

import reference_impl
from reference_impl.utils import data

PROGRAM = """
def e(f):
    try: print("OK", f())
    except Exception as x: print(type(x).__name__, "|", str(x).split("Original")[0])

torch.manual_seed(0)
ds = D.TensorDataset(torch.arange(10), torch.arange(20.).view(10, 2))
for options in (
    {"batch_size": 3},
    {"batch_size": 4, "shuffle": True},
    {"batch_size": 4, "shuffle": True, "num_workers": 2},
    {"batch_size": 4, "drop_last": True, "num_workers": 1, "persistent_workers": True},
    {"batch_size": None},
):
    loader = D.DataLoader(ds, **options)
    print(len(loader))
    for _ in range(2):
        for batch in loader: print(batch)

class Numbers(D.IterableDataset):
    def __iter__(self):
        w = D.get_worker_info()
        return iter(range(7) if w is None else range(w.id, 7, w.num_workers))

print([b.tolist() for b in D.DataLoader(Numbers(), batch_size=2)])
print([b.tolist() for b in D.DataLoader(Numbers(), batch_size=2, num_workers=2)])

class Bad(D.Dataset):
    def __len__(self): return 4
    def __getitem__(self, i):
        if i == 2: raise KeyError("no")
        return {"a": i, "b": [1.5, "x"], "c": (torch.ones(2), 3)}

print(next(iter(D.DataLoader(Bad(), batch_size=2))))
e(lambda: list(D.DataLoader(Bad(), batch_size=2, num_workers=1)))
for options in ({"num_workers": -1}, {"batch_size": 0}, {"prefetch_factor": 2}, {"timeout": -1},
                {"persistent_workers": True}, {"batch_size": None, "drop_last": True},
                {"sampler": D.SequentialSampler(ds), "shuffle": True}):
    e(lambda: D.DataLoader(ds, **options))
e(lambda: D.DataLoader(Numbers(), shuffle=True))

class Drawn(D.Dataset):
    def __len__(self): return 4
    def __getitem__(self, i):
        import random
        return torch.rand(1).item(), random.random()

print(list(D.DataLoader(Drawn(), num_workers=2)))
print(list(D.RandomSampler(range(5), replacement=True, num_samples=40)))
print(list(D.BatchSampler(D.SequentialSampler(range(5)), 2, False)))
e(lambda: D.default_collate([object()]))
e(lambda: D.default_collate([torch.ones(2), torch.ones(3)]))
e(lambda: D.default_collate([[1], [1, 2]]))

class Dies(D.Dataset):
    def __len__(self): return 4
    def __getitem__(self, i):
        import os
        os._exit(3)

e(lambda: list(D.DataLoader(Dies(), num_workers=1)))
"""


def run_program(engine: str) -> str:
    """Run PROGRAM with an engine as `torch` and return its output, without process ids and addresses."""
    start = f"import {engine} as torch; from {engine}.utils import data as D\n"
    start += "import multiprocessing; multiprocessing.set_start_method('fork')\n"  # Python 3.14 has another default
    run = subprocess.run([sys.executable, "-c", start + PROGRAM], capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    return re.sub(r"pid\(s\) \d+|0x[0-9a-f]+", "*", run.stdout)


def test_loaders_return_the_same_batches_and_errors_on_both_engines():
    with ThreadPoolExecutor() as pool:
        expected, actual = pool.map(run_program, ("torch", "reference_impl"))
    *lines, crash = actual.splitlines()
    *torch_lines, torch_crash = expected.splitlines()
    assert lines == torch_lines
    assert "exited unexpectedly" in torch_crash and "exited unexpectedly with exit code 3" in crash


class SlowDataset(data.Dataset):
    """A dataset whose items take longer than the timeouts in these tests."""

    def __len__(self):
        return 2

    def __getitem__(self, index):
        time.sleep(30)


def test_a_slow_worker_raises_a_timeout():
    loader = data.DataLoader(SlowDataset(), num_workers=1, timeout=1)
    started = time.monotonic()
    with pytest.raises(RuntimeError, match="DataLoader timed out after 1 seconds"):
        next(iter(loader))
    assert time.monotonic() - started < 10


class ProcessIds(data.Dataset):
    """A dataset each of whose items is the id of the process that loads it."""

    def __len__(self):
        return 100

    def __getitem__(self, index):
        return os.getpid()


def test_an_iterator_that_is_deleted_early_leaves_no_process():
    batches = iter(data.DataLoader(ProcessIds(), num_workers=2))
    pids = {int(next(batches)) for _ in range(4)}
    assert len(pids) == 2 and os.getpid() not in pids
    del batches
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_batches_can_be_used_in_a_backward_pass():
    features, labels = reference_impl.randn(8, 3), reference_impl.arange(8)
    for x, y in data.DataLoader(data.TensorDataset(features, labels), batch_size=4):
        w = reference_impl.zeros(3, requires_grad=True)
        (x @ w - y).pow(2).sum().backward()
        assert w.grad.shape == (3,)


@pytest.mark.parametrize("persistent", [False, True])
@pytest.mark.parametrize("workers, factor", [(1, 2), (2, 2), (1, 3)])
def test_batches_are_prefetched_when_the_iterator_is_created(workers, factor, persistent):
    class Batches:
        def __iter__(self):
            self.taken = 0
            for number in range(20):
                self.taken += 1
                yield [number]

    counts = []
    for engine_data in (data, torch.utils.data):
        sampler = Batches()
        loader = engine_data.DataLoader(
            list(range(20)),
            batch_sampler=sampler,
            num_workers=workers,
            prefetch_factor=factor,
            persistent_workers=persistent,
        )
        iter(loader)  # the next iterator begins from the start, although this one is not consumed
        batches = iter(loader)
        taken_before = sampler.taken
        first = next(batches).tolist()
        counts.append((first, taken_before, sampler.taken))
    assert counts[0] == counts[1]
    assert counts[0] == ([0], workers * factor, workers * factor + 1)

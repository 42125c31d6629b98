"""Gradients travel in buckets: one exchange for several parameters."""
# covers: ddp.autograd-hooks
# engines: torch -- torch.distributed, with its processes and sockets, is not part of autograd
# timeout: 120

import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from torch.nn.parallel import DistributedDataParallel


def work(rank, folder):
    dist.init_process_group("gloo", init_method=f"file://{folder}/rendezvous", rank=rank, world_size=2)
    torch.manual_seed(0)
    model = torch.nn.Sequential(*[torch.nn.Linear(10, 10) for _ in range(4)])
    parallel = DistributedDataParallel(model, bucket_cap_mb=0.0005)  # about 500 bytes, to have several
    parameters = []

    def exchange(state, bucket):
        parameters.append(len(bucket.parameters()))
        return allreduce_hook(state, bucket)

    parallel.register_comm_hook(None, exchange)
    with open(f"{folder}/{rank}", "w") as file:
        for step in range(2):
            parallel(torch.ones(1, 10)).sum().backward()
            print(f"step {step}: parameters per exchange {parameters}", file=file)
            parameters.clear()
    dist.destroy_process_group()


with tempfile.TemporaryDirectory() as folder:
    os.environ["OMP_NUM_THREADS"] = "1"
    mp.start_processes(work, (folder,), nprocs=2, start_method="fork")
    print(open(f"{folder}/0").read(), end="")
#> step 0: parameters per exchange [8]
#> step 1: parameters per exchange [4, 4]

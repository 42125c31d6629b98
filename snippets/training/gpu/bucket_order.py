"""The order of gradients and buckets in one backward pass under DDP, as one of two processes sees it."""
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
    layers = [torch.nn.Linear(1024, 1024, bias=False) for _ in range(6)]  # 4 MiB of gradient each
    parallel = DistributedDataParallel(torch.nn.Sequential(*layers), bucket_cap_mb=8)
    order = []
    for number, layer in enumerate(layers):
        layer.weight.register_post_accumulate_grad_hook(lambda _, n=number: order.append(f"layer {n}"))

    def exchange(state, bucket):  # called when a bucket is full; returns a promise and doesn't wait
        order.append(f"bucket {bucket.index()} leaves")
        return allreduce_hook(state, bucket)

    parallel.register_comm_hook(None, exchange)
    for _ in range(2):  # after the first pass, DDP fills its buckets in the order in which gradients arrived
        order.clear()
        parallel(torch.ones(1, 1024)).sum().backward()
    with open(f"{folder}/{rank}", "w") as file:
        file.write("\n".join(order))
    del parallel  # before its group: the other way round a process may wait for ever
    dist.destroy_process_group()


with tempfile.TemporaryDirectory() as folder:
    os.environ["OMP_NUM_THREADS"] = "1"
    mp.start_processes(work, (folder,), nprocs=2, start_method="fork")
    print(open(f"{folder}/0").read())
#> layer 5
#> layer 4
#> bucket 0 leaves
#> layer 3
#> layer 2
#> bucket 1 leaves
#> layer 1
#> layer 0
#> bucket 2 leaves

"""Two processes with different data end with the same gradient."""
# covers: ddp.autograd-hooks
# engines: torch -- torch.distributed, with its processes and sockets, is not part of autograd
# timeout: 120

import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel


def work(rank, folder):
    dist.init_process_group("gloo", init_method=f"file://{folder}/rendezvous", rank=rank, world_size=2)
    torch.manual_seed(0)
    model = torch.nn.Linear(1, 1, bias=False)
    parallel = DistributedDataParallel(model)
    parallel(torch.tensor([[10.0 * (rank + 1)]])).sum().backward()
    with open(f"{folder}/{rank}", "w") as file:
        file.write(str(model.weight.grad.item()))
    del parallel  # before its group: the other way round a process may wait for ever
    dist.destroy_process_group()


with tempfile.TemporaryDirectory() as folder:
    os.environ["OMP_NUM_THREADS"] = "1"
    mp.start_processes(work, (folder,), nprocs=2, start_method="fork")
    print([open(f"{folder}/{rank}").read() for rank in range(2)])
#> ['15.0', '15.0']

"""The graph shows one run, without the branches that were not taken."""
# engines: torch -- torch.jit follows the run
# needs: tensorboard

import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator


class Branch(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x.exp()
        return x.tanh()


def operations(x, folder):
    with SummaryWriter(folder) as writer:
        writer.add_graph(Branch(), (x,))
    graph = EventAccumulator(writer.log_dir).Reload().Graph()
    return [node.op for node in graph.node if node.op in ("aten::exp", "aten::tanh")]


print(operations(torch.ones(2), "runs/above"))
#> ['aten::exp']
#~ TracerWarning: Converting a tensor to a Python boolean might cause the trace to be incorrect. We can't record the data flow of Python values, so this value will be treated as a constant in the future. This means that the trace might not generalize to other inputs!
print(operations(-torch.ones(2), "runs/below"))
#> ['aten::tanh']

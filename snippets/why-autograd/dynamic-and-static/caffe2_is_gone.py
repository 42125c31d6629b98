"""`torch.export` builds a graph for other programs, and Caffe2 is no longer part of PyTorch."""
# covers: graph.blurring
# engines: torch -- torch.export belongs to torch's own compiler

import torch


class Model(torch.nn.Module):
    def forward(self, x, w):
        return (x + w) * (w + 1)


exported = torch.export.export(Model(), (torch.tensor(2.0), torch.tensor(1.0)))
for node in exported.graph.nodes:
    print(node.op, node.name)
#> placeholder x
#> placeholder w
#> call_function add
#> call_function add_1
#> call_function mul
#> output output
print(exported.module()(torch.tensor(2.0), torch.tensor(1.0)))
#> tensor(6.)

import caffe2
#! ModuleNotFoundError: No module named 'caffe2'

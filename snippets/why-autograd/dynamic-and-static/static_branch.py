"""A static graph can contain both branches, and the data decide which of them runs."""
# covers: graph.dynamic-criteria graph.static-cons
# engines: torch -- torch.export belongs to torch's own compiler
# timeout: 60

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: -x, (x,))


exported = torch.export.export(Model(), (torch.tensor([1.0, 2.0]),))
for node in exported.graph.nodes:
    print(node.op, node.name)
#> placeholder x
#> call_function sum_1
#> call_function gt
#> get_attr true_graph_0
#> get_attr false_graph_0
#> call_function cond
#> call_function getitem
#> output output
print(exported.module()(torch.tensor([1.0, 2.0])))
#> tensor([2., 4.])
print(exported.module()(torch.tensor([-1.0, -2.0])))
#> tensor([1., 2.])

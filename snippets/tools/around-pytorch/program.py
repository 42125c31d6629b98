"""`torch.export` creates a program from a module."""
# engines: torch -- the engine has no exporter
# timeout: 60

import torch

net, x = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.ReLU()), torch.ones(1, 2)
program = torch.export.export(net, (x,))
for node in program.graph.nodes:
    print(node.op, node.target)
#> placeholder p_0_weight
#> placeholder p_0_bias
#> placeholder input
#> call_function aten.linear.default
#> call_function aten.relu.default
#> output output

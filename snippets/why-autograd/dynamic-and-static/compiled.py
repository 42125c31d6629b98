"""`torch.compile` captures graphs from ordinary Python, and a new one when the branch changes."""
# covers: graph.static-efficiency graph.blurring graph.dynamic-vs-static
# engines: torch -- torch.compile reads Python bytecode, outside the engine's scope
# timeout: 60

import torch

captured = []


def backend(graph_module, example_inputs):
    calls = [n.target for n in graph_module.graph.nodes if n.op.startswith("call")]
    captured.append([getattr(call, "__name__", call) for call in calls])
    return graph_module.forward


@torch.compile(backend=backend)
def f(x):
    y = x * 2
    if x.sum() > 0:
        return y + 1
    return y - 1


print(f(torch.ones(3)), captured)
#> tensor([3., 3., 3.]) [['mul', 'sum', 'gt'], ['add']]
print(f(torch.ones(3)), len(captured))
#> tensor([3., 3., 3.]) 2
print(f(-torch.ones(3)), captured)
#> tensor([-3., -3., -3.]) [['mul', 'sum', 'gt'], ['add'], ['sub']]

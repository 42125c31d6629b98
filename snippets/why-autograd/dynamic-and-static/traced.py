"""PyTorch can build a graph of the forward pass before running it."""
# covers: graph.dynamic-vs-static graph.dynamic-criteria graph.blurring
# engines: torch -- torch.fx is a tracer of its own, outside the engine's scope

import torch
import torch.fx


class Model(torch.nn.Module):
    def forward(self, x, w):
        a = x + w
        b = w + 1
        return a * b


traced = torch.fx.symbolic_trace(Model())
for node in traced.graph.nodes:
    print(node.op, node.name, node.args)
#> placeholder x ()
#> placeholder w ()
#> call_function add (x, w)
#> call_function add_1 (w, 1)
#> call_function mul (add, add_1)
#> output output (mul,)
print(traced(torch.tensor(2.0), torch.tensor(1.0)))
#> tensor(6.)

"""Tracing cannot follow an `if` that depends on the data."""
# covers: graph.dynamic-criteria graph.static-cons
# engines: torch -- torch.fx is a tracer of its own, outside the engine's scope

import torch
import torch.fx


class Model(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x * 2
        return -x


print(Model()(torch.tensor([1.0, 2.0])))
#> tensor([2., 4.])
torch.fx.symbolic_trace(Model())
#! TraceError: symbolically traced variables cannot be used as inputs to control flow

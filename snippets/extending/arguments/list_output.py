"""Tensors that are returned in a list are not connected to the graph."""
# covers: function.backward-arg-count

import torch


class Halves(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return [x[:1] * 1, x[1:] * 1]

    @staticmethod
    def backward(ctx, first, second):
        return torch.cat([first, second])


x = torch.tensor([1.0, 2.0], requires_grad=True)
print(Halves.apply(x))
#> [tensor([1.]), tensor([2.])]


class HalvesAsTuple(Halves):
    @staticmethod
    def forward(ctx, x):
        return x[:1] * 1, x[1:] * 1


print(HalvesAsTuple.apply(x))
#> (tensor([1.], grad_fn=<HalvesAsTupleBackward>), tensor([2.], grad_fn=<HalvesAsTupleBackward>))

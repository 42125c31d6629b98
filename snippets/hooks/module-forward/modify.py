"""A forward hook can change the output by returning another tensor or by writing into it."""
# covers: hooks.forward-hook-modify-claim

import torch
from torch import nn

layer = nn.Linear(2, 1, bias=False)
nn.init.ones_(layer.weight)
x = torch.tensor([[1.0, 2.0]])
print(layer(x))
#> tensor([[3.]], grad_fn=<MmBackward0>)


def returns_another(module, inputs, output):
    return output * 10


def writes_into_it(module, inputs, output):
    output.mul_(10)


def returns_nothing(module, inputs, output):
    output = output * 10


with layer.register_forward_hook(returns_another):
    print(layer(x))
#> tensor([[30.]], grad_fn=<MulBackward0>)

with layer.register_forward_hook(writes_into_it):
    print(layer(x))
#> tensor([[30.]], grad_fn=<MulBackward0>)

with layer.register_forward_hook(returns_nothing):
    print(layer(x))
#> tensor([[3.]], grad_fn=<MmBackward0>)

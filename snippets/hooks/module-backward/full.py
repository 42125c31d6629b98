"""A full backward hook receives one gradient per input and one per output."""
# covers: hooks.module-backward-hook

import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(3, 2)
x = torch.ones(4, 3, requires_grad=True)


def show(module, grad_input, grad_output):
    print("grad_input: ", [tuple(g.shape) for g in grad_input])
    print("grad_output:", [tuple(g.shape) for g in grad_output])


layer.register_full_backward_hook(show)
layer(x).sum().backward()
#> grad_input:  [(4, 3)]
#> grad_output: [(4, 2)]

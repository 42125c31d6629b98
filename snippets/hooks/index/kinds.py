"""Hooks of eight kinds print a line each, in the order in which they run."""
# covers: hooks.three-kinds

import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(2, 2)
x = torch.ones(1, 2, requires_grad=True)


def say(text):
    return lambda *args: print(text)


layer.register_forward_pre_hook(say("module: before forward"))
layer.register_forward_hook(say("module: after forward"))
layer.register_full_backward_pre_hook(say("module: before backward"))
layer.register_full_backward_hook(say("module: after backward"))
x.register_hook(say("tensor x: its gradient is ready"))
layer.weight.register_hook(say("parameter: its gradient is ready"))
layer.weight.register_post_accumulate_grad_hook(say("parameter: its .grad is filled"))

loss = layer(x).sum()
#> module: before forward
#> module: after forward
loss.grad_fn.register_prehook(say("node: before its backward"))
loss.grad_fn.register_hook(say("node: after its backward"))
loss.backward()
#> node: before its backward
#> node: after its backward
#> module: before backward
#> parameter: its gradient is ready
#> parameter: its .grad is filled
#> module: after backward
#> tensor x: its gradient is ready

"""A full backward hook isn't called for outputs in a dict or a list."""

import torch
from torch import nn


class InADict(nn.Module):
    def forward(self, x):
        return {"out": x * 2}


layer = InADict()
layer.register_full_backward_hook(lambda module, grad_input, grad_output: print("hook"))
x = torch.ones(1, requires_grad=True)

output = layer(x)
#~ UserWarning: For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received <class 'dict'>
output["out"].backward()
print(x.grad)
#> tensor([2.])

"""A hook that changes the input after `forward` overwrites the caller's tensor and breaks the gradient."""
# covers: hooks.forward-hook-modify-claim

import torch
from torch import nn

layer = nn.Linear(2, 1, bias=False)
nn.init.ones_(layer.weight)
x = torch.tensor([[1.0, 2.0]])


def writes_into_the_input(module, inputs, output):
    inputs[0].zero_()


with layer.register_forward_hook(writes_into_the_input):
    output = layer(x)

print(output)
#> tensor([[3.]], grad_fn=<MmBackward0>)
print(x)
#> tensor([[0., 0.]])

# The weight's gradient needs the old input, which is gone.
output.backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [1, 2]] is at version 1; expected version 0 instead. ...

"""For a layer without parameters, the hook receives the gradients of its input and its output."""
# covers: hooks.backward-hook-relu

import torch
from torch import nn


def show(module, grad_input, grad_output):
    print("grad_input: ", grad_input)
    print("grad_output:", grad_output)


relu = nn.ReLU()
relu.register_full_backward_hook(show)
x = torch.tensor([-1.0, 2.0, 3.0], requires_grad=True)
(relu(x) * torch.tensor([10.0, 20.0, 30.0])).sum().backward()
#> grad_input:  (tensor([ 0., 20., 30.]),)
#> grad_output: (tensor([10., 20., 30.]),)

# An input that needs no gradient: there is no backward pass, and no call.
output = relu(torch.tensor([-1.0, 2.0, 3.0]))
print(output.requires_grad)
#> False

"""`retain_grad`, a tensor hook and a module hook give the same gradient at an inner layer."""
# covers: hooks.forward-hook-usecase

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
gradients = {}


def at_output(module, inputs, output):
    output.retain_grad()
    gradients["retained"] = output
    output.register_hook(lambda grad: gradients.update(tensor_hook=grad))


def backward_hook(module, grad_input, grad_output):
    gradients["module_hook"] = grad_output[0]


model[1].register_forward_hook(at_output)
model[1].register_full_backward_hook(backward_hook)
model(torch.ones(1, 2)).backward()

print(gradients["retained"].grad)
#> tensor([[-0.0140,  0.5607]])
print(gradients["tensor_hook"])
#> tensor([[-0.0140,  0.5607]])
print(gradients["module_hook"])
#> tensor([[-0.0140,  0.5607]])

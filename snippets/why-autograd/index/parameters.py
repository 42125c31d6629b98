"""The parameters of a module require gradients from the start."""
# covers: autograd.why-numpy

import torch

layer = torch.nn.Linear(3, 1)
for name, parameter in layer.named_parameters():
    print(name, tuple(parameter.shape), parameter.requires_grad)
#> weight (1, 3) True
#> bias (1,) True

print(torch.ones(3).requires_grad)
#> False
print(layer(torch.ones(3)).requires_grad)
#> True

"""One hook per layer measures how gradients shrink through sigmoid and tanh layers."""

import torch
from torch import nn

torch.manual_seed(0)


def gradient_sizes(activation):
    layers = []
    for _ in range(6):
        layers += [nn.Linear(16, 16), activation()]
    model = nn.Sequential(*layers)
    sizes = []

    def hook(module, grad_input, grad_output):
        sizes.append(grad_output[0].norm().item())

    for layer in model:
        if isinstance(layer, nn.Linear):
            layer.register_full_backward_hook(hook)
    model(torch.randn(8, 16, requires_grad=True)).sum().backward()
    return sizes


sigmoid = gradient_sizes(nn.Sigmoid)
tanh = gradient_sizes(nn.Tanh)
print("Sigmoid", " ".join(f"{size:.4f}" for size in sigmoid))
#> Sigmoid 2.7675 0.3218 0.0385 0.0044 0.0007 0.0001
print("Tanh   ", " ".join(f"{size:.4f}" for size in tanh))
#> Tanh    11.0701 6.8435 3.7036 1.8359 0.8782 0.4808

"""How gradients shrink through sigmoid layers, measured with one hook per layer."""

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


for activation in nn.Sigmoid, nn.Tanh:
    sizes = gradient_sizes(activation)
    print(activation.__name__, " ".join(f"{size:.5f}" for size in sizes))
#> Sigmoid 2.76749 0.32176 0.03852 0.00442 0.00071 0.00008
#> Tanh 11.07011 6.84350 3.70365 1.83588 0.87817 0.48081

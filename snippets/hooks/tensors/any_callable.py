"""Anything that can be called with one gradient can be a hook."""
# covers: hooks.tensor-register-hook

import torch


class Scaler:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, grad):
        return grad * self.factor


x = torch.tensor([1.0], requires_grad=True)
x.register_hook(Scaler(10))
x.register_hook(torch.neg)
(x * 2).backward()
print(x.grad)
#> tensor([-20.])

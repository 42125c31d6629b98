"""PyTorch never calls a `backward` method of a module."""
# covers: function.subclass-two-statics

import torch


class Exp(torch.nn.Module):
    def forward(self, x):
        return x.exp()

    def backward(self, grad_output):
        print("never printed")
        return grad_output * 100


x = torch.tensor([1.0], requires_grad=True)
Exp()(x).backward()
print(x.grad)
#> tensor([2.7183])

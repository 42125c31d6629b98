"""A hook that changes its argument in place may change the gradient of another tensor."""
# covers: hooks.tensor-register-hook

import torch


def zero(grad):
    grad.zero_()


x = torch.tensor([1.0], requires_grad=True)
y = torch.tensor([2.0], requires_grad=True)
x.register_hook(zero)

(x + y).backward()
print(x.grad, y.grad)
#> tensor([0.]) tensor([0.])


def zero_copy(grad):
    return torch.zeros_like(grad)


x = torch.tensor([1.0], requires_grad=True)
y = torch.tensor([2.0], requires_grad=True)
x.register_hook(zero_copy)
(x + y).backward()
print(x.grad, y.grad)
#> tensor([0.]) tensor([1.])

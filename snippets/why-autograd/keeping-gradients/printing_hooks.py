"""A hook sees the gradient of a result as it passes, without keeping it."""
# covers: hooks.register-hook-debug

import warnings

import torch

input = torch.ones(2, 2)
w1 = torch.tensor(2.0, requires_grad=True)
w2 = torch.tensor(3.0, requires_grad=True)
w3 = torch.tensor(4.0, requires_grad=True)
l1 = input * w1
l2 = l1 + w2
l3 = l1 * w3
l4 = l2 * l3
loss = l4.mean()

l1.register_hook(lambda grad: print("l1 grad:", grad))
l4.register_hook(lambda grad: print("l4 grad:", grad))
handle = loss.register_hook(lambda grad: print("loss grad:", grad))
loss.backward()
#> loss grad: tensor(1.)
#> l4 grad: tensor([[0.2500, 0.2500],
#>         [0.2500, 0.2500]])
#> l1 grad: tensor([[7., 7.],
#>         [7., 7.]])

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    print(loss.grad)
#> None

"""Hooks run in the order of registration, and each receives the result of the hook before it."""
# covers: hooks.tensor-register-hook

import torch

x = torch.tensor([1.0], requires_grad=True)
x.register_hook(lambda grad: print("first: ", grad))
x.register_hook(lambda grad: grad * 10)
x.register_hook(lambda grad: print("third: ", grad))

(x * 2).backward()
#> first:  tensor([2.])
#> third:  tensor([20.])

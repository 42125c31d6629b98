"""A tensor used twice has its hook called once, with the sum."""
# covers: hooks.register-hook-debug

import torch

x = torch.tensor(3.0, requires_grad=True)
h = x * 2
h.register_hook(lambda grad: print("h grad:", grad))

y = h * 5 + h * 7
y.backward()
#> h grad: tensor(12.)
print(x.grad)
#> tensor(24.)

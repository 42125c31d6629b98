"""A hook is called with the gradient of a result and doesn't keep it."""
# covers: hooks.register-hook-debug

import warnings
from functools import partial

import torch

image = torch.ones(2, 2)
w1, w2, w3 = (torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 4.0))
stem = image * w1
left, right = stem + w2, stem * w3
both = left * right
loss = both.mean()

for name, result in {"stem": stem, "both": both, "loss": loss}.items():
    result.register_hook(partial(print, name, "grad:"))
loss.backward()
#> loss grad: tensor(1.)
#> both grad: tensor([[0.2500, 0.2500],
#>         [0.2500, 0.2500]])
#> stem grad: tensor([[7., 7.],
#>         [7., 7.]])

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    print(loss.grad)
#> None

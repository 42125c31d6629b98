"""`torch.func` turns a function into its gradient function."""
# covers: autograd.three-apis
# engines: torch -- torch.func is a transform system of its own, outside the engine's scope

import torch


def f(w):
    return (w + 2) * (w + 1)


print(torch.func.grad(f)(torch.tensor(1.0)))
#> tensor(5.)
print(torch.func.grad(torch.func.grad(f))(torch.tensor(1.0)))
#> tensor(2.)
print(torch.func.vmap(torch.func.grad(f))(torch.tensor([0.0, 1.0, 2.0])))
#> tensor([3., 5., 7.])

"""The files that define names of PyTorch, on both engines."""
# covers: structure.autograd structure.nn structure.optim structure.utils

import torch
import torch.utils.data

things = [
    torch.autograd.Function,
    torch.autograd.gradcheck,
    torch.no_grad,
    torch.nn.Linear,
    torch.nn.Conv2d,
    torch.nn.Module,
    torch.nn.Parameter,
    torch.optim.SGD,
    torch.optim.Adam,
    torch.utils.data.DataLoader,
]
for thing in things:
    package, module = thing.__module__.split(".", 1)
    print(f"{thing.__name__:10} {module}")
#> Function   autograd.function
#> gradcheck  autograd.gradcheck
#> no_grad    autograd.grad_mode
#> Linear     nn.modules.linear
#> Conv2d     nn.modules.conv
#> Module     nn.modules.module
#> Parameter  nn.parameter
#> SGD        optim.sgd
#> Adam       optim.adam
#> DataLoader utils.data.dataloader

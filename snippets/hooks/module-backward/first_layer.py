"""The first layer of a network: its input needs no gradient, so `grad_input` holds `None`."""
# covers: hooks.module-backward-hook

import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(3, 2)
layer.register_full_backward_hook(lambda module, grad_input, grad_output: print(grad_input))
layer(torch.ones(4, 3)).sum().backward()
#> (None,)
#~ UserWarning: Full backward hook is firing when gradients are computed with respect to module outputs since no inputs require gradients. ...

layer(torch.ones(4, 3, requires_grad=True)).sum().backward()
#> (tensor([[-0.4292,  0.0873, -0.3204],
#>         [-0.4292,  0.0873, -0.3204],
#>         [-0.4292,  0.0873, -0.3204],
#>         [-0.4292,  0.0873, -0.3204]]),)

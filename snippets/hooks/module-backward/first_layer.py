"""The input of the first layer requires no gradient, so `grad_input` holds `None` and the hook runs early."""
# covers: hooks.module-backward-hook

import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(3, 2)
layer.register_full_backward_hook(lambda module, grad_input, grad_output: print(grad_input))
layer.weight.register_hook(lambda grad: print("weight"))

layer(torch.ones(4, 3)).sum().backward()
#> (None,)
#> weight
#~ UserWarning: Full backward hook is firing when gradients are computed with respect to module outputs since no inputs require gradients. ...

layer(torch.ones(4, 3, requires_grad=True)).sum().backward()
#> weight
#> (tensor([[-0.4292,  0.0873, -0.3204],
#>         [-0.4292,  0.0873, -0.3204],
#>         [-0.4292,  0.0873, -0.3204],
#>         [-0.4292,  0.0873, -0.3204]]),)

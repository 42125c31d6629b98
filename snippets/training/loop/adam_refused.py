"""An optimizer wants a list of leaves, and a learning rate that isn't negative."""
# covers: train.loss-optimizer

import torch

w = torch.ones(1, requires_grad=True)
for parameters, lr in (w, 0.1), ([2 * w], 0.1), ([w], -1.0):
    try:
        torch.optim.Adam(parameters, lr=lr)
    except (TypeError, ValueError) as error:
        print(f"{type(error).__name__}: {error}")
#> TypeError: params argument given to the optimizer should be an iterable of Tensors or dicts, but got torch.FloatTensor
#> ValueError: can't optimize a non-leaf Tensor
#> ValueError: Invalid learning rate: -1.0

"""A list of losses keeps every graph alive."""
# covers: memory.test-no-grad

import torch

w = torch.ones(3, requires_grad=True)
losses = [(w * i).sum() for i in range(3)]
print([loss.grad_fn is not None for loss in losses])
#> [True, True, True]
losses = [(w * i).sum().item() for i in range(3)]
print(losses)
#> [0.0, 3.0, 6.0]

"""Adam adds weight decay to the gradient, and `AdamW` shrinks the weight directly."""
# covers: train.loss-optimizer train.loop-snippet

import torch


def one_step(optimizer_class, gradient):
    w = torch.tensor([10.0], requires_grad=True)
    optimizer = optimizer_class([w], lr=0.1, weight_decay=0.1)
    w.grad = torch.tensor([gradient])
    optimizer.step()
    return round(w.item(), 4)


for gradient in 0.0, 1.0, 100.0:
    print(gradient, one_step(torch.optim.Adam, gradient), one_step(torch.optim.AdamW, gradient))
#> 0.0 9.9 9.9
#> 1.0 9.9 9.8
#> 100.0 9.9 9.8

"""A step inside the loss, recorded and not recorded."""

import torch


def after_one_step(create_graph):
    w = torch.tensor(4.0, requires_grad=True)
    lr = torch.tensor(0.25, requires_grad=True)
    (slope,) = torch.autograd.grad(w**2, w, create_graph=create_graph)
    moved = w - lr * slope
    (moved**2).backward()
    print("start:", w.grad.item(), "rate:", lr.grad.item())


after_one_step(create_graph=True)
#> start: 2.0 rate: -32.0
after_one_step(create_graph=False)
#> start: 4.0 rate: -32.0

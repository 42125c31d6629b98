"""With a sum as the loss, the step of SGD grows with the batch size, and Adam hides it."""
# covers: train.loss-optimizer

import torch
from torch import nn


def first_step(make_optimizer, reduction, n):
    w = torch.zeros(1, requires_grad=True)
    optimizer = make_optimizer([w])
    probability = torch.sigmoid(w * torch.ones(n))
    nn.BCELoss(reduction=reduction)(probability, torch.ones(n)).backward()
    optimizer.step()
    return round(w.item(), 4)


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.1)


def adam(parameters):
    return torch.optim.Adam(parameters, lr=0.1)


for reduction in "sum", "mean":
    print(reduction, [first_step(sgd, reduction, n) for n in (1, 10, 100)])
    print(reduction, [first_step(adam, reduction, n) for n in (1, 10, 100)])
#> sum [0.05, 0.5, 5.0]
#> sum [0.1, 0.1, 0.1]
#> mean [0.05, 0.05, 0.05]
#> mean [0.1, 0.1, 0.1]

"""`BCELoss` takes probabilities, and with the sum its gradient is twice that with the mean."""
# covers: train.loss-optimizer

import torch
from torch import nn

loss_function = nn.BCELoss(reduction="sum")
probability = torch.tensor([0.5, 0.25], requires_grad=True)
target = torch.tensor([1.0, 0.0])
loss = loss_function(probability, target)
loss.backward()
print(loss, probability.grad)
#> tensor(0.9808, grad_fn=<BinaryCrossEntropyBackward0>) tensor([-2.0000,  1.3333])


def cost_of_a_yes(p):
    return loss_function(p, torch.tensor(1.0))



probability.grad = None
loss = nn.BCELoss()(probability, target)
loss.backward()
print(loss, probability.grad)
#> tensor(0.4904, grad_fn=<BinaryCrossEntropyBackward0>) tensor([-1.0000,  0.6667])

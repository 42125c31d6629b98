"""For a large logit, `BCELoss` after a sigmoid gives a gradient of zero, and `BCEWithLogitsLoss` the right one."""
# covers: train.loss-optimizer

import torch
from torch import nn

score = torch.tensor([200.0], requires_grad=True)
target = torch.tensor([0.0])

loss = nn.BCELoss()(torch.sigmoid(score), target)
loss.backward()
print(loss, score.grad)
#> tensor(100., grad_fn=<BinaryCrossEntropyBackward0>) tensor([0.])

score.grad = None
loss = nn.BCEWithLogitsLoss()(score, target)
loss.backward()
print(loss, score.grad)
#> tensor(200., grad_fn=<BinaryCrossEntropyWithLogitsBackward0>) tensor([1.])

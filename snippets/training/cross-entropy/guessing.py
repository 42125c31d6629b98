"""Ten equal scores: the loss of guessing, and its gradient."""
# covers: train.loss-optimizer

import torch
import torch.nn.functional as F

scores = torch.zeros(1, 10, requires_grad=True)
label = torch.tensor([3])

loss = F.cross_entropy(scores, label)
print(loss)
#> tensor(2.3026, grad_fn=<NllLossBackward0>)

loss.backward()
print(scores.grad)
#> tensor([[ 0.1000,  0.1000,  0.1000, -0.9000,  0.1000,  0.1000,  0.1000,  0.1000,
#>           0.1000,  0.1000]])

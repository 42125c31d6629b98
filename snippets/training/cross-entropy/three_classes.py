"""The gradient of the cross-entropy with respect to three scores."""
# covers: train.loss-optimizer

import torch
import torch.nn.functional as F

scores = torch.tensor([[0.2, 0.5, 0.3]]).log().requires_grad_()
print(F.softmax(scores, dim=1).detach())
#> tensor([[0.2000, 0.5000, 0.3000]])

F.cross_entropy(scores, torch.tensor([0])).backward()
print(scores.grad)
#> tensor([[-0.8000,  0.5000,  0.3000]])

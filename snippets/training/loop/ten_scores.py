"""From ten scores to chances, and from the chance of the label to the loss."""
# covers: train.loss-optimizer

import torch
import torch.nn.functional as F

scores = torch.tensor([[1.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0]])
label = torch.tensor([3])

p = scores.exp() / scores.exp().sum()
print(p)
#> tensor([[0.0379, 0.0139, 0.0139, 0.7614, 0.0139, 0.0139, 0.0139, 0.0139, 0.1030,
#>          0.0139]])
print(p.sum())
#> tensor(1.)
print(-p[0, 3].log(), F.cross_entropy(scores, label))
#> tensor(0.2726) tensor(0.2726)

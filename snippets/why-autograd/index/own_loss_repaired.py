"""The repaired loss computes a new tensor and leaves the old one unchanged."""
# covers: autograd.why-learn

import torch

raw = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
ignored = torch.tensor([False, True, False])

score = torch.sigmoid(raw)
score = score.masked_fill(ignored, 0.0)
score.sum().backward()
print(raw.grad)
#> tensor([0.2350, 0.0000, 0.1050])

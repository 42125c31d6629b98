"""`no_grad()` does not put a model into evaluation mode."""
# covers: autograd.no-grad

import torch

norm = torch.nn.BatchNorm1d(1)
x = torch.tensor([[1.0], [3.0]])

with torch.no_grad():
    norm(x)
print(norm.training, norm.running_mean)
#> True tensor([0.2000])

norm.eval()
with torch.no_grad():
    norm(x)
print(norm.training, norm.running_mean)
#> False tensor([0.2000])

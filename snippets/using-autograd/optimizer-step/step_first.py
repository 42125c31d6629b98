"""`step` before the first `backward`."""
# covers: autograd.optimizer-step

import torch

w = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
print(w.grad)
#> None

optimizer.step()
print(w)
#> tensor(0., requires_grad=True)

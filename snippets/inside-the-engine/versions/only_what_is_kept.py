"""Two tensors are overwritten without harm, and only one of them was saved."""
# covers: inplace.version-counter

import torch

a = torch.tensor([3.0, 4.0], requires_grad=True)
h = a * 1
k = a * 2
h.fill_(5.0)
loss = (h * h + a * a + k).sum()
k.fill_(1000.0)
loss.backward()
print(a.grad)
#> tensor([ 8., 10.])

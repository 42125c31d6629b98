"""5. A tensor that is rebuilt from numbers is not connected to the original."""
# covers: inplace.no-error-means-right

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)

total = torch.tensor([w[0].item() * 3, w[1].item() * 4])
loss = total.sum() + w.sum()
loss.backward()
print(w.grad)
#> tensor([1., 1.])

w.grad = None
total = torch.stack([w[0] * 3, w[1] * 4])
loss = total.sum() + w.sum()
loss.backward()
print(w.grad)  # right
#> tensor([4., 5.])

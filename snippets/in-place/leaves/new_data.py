"""Replacing the `.data` of a leaf after the forward pass changes the numbers that `backward` reads."""
# covers: graph.data-vs-op inplace.no-error-means-right

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (w * w).sum()
w.data = torch.tensor([10.0, 20.0])
print(w._version)
#> 0

loss.backward()
print(w.grad)  # right would be 2 and 4
#> tensor([20., 40.])

"""A NumPy array shares the memory of a tensor, and its writes are not counted."""
# covers: autograd.detach inplace.no-error-means-right

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (w * w).sum()
array = w.detach().numpy()
array[0] = 50
print(w, w._version)
#> tensor([50.,  2.], requires_grad=True) 0

loss.backward()
print(w.grad)  # right would be 2 and 4
#> tensor([100.,   4.])

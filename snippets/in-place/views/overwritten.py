"""An element that was overwritten no longer depends on the input."""
# covers: inplace.version-counter

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x * 3
h[0] = 1000.0
print(h)
#> tensor([1000.,    6.], grad_fn=<CopySlices>)

loss = (h * h).sum()
loss.backward()
print(x.grad)
#> tensor([ 0., 36.])

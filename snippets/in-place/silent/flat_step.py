"""8. The derivative of `round` is 0 almost everywhere, and so is that of `clamp` outside its limits."""
# covers: inplace.no-error-means-right

import torch

x = torch.tensor([0.2, 0.7], requires_grad=True)
torch.round(x * 10).sum().backward()
print(x.grad)
#> tensor([0., 0.])

x.grad = None
torch.clamp(x, 0.5, 1.0).sum().backward()
print(x.grad)
#> tensor([0., 1.])

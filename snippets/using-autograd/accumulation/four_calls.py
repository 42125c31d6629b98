"""Each `backward` adds to `.grad`."""
# covers: autograd.grad-accumulates

import torch

x = torch.tensor([2.0], requires_grad=True)
w = torch.tensor([1.0], requires_grad=True)

for _ in range(4):
    y = (x + w) * (w + 1)
    y.backward()
    print(w.grad)
#> tensor([5.])
#> tensor([10.])
#> tensor([15.])
#> tensor([20.])

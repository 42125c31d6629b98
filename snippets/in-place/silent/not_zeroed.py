"""7. The gradients of earlier steps add up if they are not cleared."""
# covers: inplace.no-error-means-right

import torch

w = torch.tensor([1.0], requires_grad=True)
for step in range(3):
    (w * 2).sum().backward()
    print(step, w.grad)
#> 0 tensor([2.])
#> 1 tensor([4.])
#> 2 tensor([6.])

for step in range(3):
    w.grad = None
    (w * 2).sum().backward()
    print(step, w.grad)  # right
#> 0 tensor([2.])
#> 1 tensor([2.])
#> 2 tensor([2.])

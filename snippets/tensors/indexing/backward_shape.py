"""`scatter` accepts an index smaller than `src`, but its backward pass fails."""

import torch

src = torch.tensor([5.0, 6.0, 7.0], requires_grad=True)
out = torch.zeros(3).scatter(0, torch.tensor([2]), src)
print(out.detach())
#> tensor([0., 0., 5.])

try:
    out.sum().backward()
except RuntimeError as error:
    print(error)
#> Function ScatterBackward0 returned an invalid gradient at index 1 - got [1] but expected shape compatible with [3]
print(src.grad)
#> None

"""Inside `no_grad()` nothing is recorded."""
# covers: autograd.no-grad

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
print(w * 3)
#> tensor([3., 6.], grad_fn=<MulBackward0>)
with torch.no_grad():
    print(w * 3)
#> tensor([3., 6.])
print(w.requires_grad)
#> True

"""Three kinds of results do not require a gradient."""
# covers: autograd.requires-grad-propagation

import torch

w = torch.tensor([1.5, 2.5], requires_grad=True)

print((w > 2).requires_grad)
#> False
print(w.argmax().requires_grad, w.int().requires_grad)
#> False False
print(w.detach().requires_grad)
#> False
with torch.no_grad():
    print((w * 2).requires_grad)
#> False

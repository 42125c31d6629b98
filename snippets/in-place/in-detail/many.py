"""29 in-place operations have the same gradient as their ordinary form."""
# covers: inplace.why-not-supported

import torch

names = (
    "abs acos asin atan ceil cos cosh erf exp expm1 floor log log10 log1p log2 neg "
    "reciprocal relu round rsqrt sigmoid sign sin sinh sqrt square tan tanh trunc"
).split()

right = 0
for name in names:
    x = torch.tensor([0.2, 0.5, 0.7], requires_grad=True)
    h = x * 1
    getattr(h, name + "_")()
    (in_place,) = torch.autograd.grad(h.sum(), x)
    (ordinary,) = torch.autograd.grad(getattr(x, name)().sum(), x)
    right += torch.equal(in_place, ordinary)
print(len(names), right)
#> 29 29

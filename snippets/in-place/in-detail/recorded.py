"""An in-place operation on a result is recorded like any other operation."""
# covers: inplace.why-not-supported

import torch

x = torch.tensor([0.5, 2.0], requires_grad=True)
h = x * 3
h += 1
h.mul_(2)
h.exp_()
print(h)
#> tensor([1.4841e+02, 1.2026e+06], grad_fn=<ExpBackward0>)

h.sum().backward()
print(x.grad)
#> tensor([8.9048e+02, 7.2156e+06])
print(2 * 3 * torch.exp(2 * (3 * x.detach() + 1)))
#> tensor([8.9048e+02, 7.2156e+06])

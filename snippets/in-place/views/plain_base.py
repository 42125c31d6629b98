"""A buffer becomes part of the graph when the result of a recorded operation is written into it."""
# covers: inplace.why-not-supported

import torch

w = torch.tensor(3.0, requires_grad=True)
buffer = torch.ones(4)
buffer[:2].mul_(w)
print(buffer)
#> tensor([3., 3., 1., 1.], grad_fn=<CopySlices>)

buffer.sum().backward()
print(w.grad)
#> tensor(2.)

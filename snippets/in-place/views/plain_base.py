"""A plain buffer that receives recorded values becomes part of the graph."""
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

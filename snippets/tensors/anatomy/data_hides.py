"""A write through `.data` is not counted, so autograd cannot detect it."""
# covers: tensor-props.eight-attrs

import torch

w = torch.tensor([2.0, 3.0], requires_grad=True)
square = (w * w).sum()
w.data.mul_(10)
print(w._version)
#> 0
square.backward()
print(w.grad)
#> tensor([40., 60.])

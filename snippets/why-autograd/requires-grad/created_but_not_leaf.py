"""A tensor that you created can stop being a leaf."""
# covers: autograd.leaf.rule

import torch

w = torch.tensor(3.0, requires_grad=True)
buffer = torch.ones(2)
print(buffer.is_leaf)
#> True

buffer.mul_(w)
print(buffer)
#> tensor([3., 3.], grad_fn=<MulBackward0>)
print(buffer.is_leaf)
#> False

"""Reading `grad` on a tensor that is not a leaf returns None and warns."""

import torch

leaf = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
result = leaf * 2
result.sum().backward()
print(result.grad)
#> None
#~ UserWarning: The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute ...

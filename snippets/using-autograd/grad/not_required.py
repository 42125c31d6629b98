"""There must be at least one input, and each must require grad."""

import torch

x = torch.tensor([2.0], requires_grad=True)
plain = torch.tensor([3.0])

for inputs in ([plain], []):
    try:
        torch.autograd.grad(x * plain, inputs)
    except RuntimeError as error:
        print(error)
#> One of the differentiated Tensors does not require grad
#> `inputs` argument to `grad()` cannot be empty.

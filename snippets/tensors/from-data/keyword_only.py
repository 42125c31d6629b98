"""All arguments after the data must be named."""
# covers: tensor-create.tensor

import torch

print(torch.tensor([1, 2], dtype=torch.float32))
#> tensor([1., 2.])
print(torch.tensor([1, 2], dtype=torch.float32, device="cpu", requires_grad=True))
#> tensor([1., 2.], requires_grad=True)
torch.tensor([1, 2], torch.float32)
#! TypeError: tensor() takes 1 positional argument but 2 were given

"""Before the product, the array shares the memory of the tensor."""

import torch

x = torch.ones(1, 3, 2, 2, requires_grad=True)
image = x[0].detach().cpu().numpy().transpose(1, 2, 0)
image[0, 0] = 0.0
print(x[0, 0])
#> tensor([[0., 1.],
#>         [1., 1.]], grad_fn=<SelectBackward0>)

copy = image * 255.0
copy[:] = 0.0
print(x[0, 0])
#> tensor([[0., 1.],
#>         [1., 1.]], grad_fn=<SelectBackward0>)

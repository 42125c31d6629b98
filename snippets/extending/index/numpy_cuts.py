"""What is computed outside torch leaves no trace in the graph."""
# covers: function.why

import numpy as np
import torch

x = torch.tensor([1.0, 4.0], requires_grad=True)

try:
    np.cbrt(x.numpy())
except RuntimeError as error:
    print(error)
#> Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

y = torch.from_numpy(np.cbrt(x.detach().numpy()))
print(y, y.requires_grad)
#> tensor([1.0000, 1.5874]) False
y.sum().backward()
#! RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn

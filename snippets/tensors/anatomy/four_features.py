"""A tensor can share an array's memory, move to a device, and require a gradient."""
# covers: tensor-props.four-features

import numpy as np
import torch

array = np.zeros(3)
t = torch.from_numpy(array)
array[0] = 7.0
print(t)
#> tensor([7., 0., 0.], dtype=torch.float64)

print(t.to("cpu").device, array.device)
#> cpu cpu
print(torch.ones(2, device="cpu", requires_grad=True).requires_grad)
#> True

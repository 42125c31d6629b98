"""`F` is the usual name of the module `torch.nn.functional`."""
# covers: tensor-ops.F-import

import torch
import torch.nn.functional as F

x = torch.tensor([-1.0, 2.0])
print(F.relu(x))
#> tensor([0., 2.])
print(torch.nn.ReLU()(x))
#> tensor([0., 2.])

"""`cat` joins two groups of feature maps along the channel axis."""
# covers: tensor-ops.table.cat

import torch

shallow = torch.zeros(8, 64, 16, 16)
deep = torch.zeros(8, 32, 16, 16)
print(torch.cat((shallow, deep), dim=1).shape)
#> torch.Size([8, 96, 16, 16])
torch.cat((shallow, deep), dim=0)
#! RuntimeError: Sizes of tensors must match except in dimension 0. Expected size 64 but got size 32 for tensor number 1 in the list.

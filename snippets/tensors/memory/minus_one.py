"""One size may be -1, and is worked out from the others."""
# covers: tensor-ops.view.minus-one

import torch

t = torch.arange(12)
print(t.view(3, -1).shape)
#> torch.Size([3, 4])
print(t.view(-1).shape)
#> torch.Size([12])
t.view(-1, -1)
#! RuntimeError: only one dimension can be inferred
t.view(5, -1)
#! RuntimeError: shape '[5, -1]' is invalid for input of size 12

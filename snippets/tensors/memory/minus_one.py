"""One size may be -1, and PyTorch computes it from the others."""
# covers: tensor-ops.view.minus-one

import torch

t = torch.arange(12)
print(t.view(3, -1).shape)
#> torch.Size([3, 4])
print(t.view(-1).shape)
#> torch.Size([12])

for sizes in (-1, -1), (5, -1):
    try:
        t.view(sizes)
    except RuntimeError as error:
        print(error)
#> only one dimension can be inferred
#> shape '[5, -1]' is invalid for input of size 12

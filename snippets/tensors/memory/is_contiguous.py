"""A tensor is contiguous if reading it row by row reads its storage in order."""
# covers: tensor-props.is-contiguous

import torch

t = torch.tensor([[0, 1, 2], [3, 4, 5]])
print(t.is_contiguous())
#> True
print(t.t().is_contiguous())
#> False
print(t[1].is_contiguous(), t[:, 1].is_contiguous())
#> True False

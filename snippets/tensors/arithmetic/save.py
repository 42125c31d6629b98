"""Serialisation: a tensor goes to a file and comes back."""
# covers: tensor-ops.functions-groups

import torch

torch.save(torch.tensor([[1, 2], [3, 4]]), "t.pt")
print(torch.load("t.pt"))
#> tensor([[1, 2],
#>         [3, 4]])

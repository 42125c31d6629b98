"""Save a tensor to a file and load it again."""
# covers: tensor-ops.functions-groups

import torch

torch.save(torch.tensor([[1, 2], [3, 4]]), "t.pt")
print(torch.load("t.pt"))
#> tensor([[1, 2],
#>         [3, 4]])

"""`out=` fills the tensor you pass and gives that same tensor back."""
# covers: tensor-create.zeros.out-example

import torch

o_t = torch.tensor([1])
t = torch.zeros((3, 3), out=o_t)
print(t)
#> tensor([[0, 0, 0],
#>         [0, 0, 0],
#>         [0, 0, 0]])
print(o_t)
#> tensor([[0, 0, 0],
#>         [0, 0, 0],
#>         [0, 0, 0]])
print(id(t) == id(o_t), t is o_t)
#> True True

"""`out=` fills the tensor that you pass and returns that same tensor."""
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

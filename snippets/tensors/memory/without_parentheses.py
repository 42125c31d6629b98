"""Without parentheses, `is_contiguous` is a method object, which is always true."""
# covers: tensor-props.is-contiguous

import torch

t = torch.tensor([[0, 1, 2], [3, 4, 5]]).t()
if t.is_contiguous:
    print("taken")
#> taken
if t.is_contiguous():
    print("not taken")

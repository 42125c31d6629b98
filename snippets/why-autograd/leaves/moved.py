"""Moving or converting a leaf gives a tensor that is not a leaf, unless there was nothing to do."""
# covers: tensor-props.is-leaf

import torch

w = torch.ones(2, requires_grad=True)
wide = w.to(torch.float64)
print(wide.is_leaf, type(wide.grad_fn).__name__)
#> False ToCopyBackward0
print(w.to(torch.float32) is w)
#> True

data = torch.ones(2)
print(data.to(torch.float64).is_leaf)
#> True

right = torch.ones(2).to(torch.float64).requires_grad_()
print(right.is_leaf)
#> True

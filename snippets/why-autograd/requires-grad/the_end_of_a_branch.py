"""A branch of the graph ends at a leaf: in `AccumulateGrad`, or in nothing."""
# covers: tensor-props.leaf-terminal

import torch

w = torch.tensor(3.0, requires_grad=True)
x = torch.tensor(2.0)
y = w * x

(to_w, _), (to_x, _) = y.grad_fn.next_functions
print(type(to_w).__name__, to_w.next_functions)
#> AccumulateGrad ()
print(to_x)
#> None

to_w(torch.tensor(10.0))
print(w.grad)
#> tensor(10.)

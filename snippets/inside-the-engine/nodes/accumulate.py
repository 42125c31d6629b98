"""Where the path ends: one AccumulateGrad per leaf, the successor of Leaf."""
# covers: engine-v01.leaf

import torch

w = torch.tensor(2.0, requires_grad=True)
first = (w * 3).grad_fn.next_functions[0][0]
second = w.exp().grad_fn.next_functions[0][0]
print(first is second, first.variable is w)
#> True True

w.register_hook(lambda grad: print("hook of the leaf:", grad, "grad so far:", w.grad))
first(torch.tensor(10.0))
print(w.grad)
#> tensor(10.)

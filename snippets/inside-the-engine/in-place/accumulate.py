"""A leaf has one `AccumulateGrad`, which adds to its gradient and calls the hook after that."""
# covers: engine-v01.leaf

import torch

w = torch.tensor(2.0, requires_grad=True)
first = (w * 3).grad_fn.next_functions[0][0]
second = w.exp().grad_fn.next_functions[0][0]
print(first is second, first.variable is w)
#> True True

w.register_hook(lambda grad: print("on its way:", grad, "in .grad:", w.grad))
w.register_post_accumulate_grad_hook(lambda leaf: print("in .grad:", leaf.grad))

first(torch.tensor(10.0))
#> in .grad: tensor(10.)

w.exp().backward()
#> on its way: tensor(7.3891) in .grad: tensor(10.)
#> in .grad: tensor(17.3891)

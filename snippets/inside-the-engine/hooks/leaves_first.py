"""A leaf that is ready runs before all operations, however late they were recorded."""
# covers: engine-v01.backward-loop

import torch

w = torch.tensor(1.0, requires_grad=True)
x = torch.tensor(2.0, requires_grad=True)
late = (x * 3).exp()
loss = w + late
late.grad_fn.register_hook(lambda *_: print("exp"))
w.register_post_accumulate_grad_hook(lambda leaf: print("w is filled"))
x.register_post_accumulate_grad_hook(lambda leaf: print("x is filled"))
loss.backward()
#> w is filled
#> exp
#> x is filled

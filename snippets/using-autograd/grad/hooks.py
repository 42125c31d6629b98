"""`grad` runs the hooks on tensors, but not the hook after accumulation."""

import torch

x = torch.tensor([2.0], requires_grad=True)
x.register_hook(lambda grad: grad * 10)
x.register_post_accumulate_grad_hook(lambda leaf: print("accumulated", leaf.grad))

print(torch.autograd.grad(x**2, x))
#> (tensor([40.]),)

(x**2).backward()
#> accumulated tensor([40.])

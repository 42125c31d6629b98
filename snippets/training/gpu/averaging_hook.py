"""A hook that runs when the gradient of a leaf is complete can average it with that of another process."""
# covers: ddp.autograd-hooks

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
from_the_other = torch.tensor([30.0, 50.0])


def average(parameter):
    print("complete:", parameter.grad)
    parameter.grad.add_(from_the_other).div_(2)


w.register_post_accumulate_grad_hook(average)
(w * torch.tensor([10.0, 20.0])).sum().backward()
#> complete: tensor([10., 20.])
print(w.grad)
#> tensor([20., 35.])

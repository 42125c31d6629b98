"""`w.grad.zero_()` fails where there is no gradient yet."""
# covers: autograd.grad-accumulates

import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)


def set_to_zero():
    try:
        w.grad.zero_()
        print(w.grad)
    except AttributeError as error:
        print(error)


set_to_zero()
#> 'NoneType' object has no attribute 'zero_'

(w * 2).backward()
set_to_zero()
#> tensor([0.])

optimizer.zero_grad()
set_to_zero()
#> 'NoneType' object has no attribute 'zero_'

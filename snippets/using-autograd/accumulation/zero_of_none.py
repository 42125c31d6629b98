"""`w.grad.zero_()` fails where there is no gradient yet."""
# covers: autograd.grad-accumulates

import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)

w.grad.zero_()
#! AttributeError: 'NoneType' object has no attribute 'zero_'

(w * 2).backward()
w.grad.zero_()
optimizer.zero_grad()
w.grad.zero_()
#! AttributeError: 'NoneType' object has no attribute 'zero_'

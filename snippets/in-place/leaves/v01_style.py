"""The update of version 0.1, `w = Variable(w - 0.1 * w.grad.data)`, no longer trains today."""
# covers: autograd.optimizer-step

import torch
from torch.autograd import Variable

w = torch.tensor([1.0], requires_grad=True)
(w * 2).backward()

w = Variable(w - 0.1 * w.grad.data)
print(type(w).__name__, w)
#> Tensor tensor([0.8000])

# Variable returns a leaf that does not require a gradient, so training ends here.
try:
    (w * 2).backward()
except RuntimeError as error:
    print(error)
#> element 0 of tensors does not require grad and does not have a grad_fn

w = Variable(w, requires_grad=True)
(w * 2).backward()
print(w.grad)
#> tensor([2.])

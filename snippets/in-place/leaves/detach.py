"""`detach()` returns a tensor on the same memory that is not connected to the graph."""
# covers: autograd.detach

import torch

w = torch.tensor([1.0], requires_grad=True)
w_detach = w.detach()
print(w_detach, w_detach.requires_grad, w_detach.grad_fn)
#> tensor([1.]) False None
print(w_detach is w, w_detach.data_ptr() == w.data_ptr())
#> False True

w_detach.data[0] = 999
print(w)
#> tensor([999.], requires_grad=True)

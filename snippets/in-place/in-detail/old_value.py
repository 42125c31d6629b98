"""`sin_()` saves a copy of its input before it writes, and `exp_()` saves its result."""
# covers: inplace.why-not-supported

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)

h = x * 1
h.sin_()
print(h.grad_fn._saved_self)
#> tensor([1., 2.], grad_fn=<CloneBackward0>)
print(h.grad_fn._saved_self.data_ptr() == h.data_ptr())
#> False

h = x * 1
h.exp_()
print(h.grad_fn._saved_result.data_ptr() == h.data_ptr())
#> True

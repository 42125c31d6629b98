"""`grad_variables` is the old name of `grad_tensors`; it still works, with a warning."""
# covers: autograd.backward.signature

import torch

x = torch.ones(2, requires_grad=True)

torch.autograd.backward(x * 3, grad_variables=torch.ones(2))
#~ FutureWarning: `grad_variables` is deprecated. Use `grad_tensors` instead.
print(x.grad)
#> tensor([3., 3.])

torch.autograd.backward(x * 3, grad_tensors=torch.ones(2), grad_variables=torch.ones(2))
#~ FutureWarning: `grad_variables` is deprecated. Use `grad_tensors` instead.
#! RuntimeError: `grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use `grad_tensors`.

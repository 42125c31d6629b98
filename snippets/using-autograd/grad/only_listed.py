"""`inputs` names the tensors whose `.grad` may change."""
# covers: autograd.backward.inputs-arg

import torch

x = torch.tensor([2.0], requires_grad=True)
w = torch.tensor([1.0], requires_grad=True)
y = (x + w) * (w + 1)

y.backward(inputs=[w])
print(w.grad)
#> tensor([5.])
print(x.grad)
#> None

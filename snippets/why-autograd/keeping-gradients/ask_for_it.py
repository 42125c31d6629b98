"""`grad` and `backward` with `inputs` compute the gradient of a result that you name."""
# covers: autograd.leaf.grad-kept

import torch

w = torch.tensor(2.0, requires_grad=True)
h = w * 3
y = h * h

(grad_of_h,) = torch.autograd.grad(y, h, retain_graph=True)
print(grad_of_h)
#> tensor(12.)

y.backward(inputs=[h])
print(h.grad, h.is_leaf, h.retains_grad)
#> tensor(12.) False True
print(w.grad)
#> None

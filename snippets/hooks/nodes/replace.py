"""What these hooks return takes the place of what arrives, or of what leaves."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)

y = x * w
y.grad_fn.register_prehook(lambda grad_outputs: (grad_outputs[0] * 10,))
y.sum().backward()
print(x.grad, w.grad)
#> tensor([30., 40.]) tensor([10., 20.])

x.grad = w.grad = None
y = x * w
y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: (grad_inputs[0] * 10, None))
y.sum().backward()
print(x.grad, w.grad)
#> tensor([30., 40.]) None

"""An update that computes a new `w`."""
# covers: autograd.no-grad

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)

for step in range(3):
    loss = ((w * x - y) ** 2).mean()
    loss.backward()
    w = w - 0.5 * w.grad
    print(w)
#> tensor(0.4375, grad_fn=<SubBackward0>)
#~ UserWarning: The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. ...
#! TypeError: unsupported operand type(s) for *: 'float' and 'NoneType'

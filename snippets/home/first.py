"""How much does the loss change with each weight?"""

import torch

w = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)

error = w * 4 + b - 10
loss = error * error
loss.backward()

print(loss)
#> tensor(9., grad_fn=<MulBackward0>)
print(w.grad, b.grad)
#> tensor(24.) tensor(6.)

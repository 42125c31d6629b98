"""Two results, and a vector that says how much each of them counts."""
# covers: autograd.backward.grad-tensors-example

import torch

x = torch.tensor([2.0], requires_grad=True)
w = torch.tensor([1.0], requires_grad=True)

y1 = (x + w) * (w + 1)  # dy1/dw = 2w + x + 1 = 5
y2 = (x + w) + (w + 1)  # dy2/dw = 2
y = torch.cat([y1, y2])

y.backward(gradient=torch.tensor([1.0, 2.0]))
print(w.grad)
#> tensor([9.])
print(x.grad)
#> tensor([4.])

"""One training step by hand: `backward` computes the gradients, and two lines of yours change the parameters."""
# covers: autograd.optimizer-step autograd.backward.params

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)

loss = ((w * x + b - y) ** 2).mean()
loss.backward()
print(w.grad, b.grad)
#> tensor(-0.8750) tensor(-1.)
print(w, b)
#> tensor(0., requires_grad=True) tensor(0., requires_grad=True)

with torch.no_grad():
    w -= 0.5 * w.grad
    b -= 0.5 * b.grad
print(w, b)
#> tensor(0.4375, requires_grad=True) tensor(0.5000, requires_grad=True)

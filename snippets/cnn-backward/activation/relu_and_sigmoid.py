"""The error times the derivative at the value before the activation, element by element."""
# covers: cnn.activation-backward

import torch


def sigmoid(z):
    return 1 / (1 + torch.exp(-z))


z = torch.tensor([-2.0, 0.5, 3.0], requires_grad=True)
delta = torch.tensor([1.0, 2.0, 3.0])

torch.relu(z).backward(delta)
print(z.grad, delta * (z > 0))
#> tensor([0., 2., 3.]) tensor([0., 2., 3.])

z.grad = None
torch.sigmoid(z).backward(delta)
s = sigmoid(z.detach())
print(z.grad, delta * s * (1 - s))
#> tensor([0.1050, 0.4700, 0.1355]) tensor([0.1050, 0.4700, 0.1355])

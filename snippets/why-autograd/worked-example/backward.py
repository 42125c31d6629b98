"""One call of `backward` computes all gradients of the network."""
# covers: graph.example.grads-28-8-10

import torch

image = torch.ones(2, 2)
w1 = torch.tensor(2.0, requires_grad=True)
w2 = torch.tensor(3.0, requires_grad=True)
w3 = torch.tensor(4.0, requires_grad=True)

stem = image * w1
left = stem + w2
right = stem * w3
both = left * right
loss = both.mean()
loss.backward()
print(w1.grad, w2.grad, w3.grad)
#> tensor(28.) tensor(8.) tensor(10.)

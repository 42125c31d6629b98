"""One call computes what the chain rule took eight lines for."""
# covers: graph.example.grads-28-8-10 graph.example.none-grads

import warnings

import torch

input = torch.ones(2, 2)
w1 = torch.tensor(2.0, requires_grad=True)
w2 = torch.tensor(3.0, requires_grad=True)
w3 = torch.tensor(4.0, requires_grad=True)

l1 = input * w1
l2 = l1 + w2
l3 = l1 * w3
l4 = l2 * l3
loss = l4.mean()
loss.backward()

print(w1.grad, w2.grad, w3.grad)
#> tensor(28.) tensor(8.) tensor(10.)
print(input.grad)
#> None

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the next snippet shows the warning
    print(l1.grad, l2.grad, l3.grad, l4.grad, loss.grad)
#> None None None None None

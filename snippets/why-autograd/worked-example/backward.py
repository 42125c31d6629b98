"""One call computes what the chain rule took six lines for."""
# covers: graph.example.grads-28-8-10 graph.example.none-grads

import warnings

import torch

image = torch.ones(2, 2)
w1, w2, w3 = (torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 4.0))
stem = image * w1
left, right = stem + w2, stem * w3
both = left * right
loss = both.mean()
loss.backward()

print(w1.grad, w2.grad, w3.grad)
#> tensor(28.) tensor(8.) tensor(10.)
print(image.grad)
#> None

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the next snippet shows the warning
    print([result.grad for result in (stem, left, right, both, loss)])
#> [None, None, None, None, None]

"""One operand that requires a gradient is enough."""
# covers: graph.example.requires-grad-propagates

import torch

image = torch.ones(2, 2)
w1, w2, w3 = (torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 4.0))
stem = image * w1
left, right = stem + w2, stem * w3
both = left * right
loss = both.mean()

for role, tensors in {
    "input": [image],
    "weights": [w1, w2, w3],
    "results": [stem, left, right, both, loss],
}.items():
    print(role, [tensor.requires_grad for tensor in tensors])
#> input [False]
#> weights [True, True, True]
#> results [True, True, True, True, True]

"""Four pixels, three weights, and a fork."""
# covers: graph.example.model graph.example.values

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
print(left)
#> tensor([[5., 5.],
#>         [5., 5.]], grad_fn=<AddBackward0>)
print(right)
#> tensor([[8., 8.],
#>         [8., 8.]], grad_fn=<MulBackward0>)
print(loss)
#> tensor(40., grad_fn=<MeanBackward0>)

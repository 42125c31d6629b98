"""A result on which `retain_grad()` was called keeps its gradient."""
# covers: autograd.retain-grad autograd.leaf.grad-kept

import torch

image = torch.ones(2, 2)
w1, w2, w3 = (torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 4.0))
stem = image * w1
left, right = stem + w2, stem * w3
both = left * right
loss = both.mean()

stem.retain_grad()
both.retain_grad()
loss.retain_grad()
loss.backward()

print(loss.grad)
#> tensor(1.)
print(both.grad)
#> tensor([[0.2500, 0.2500],
#>         [0.2500, 0.2500]])
print(stem.grad)
#> tensor([[7., 7.],
#>         [7., 7.]])
print(stem.is_leaf, stem.retains_grad, both.retains_grad)
#> False True True

"""A single number that is added to four elements gets the sum of four gradients."""
# covers: graph.broadcast-reduce

import torch

stem = torch.full((2, 2), 2.0)
w2 = torch.tensor(3.0, requires_grad=True)
spread = torch.broadcast_to(w2, (2, 2))
spread.retain_grad()

left = stem + spread
(2 * left).sum().backward()
print(spread)
#> tensor([[3., 3.],
#>         [3., 3.]], grad_fn=<ExpandBackward0>)
print(spread.grad)
#> tensor([[2., 2.],
#>         [2., 2.]])
print(w2.grad)
#> tensor(8.)
print(spread.stride())
#> (0, 0)

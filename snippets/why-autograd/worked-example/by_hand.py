"""The gradients of the worked example, with nothing but the chain rule."""
# covers: graph.example.hand-derivation graph.example.values

import torch

# Forward. No tensor here requires a gradient: nothing is recorded.
input = torch.ones(2, 2)
w1, w2, w3 = 2.0, 3.0, 4.0
l1 = input * w1
l2 = l1 + w2
l3 = l1 * w3
l4 = l2 * l3
print(l4.mean())
#> tensor(40.)

# Backward, from the end to the beginning. d_l4 means: dloss / dl4.
d_loss = torch.tensor(1.0)
d_l4 = d_loss * torch.ones(2, 2) / 4  # loss is the mean of 4 elements
d_l2 = d_l4 * l3  # l4 = l2 * l3
d_l3 = d_l4 * l2
d_w3 = (d_l3 * l1).sum()  # l3 = l1 * w3, and w3 meets every element
d_w2 = d_l2.sum()  # l2 = l1 + w2
d_l1 = d_l3 * w3 + d_l2  # l1 is used twice: add both shares
d_w1 = (d_l1 * input).sum()  # l1 = input * w1

print(d_l4)
#> tensor([[0.2500, 0.2500],
#>         [0.2500, 0.2500]])
print(d_l2)
#> tensor([[2., 2.],
#>         [2., 2.]])
print(d_l3)
#> tensor([[1.2500, 1.2500],
#>         [1.2500, 1.2500]])
print(d_l1)
#> tensor([[7., 7.],
#>         [7., 7.]])
print(d_w1, d_w2, d_w3)
#> tensor(28.) tensor(8.) tensor(10.)

"""The gradients of the network, with nothing but the chain rule."""
# covers: graph.example.hand-derivation graph.example.values

import torch

# Forward. No tensor here requires a gradient, so nothing is recorded.
image = torch.ones(2, 2)
w1, w2, w3 = 2.0, 3.0, 4.0
stem = image * w1
left, right = stem + w2, stem * w3
both = left * right
print(both.mean())
#> tensor(40.)

# Backward, from the end to the beginning. d_both is d loss / d both, and so on.
d_both = torch.ones(2, 2) / 4  # loss is the mean of 4 elements
d_left, d_right = d_both * right, d_both * left  # both = left * right
d_w3 = (d_right * stem).sum()  # right = stem * w3, for every element
d_w2 = d_left.sum()  # left = stem + w2, for every element
d_stem = d_left + d_right * w3  # stem is used twice: add both contributions
d_w1 = (d_stem * image).sum()  # stem = image * w1

for gradient in (d_both, d_left, d_right, d_stem):
    print(gradient)
#> tensor([[0.2500, 0.2500],
#>         [0.2500, 0.2500]])
#> tensor([[2., 2.],
#>         [2., 2.]])
#> tensor([[1.2500, 1.2500],
#>         [1.2500, 1.2500]])
#> tensor([[7., 7.],
#>         [7., 7.]])
print(d_w1, d_w2, d_w3)
#> tensor(28.) tensor(8.) tensor(10.)

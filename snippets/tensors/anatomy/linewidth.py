"""A larger `linewidth` keeps a row on one line."""
# covers: debug.printoptions-linewidth

import torch

t = torch.arange(30)
print(t)
#> tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,
#>         18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29])
torch.set_printoptions(linewidth=1600)
print(t)
#> tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29])

"""`logspace` spaces the exponents evenly: from base**start to base**end."""
# covers: tensor-create.logspace

import torch

print(torch.logspace(0.1, 1.0, 5))
#> tensor([ 1.2589,  2.1135,  3.5481,  5.9566, 10.0000])
print(10 ** torch.linspace(0.1, 1.0, 5))
#> tensor([ 1.2589,  2.1135,  3.5481,  5.9566, 10.0000])
print(torch.logspace(2, 2, 1, base=2))
#> tensor([4.])
print(torch.logspace(0, 4, 5, base=2))
#> tensor([ 1.,  2.,  4.,  8., 16.])

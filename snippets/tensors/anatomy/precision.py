"""`precision` and `sci_mode` set the decimals and the notation."""

import torch

t = torch.tensor([0.123456789, 1234.5])
print(t)
#> tensor([1.2346e-01, 1.2345e+03])
torch.set_printoptions(precision=2, sci_mode=False)
print(t)
#> tensor([   0.12, 1234.50])

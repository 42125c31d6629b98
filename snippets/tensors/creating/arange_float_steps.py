"""If the step is not exact in binary, `arange` can include its end."""

import torch

print(torch.arange(1, 1.3, 0.1))
#> tensor([1.0000, 1.1000, 1.2000, 1.3000])
print((1.3 - 1) / 0.1)
#> 3.0000000000000004
print(torch.linspace(1, 1.2, 3))
#> tensor([1.0000, 1.1000, 1.2000])

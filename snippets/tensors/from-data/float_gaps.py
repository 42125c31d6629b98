"""A counter in float16 stops at 2048, because a float has a limited number of digits."""

import torch

count = torch.tensor(2048.0, dtype=torch.float16)
for _ in range(1000):
    count += 1
print(count)
#> tensor(2048., dtype=torch.float16)
print(torch.tensor([2047.0, 2048.0, 2049.0, 2050.0], dtype=torch.float16))
#> tensor([2047., 2048., 2048., 2050.], dtype=torch.float16)
print(torch.tensor(16_777_217.0) == torch.tensor(16_777_216.0))
#> tensor(True)

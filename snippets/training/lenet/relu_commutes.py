"""ReLU and max pooling may change places; then ReLU has a quarter of the work."""
# covers: module.lenet

import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(2, 6, 24, 24)
first = F.max_pool2d(F.relu(x), 2)
second = F.relu(F.max_pool2d(x, 2))
print(first.equal(second))
#> True

average = F.avg_pool2d(F.relu(x), 2)
print(average.equal(F.relu(F.avg_pool2d(x, 2))))
#> False

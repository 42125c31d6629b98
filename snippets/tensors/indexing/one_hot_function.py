"""`F.one_hot` returns integers and puts the classes last."""

import torch
import torch.nn.functional as F

index = torch.tensor([[[0, 1], [2, 0]]])
hot = F.one_hot(index, num_classes=3)
print(hot.shape, hot.dtype)
#> torch.Size([1, 2, 2, 3]) torch.int64
by_scatter = torch.zeros(1, 3, 2, 2).scatter_(1, index.unsqueeze(1), 1)
print(torch.equal(hot.permute(0, 3, 1, 2).float(), by_scatter))
#> True

"""`default_collate` combines samples into a batch."""
# covers: data.mydataset-snippet data.torchvision-mnist

import numpy as np
import torch
from torch.utils.data import default_collate

print(default_collate([1, 2, 3]), default_collate([1.0, 2.0]).dtype)
#> tensor([1, 2, 3]) torch.float64
print(default_collate([(torch.ones(2), 0), (torch.zeros(2), 1)]))
#> [tensor([[1., 1.],
#>         [0., 0.]]), tensor([0, 1])]
print(default_collate([{"name": "a", "size": 1}, {"name": "b", "size": 2}]))
#> {'name': ['a', 'b'], 'size': tensor([1, 2])}
print(default_collate([np.zeros(2), np.ones(2)]).dtype)
#> torch.float64

default_collate([torch.ones(2), torch.ones(3)])
#! RuntimeError: stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1

"""A label map of N x H x W becomes one-hot planes of N x L x H x W."""
# covers: tensor-ops.onehot-scatter

import torch

n, classes, h, w = 4, 5, 32, 32
torch.manual_seed(0)
index = torch.randint(0, classes, (n, h, w))
print(index.shape, index.unsqueeze(1).shape)
#> torch.Size([4, 32, 32]) torch.Size([4, 1, 32, 32])
one_hot = torch.zeros(n, classes, h, w).scatter_(1, index.unsqueeze(1), 1)
print(one_hot.shape)
#> torch.Size([4, 5, 32, 32])
print(index[0, 0, 0], one_hot[0, :, 0, 0])
#> tensor(4) tensor([0., 0., 0., 0., 1.])
print(torch.equal(one_hot.argmax(1), index), one_hot.sum(1).unique())
#> True tensor([1.])

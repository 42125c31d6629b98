"""A gradient for each pixel: what would make a three of this five?"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data).float() / 16
labels = torch.from_numpy(digits.target)

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(20):
    for batch in torch.randperm(1000).split(50):
        loss = F.cross_entropy(net(pictures[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

# region: by-the-picture
picture = pictures[1003].clone().requires_grad_()
print((picture.detach() * 16).int().reshape(8, 8))
#> tensor([[ 0,  3, 10, 11, 12, 12,  6,  0],
#>         [ 0,  8, 14, 11,  8,  8,  4,  0],
#>         [ 0,  8, 10,  7,  3,  0,  0,  0],
#>         [ 0,  8, 16, 14, 15,  4,  0,  0],
#>         [ 0,  2,  2,  0,  6,  9,  0,  0],
#>         [ 0,  0,  0,  0,  4, 12,  0,  0],
#>         [ 0,  1,  8,  4, 10, 10,  0,  0],
#>         [ 0,  2, 15, 16, 13,  2,  0,  0]], dtype=torch.int32)

scores = net(picture)
print(scores.argmax())
#> tensor(5)

(scores[3] - scores[5]).backward()
print(picture.grad.round().int().reshape(8, 8))
#> tensor([[ 0,  0, -1,  1,  1, -1, -2,  1],
#>         [-1,  0,  1,  0,  1,  1,  1,  0],
#>         [-1,  0, -5, -4,  3,  3,  2,  0],
#>         [ 0, -2, -7, -2,  1, -1, -1,  0],
#>         [ 0, -2, -4,  1,  4, -2, -2,  0],
#>         [ 0,  0,  1, -1, -1,  1,  0,  0],
#>         [ 0,  0,  2,  1, -1,  2,  2,  0],
#>         [ 0,  0, -1,  0,  1,  2,  1,  0]], dtype=torch.int32)
# endregion

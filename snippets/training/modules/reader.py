"""A reader of digits: ten scores for a picture, and one step."""
# covers: module.subclass module.parameter-registration module.forward-auto-backward

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data).float() / 16
labels = torch.from_numpy(digits.target)


# region: reader
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(10, 64))
        self.bias = nn.Parameter(torch.zeros(10))

    def forward(self, x):
        return x @ self.weight.T + self.bias


net = Reader()
for name, parameter in net.named_parameters():
    print(name, tuple(parameter.shape))
#> weight (10, 64)
#> bias (10,)
# endregion

# region: step
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
loss = F.cross_entropy(net(pictures), labels)
loss.backward()
optimizer.step()

right = net(pictures).argmax(dim=1) == labels
print(right.sum())
#> tensor(1582)
# endregion

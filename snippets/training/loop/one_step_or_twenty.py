"""One step with the gradient of 1,000 pictures, or twenty steps with the gradients of 50 pictures each."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])


# region: compare
def train_one_epoch(batch_size, seed):
    """Return the loss of all training pictures after one pass through them."""
    torch.manual_seed(seed)
    net = nn.Linear(64, 10)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    for batch in train[torch.randperm(1000)].split(batch_size):
        loss = F.cross_entropy(net(images[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        return F.cross_entropy(net(images[train]), labels[train]).item()


for batch_size in (1000, 50):
    print(batch_size, [f"{train_one_epoch(batch_size, seed):.2f}" for seed in range(5)])
#> 1000 ['2.21', '2.21', '2.21', '2.14', '2.22']
#> 50 ['1.11', '1.13', '1.09', '1.08', '1.12']
# endregion

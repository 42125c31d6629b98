"""Pictures from 0 to 16 at a learning rate of 0.5: in a few steps, most hidden units are dead."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data).float(), torch.tensor(digits.target)  # not divided by 16

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)

# region: steps
for step, batch in enumerate(train.split(50)):
    with torch.no_grad():
        units = net[1](net[0](images[train]))
    dead = (units == 0).all(dim=0).sum().item()
    loss = F.cross_entropy(net(images[batch]), labels[batch])
    if step < 3 or step % 3 == 0:
        print(f"step {step}: loss {loss.item():.1f}, {dead} of 32 units are dead")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
#> step 0: loss 3.0, 2 of 32 units are dead
#> step 1: loss 22.7, 14 of 32 units are dead
#> step 2: loss 2.7, 22 of 32 units are dead
#> step 3: loss 2.3, 24 of 32 units are dead
#> step 6: loss 12.2, 27 of 32 units are dead
#> step 9: loss 2.3, 28 of 32 units are dead
#> step 12: loss 2.3, 29 of 32 units are dead
#> step 15: loss 4.7, 30 of 32 units are dead
#> step 18: loss 2.3, 32 of 32 units are dead
# endregion

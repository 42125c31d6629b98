"""The gradient at the pixels of one picture, and three pixels of ink where it is largest."""

import torch
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(20):
    for batch in train.split(50):
        loss = nn.functional.cross_entropy(net(images[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

# region: gradient
three = images[13].clone().requires_grad_()
scores = net(three)
print(scores.argmax())
#> tensor(3)
(scores[8] - scores[3]).backward()
gradient = three.grad.reshape(8, 8)
# endregion

# region: ink
reddest = three.grad.topk(3).indices
changed = three.detach().clone()
changed[reddest] = 1.0
print(net(changed).argmax())
#> tensor(8)
# endregion

original, inked = three.detach().reshape(8, 8), changed.reshape(8, 8)


# region: control
def becomes_eight(picture, pixels):
    picture = picture.clone()
    picture[pixels] = 1.0
    return net(picture).argmax().item() == 8


threes = [images[i] for i in validation.tolist() if labels[i] == 3]
chosen_by_gradient = chosen_at_random = 0
for picture in threes:
    leaf = picture.clone().requires_grad_()
    scores = net(leaf)
    (scores[8] - scores[3]).backward()
    chosen_by_gradient += becomes_eight(picture, leaf.grad.topk(3).indices)
    blank = (picture == 0).nonzero().flatten()
    for attempt in range(10):
        chosen_at_random += becomes_eight(picture, blank[torch.randperm(len(blank))[:3]])
print(chosen_by_gradient, "of", len(threes))
#> 19 of 34
print(chosen_at_random, "of", 10 * len(threes))
#> 3 of 340
# endregion

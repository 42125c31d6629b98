"""This network has three hidden layers of 32 units, and after 20 epochs it still guesses.

Repair it without removing a layer, so that more than 320 of the 400 validation pictures are right after the same 20 epochs.
"""
# exercise: repair
# about: training/symptoms.md#vanishing-and-exploding-gradients
# hint: After one backward pass, print the largest gradient of each weight matrix, and compare the first with the last.
# hint: The derivative of a sigmoid is at most 1/4. Other activation functions have a derivative of 1 for many inputs.

# %% start
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
activation = nn.Sigmoid()
net = nn.Sequential(
    nn.Linear(64, 32), activation, nn.Linear(32, 32), activation, nn.Linear(32, 32), activation, nn.Linear(32, 10)
)
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(20):
    for batch in train.split(50):
        loss = F.cross_entropy(net(images[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

with torch.no_grad():
    correct = (net(images[validation]).argmax(dim=1) == labels[validation]).sum().item()
print(f"loss {loss.item():.2f}, {correct} of 400")

# %% solution
# - activation = nn.Sigmoid()
# + activation = nn.Tanh()

# %% right: a ReLU with initial weights to match
# - activation = nn.Sigmoid()
# + activation = nn.ReLU()

# - optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
# + for layer in net[::2]:
# +     nn.init.kaiming_normal_(layer.weight)
# + optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

# %% check
with torch.no_grad():
    _correct = (net(images[validation]).argmax(dim=1) == labels[validation]).sum().item()
_rate = optimizer.param_groups[0]["lr"]
assert sum(_p.numel() for _p in net.parameters()) == 4522, "The network doesn't have three hidden layers of 32 units any more. The layers can stay, because the cause lies between them."
assert _correct > 320 or epoch < 20, f"After {epoch + 1} epochs, {_correct} of 400 are right. The first layer hardly moves, however often you repeat it."
assert _correct > 320 or _rate <= 0.5, f"With the learning rate {_rate:g}, {_correct} of 400 are right. Larger steps make the last layers jump, and the gradient of the first layer is still far smaller than theirs."
assert _correct > 320, f"{_correct} of 400 are right. Compare the gradients of the four weight matrices: from the last to the first, something makes them shrink."
assert epoch == 19, f"The network is repaired, but it trained for {epoch + 1} epochs. Use 20, as the start does."

# %% wrong: more epochs
# - for epoch in range(20):
# + for epoch in range(40):

# %% wrong: a larger learning rate
# - optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
# + optimizer = torch.optim.SGD(net.parameters(), lr=5.0)

# %% wrong: fewer layers
# -     nn.Linear(64, 32), activation, nn.Linear(32, 32), activation, nn.Linear(32, 32), activation, nn.Linear(32, 10)
# +     nn.Linear(64, 32), activation, nn.Linear(32, 10)

# %% wrong: repaired, and trained for longer
# - activation = nn.Sigmoid()
# + activation = nn.Tanh()

# - for epoch in range(20):
# + for epoch in range(30):

"""The same network is evaluated three times on the same validation pictures, and three different numbers of correct answers come out.

Repair `evaluate`, so that it returns the result of the whole network, the same each time, and leaves the network ready for further training.
"""
# exercise: repair
# covers: tricks.model-eval tricks.model-train tricks.eval-vs-nograd
# about: training/loop.md#look-without-leaving-a-trace
# hint: One module of this network draws random numbers whenever it is called in training mode.
# hint: `no_grad` switches off recording and nothing else. Dropout stops in evaluation mode.

# %% start
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)


def evaluate(net, indices):
    """Return the number of correct answers."""
    return (net(images[indices]).argmax(dim=1) == labels[indices]).sum().item()


for epoch in range(10):
    for batch in train[torch.randperm(1000)].split(50):
        loss = F.cross_entropy(net(images[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print(*(evaluate(net, validation) for _ in range(3)))

# %% solution
# -     return (net(images[indices]).argmax(dim=1) == labels[indices]).sum().item()
# +     net.eval()
# +     with torch.no_grad():
# +         correct = (net(images[indices]).argmax(dim=1) == labels[indices]).sum().item()
# +     net.train()
# +     return correct

# %% right: the mode as it was
# -     return (net(images[indices]).argmax(dim=1) == labels[indices]).sum().item()
# +     was_training = net.training
# +     net.train(False)
# +     correct = (net(images[indices]).argmax(dim=1) == labels[indices]).sum().item()
# +     net.train(was_training)
# +     return correct

# %% check
_was_training = net.training
net.train()
_counts = [evaluate(net, validation) for _ in range(3)]
_after = net.training
assert any(isinstance(_m, nn.Dropout) and _m.p == 0.5 for _m in net.modules()), "The network has no dropout any more. Keep it, because training needs it."
assert torch.is_grad_enabled(), "Recording stays switched off after `evaluate`, so no further training is possible. Switch it off for the evaluation only, with `with torch.no_grad():`."
with torch.no_grad():
    _answers = net.eval()(images[validation]).argmax(dim=1)
assert len(set(_counts)) == 1 or _was_training, "The program prints three equal numbers, because the network is in evaluation mode by then. After `net.train()` they differ again, so `evaluate` must switch the mode itself."
assert len(set(_counts)) == 1, "Three evaluations still return different numbers. Dropout sets half of the numbers behind the first layer to 0 at random, because the network is in training mode."
assert _counts[0] == (_answers == labels[validation]).sum().item(), "The three numbers are equal, but they are not the result of the whole network. With a fixed seed, dropout sets the same numbers to 0 each time."
assert _after, "After `evaluate` the network is still in evaluation mode, so it would go on training without dropout."

# %% wrong: eval, and never back
# -     return (net(images[indices]).argmax(dim=1) == labels[indices]).sum().item()
# +     net.eval()
# +     return (net(images[indices]).argmax(dim=1) == labels[indices]).sum().item()

# %% wrong: eval outside the function
# - print(*(evaluate(net, validation) for _ in range(3)))
# + net.eval()
# + print(*(evaluate(net, validation) for _ in range(3)))

# %% wrong: the same random numbers each time
# -     return (net(images[indices]).argmax(dim=1) == labels[indices]).sum().item()
# +     torch.manual_seed(1)
# +     return (net(images[indices]).argmax(dim=1) == labels[indices]).sum().item()

# %% wrong: no dropout in the network
# - net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 10))
# + net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))

# %% wrong: recording off for good
# -     return (net(images[indices]).argmax(dim=1) == labels[indices]).sum().item()
# +     torch.set_grad_enabled(False)
# +     net.eval()
# +     correct = (net(images[indices]).argmax(dim=1) == labels[indices]).sum().item()
# +     net.train()
# +     return correct

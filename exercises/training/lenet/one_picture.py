"""`read` should return the digit on one picture, but it returns four answers. Repair `read` and leave the network as it is, because it works for batches."""
# exercise: repair
# covers: module.minibatch-only
# about: training/lenet.md#one-picture
# hint: Print the shape of `net(picture)`.
# hint: `flatten(1)` keeps the first axis, which is the batch. Here the first axis holds the four channels.

# %% start
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.out = nn.Linear(4 * 36, 10)

    def forward(self, x):
        h = F.relu(self.conv(x)).flatten(1)
        h = F.pad(h, (0, 144 - h.shape[1]))  # smaller pictures make fewer numbers: fill up with zeros
        return self.out(h)


torch.manual_seed(0)
net = Net()


def read(picture):
    """The digit on a picture of shape (1, 8, 8), as a tensor without dimensions."""
    return net(picture).argmax(dim=1)


print(read(torch.rand(1, 8, 8)))

# %% solution
# -     return net(picture).argmax(dim=1)
# +     return net(picture.unsqueeze(0)).argmax(dim=1)[0]

# %% right: an axis by indexing
# -     return net(picture).argmax(dim=1)
# +     return net(picture[None]).argmax()

# %% check
torch.manual_seed(2)
_pictures = torch.rand(30, 1, 8, 8)
_net, net = net, Net()
_known = net(_pictures).argmax(dim=1)
_mine = [read(_picture) for _picture in _pictures]
net = _net
assert all(isinstance(_one, torch.Tensor) and _one.numel() == 1 for _one in _mine), "One picture gets several answers, because the axis of the channels is treated as the batch."
assert all(_one.shape == () for _one in _mine), "There is one answer, but it is in a tensor with one axis. Take the single result out of the batch."
assert [int(_one) for _one in _mine] == _known.tolist(), "Each picture gets one answer, but the answers differ from those for the same pictures in a batch."

# %% wrong: the first of four
# -     return net(picture).argmax(dim=1)
# +     return net(picture).argmax(dim=1)[0]

# %% wrong: still a batch
# -     return net(picture).argmax(dim=1)
# +     return net(picture.unsqueeze(0)).argmax(dim=1)

"""Write `save` and `resume` so that a training run that was interrupted after any number of epochs continues to exactly the same weights.

The network has dropout, and the optimizer is Adam. `save` should return one object that `torch.load` accepts by default, and `resume` should build the three parts from it.
"""
# exercise: write
# covers: save.checkpoint save.load
# about: training/saving.md#a-checkpoint
# hint: Not only the weights change from step to step. Adam also has two averages for each weight.
# hint: Dropout draws random numbers, so the state of the generator belongs to the checkpoint.

# %% start
import io

import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(32, 4), torch.randn(32, 1)


def make():
    model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.25), nn.Linear(8, 1))
    return model, torch.optim.Adam(model.parameters(), lr=0.01)


def train(model, optimizer, epochs):
    for _ in range(epochs):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


def save(model, optimizer, epoch):
    """What goes into the file."""
    return {"model": model.state_dict(), "epoch": epoch}


def resume(checkpoint):
    """The model, the optimizer, and the number of epochs done."""
    model, optimizer = make()
    model.load_state_dict(checkpoint["model"])
    return model, optimizer, checkpoint["epoch"]


model, optimizer = make()
train(model, optimizer, 5)
file = io.BytesIO()
torch.save(save(model, optimizer, 5), file)
train(model, optimizer, 5)
file.seek(0)
again, optimizer, epoch = resume(torch.load(file))
train(again, optimizer, 10 - epoch)
print(all(torch.equal(p, q) for p, q in zip(model.parameters(), again.parameters())))

# %% solution
# -     return {"model": model.state_dict(), "epoch": epoch}
# +     states = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
# +     return {**states, "epoch": epoch, "random": torch.get_rng_state()}

# -     model.load_state_dict(checkpoint["model"])
# +     model.load_state_dict(checkpoint["model"])
# +     optimizer.load_state_dict(checkpoint["optimizer"])
# +     torch.set_rng_state(checkpoint["random"])

# %% check
def _go(dropout):
    torch.manual_seed(3)
    _model, _optimizer = make()
    if not dropout:
        _model.eval()
    train(_model, _optimizer, 4)
    _file = io.BytesIO()
    torch.save(save(_model, _optimizer, 4), _file)
    train(_model, _optimizer, 3)
    _file.seek(0)
    _again, _other, _epoch = resume(torch.load(_file))
    if not dropout:
        _again.eval()
    train(_again, _other, 3)
    return _epoch, all(torch.equal(_p, _q) for _p, _q in zip(_model.parameters(), _again.parameters(), strict=True))


_epoch, _same = _go(dropout=False)
assert _epoch == 4, "`resume` should return the number of epochs that were finished when `save` was called."
assert _same, "Even without dropout, the resumed training takes other steps. The optimizer begins without its state."
_epoch, _same = _go(dropout=True)
assert _same, "Without dropout the training continues exactly, but with dropout it doesn't. The state of the random number generator is missing."

# %% wrong: the optimizer, and no random state
# -     return {"model": model.state_dict(), "epoch": epoch}
# +     return {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}

# -     model.load_state_dict(checkpoint["model"])
# +     model.load_state_dict(checkpoint["model"])
# +     optimizer.load_state_dict(checkpoint["optimizer"])

# %% wrong: begun anew
# -     return model, optimizer, checkpoint["epoch"]
# +     return model, optimizer, 0

# %% wrong: the whole objects
# error: UnpicklingError: Weights only load failed. ...
# hint: The file holds the model itself, and `torch.load` refuses such a file. Save states.
# -     return {"model": model.state_dict(), "epoch": epoch}
# +     return {"model": model, "optimizer": optimizer, "epoch": epoch}

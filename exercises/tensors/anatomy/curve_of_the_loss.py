"""`curve` should return the losses of a training run as a NumPy array, for a plot. It raises. Repair it, and leave the losses as they are: somebody may still call `backward` on them."""
# exercise: repair
# covers: tensor-props.four-features
# about: tensors/anatomy.md#what-an-array-cant-do
# hint: NumPy can't record what happens to the numbers. How do you ask for them without the record?
# hint: The message names the method. Does it change the tensor, or does it give you another one?

# %% start
import torch


def curve(losses):
    return torch.stack(losses).numpy()


w = torch.tensor(3.0, requires_grad=True)
losses = [(w - target) ** 2 for target in (1.0, 2.0)]
print(curve(losses))

# %% solution
# -     return torch.stack(losses).numpy()
# +     return torch.stack(losses).detach().numpy()

# %% right: nothing is recorded
# -     return torch.stack(losses).numpy()
# +     with torch.no_grad():
# +         return torch.stack(losses).numpy()

# %% check
import numpy as _np

_w = torch.tensor(3.0, requires_grad=True)
_losses = [(_w - 1) ** 2, (_w - 2) ** 2]
_made = curve(_losses)
assert isinstance(_made, _np.ndarray), f"This is of the type {type(_made).__name__}. The plot wants an array."
assert _made.tolist() == [4.0, 1.0], f"The losses are 4 and 1, and the array holds {_made.tolist()}."
assert all(_loss.grad_fn is not None for _loss in _losses), "The array is right, and the losses have lost their records: `detach_`, with its underscore, changes the tensor itself."

# %% wrong: a list
# -     return torch.stack(losses).numpy()
# +     return torch.stack(losses).tolist()

# %% wrong: the last one only
# -     return torch.stack(losses).numpy()
# +     return losses[-1].detach().numpy()

# %% wrong: detached in place
# -     return torch.stack(losses).numpy()
# +     return torch.stack([loss.detach_() for loss in losses]).numpy()

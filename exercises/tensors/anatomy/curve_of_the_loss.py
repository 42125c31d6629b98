"""`curve` raises an error. Repair it: it should return the losses as a NumPy array for a plot, and the losses should keep their graphs, because `backward` may still be called on them."""
# exercise: repair
# covers: tensor-props.four-features
# about: tensors/anatomy.md#what-an-array-cant-do
# hint: NumPy can't record operations, so pass it the numbers without their graph.
# hint: The message names the method. It returns another tensor and doesn't change the losses.

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
assert isinstance(_made, _np.ndarray), f"The result has the type {type(_made).__name__}. The plot needs an array."
assert _made.tolist() == [4.0, 1.0], f"The losses are 4 and 1, but the array holds {_made.tolist()}."
assert all(_loss.grad_fn is not None for _loss in _losses), "The array is right, but the losses have lost their graphs. `detach_`, with its underscore, changes the tensor itself."

# %% wrong: a list
# -     return torch.stack(losses).numpy()
# +     return torch.stack(losses).tolist()

# %% wrong: the last one only
# -     return torch.stack(losses).numpy()
# +     return losses[-1].detach().numpy()

# %% wrong: detached in place
# -     return torch.stack(losses).numpy()
# +     return torch.stack([loss.detach_() for loss in losses]).numpy()

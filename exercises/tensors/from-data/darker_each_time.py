"""Each call of `preview` returns a darker picture than the previous one. Repair it: it should return a tensor with the pixels at half their brightness, and leave the array unchanged."""
# exercise: repair
# covers: tensor-create.from-numpy
# about: tensors/from-data.md#copy-or-share
# hint: Print `pixels` after the first call.
# hint: The tensor shares the memory of the array, and `/=` writes to it. Avoid one of the two.

# %% start
import numpy as np
import torch

pixels = np.array([[0.0, 0.5], [1.0, 0.75]])


def preview(pixels):
    t = torch.from_numpy(pixels)
    t /= 2
    return t


print(preview(pixels))
print(preview(pixels))

# %% solution
# -     t = torch.from_numpy(pixels)
# +     t = torch.tensor(pixels)

# %% right: a new tensor
# -     t /= 2
# -     return t
# +     return t / 2

# %% right: another dtype is a copy
# -     t = torch.from_numpy(pixels)
# +     t = torch.from_numpy(pixels).float()

# %% check
_pixels = np.array([[0.25, 1.0, 0.5]])
_first = preview(_pixels).tolist()
_second = preview(_pixels).tolist()
_kept = _pixels.tolist()
assert _first == [[0.125, 0.5, 0.25]], "The first preview isn't half as bright as the pixels."
assert _second != [[0.0625, 0.25, 0.125]], "The second preview is darker than the first, because the first call has changed the array."
assert _second == _first and _kept == [[0.25, 1.0, 0.5]], "The previews are right now, but the array has changed."

# %% wrong: brightened again
# -     t /= 2
# -     return t
# +     t /= 2
# +     half = t.clone()
# +     t *= 3
# +     return half

# %% wrong: not darker at all
# -     t /= 2
# +     t = t * 1

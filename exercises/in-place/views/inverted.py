"""`inverted` returns a picture in white on black, as it should, but it also inverts the picture in the data set. Repair it.

After the call, `images[0]` must hold the same numbers as before.
"""
# exercise: repair
# covers: tensor-ops.indexing
# about: in-place/views.md#a-write-that-shows-elsewhere
# hint: `*=` and `+=` write into the tensor on their left. Here `copy`, `picture` and `images[0]` all stand for the same numbers.
# hint: `copy` needs its own storage before the function writes to it.
# hint: `clone` copies the numbers of a tensor into a new storage.

# %% start
import torch
from sklearn.datasets import load_digits

images = torch.from_numpy(load_digits().images).float() / 16


def inverted(picture):
    copy = picture
    copy *= -1
    copy += 1
    return copy


negative = inverted(images[0])
print(negative[0])
print(images[0][0])

# %% solution
# -     copy = picture
# +     copy = picture.clone()

# %% right: arithmetic that makes a new tensor
# -     copy = picture
# -     copy *= -1
# -     copy += 1
# -     return copy
# +     return 1 - picture

# %% check
_picture = (torch.arange(64).reshape(8, 8) % 17) / 16
_before = _picture.clone()
_negative = inverted(_picture)
assert _negative is not _picture, "The function returns the tensor that was passed to it. `copy = picture` gives this tensor a second name and copies nothing."
assert torch.allclose(_negative, 1 - _before), "The function should return the inverted numbers: 0 should become 1, and 1 should become 0."
_negative.zero_()
assert not (_picture == 0).all(), "The function returns a new tensor, but it shares the storage of the picture. `[:]`, `view` and `t` all return views."
assert torch.equal(_picture, _before), "The result has its own storage now, but the picture was inverted before you copied it."

# %% wrong: another view
# -     copy = picture
# +     copy = picture[:]

# %% wrong: a copy that comes too late
# -     return copy
# +     return copy.clone()

# %% wrong: the sign alone
# -     copy = picture
# -     copy *= -1
# -     copy += 1
# +     copy = -picture

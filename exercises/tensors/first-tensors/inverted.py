"""`inverted` should return a picture in white on black. It does, and it ruins the data set on the way. Repair it.

After the call, the picture that was handed in must be what it was before.
"""
# exercise: repair
# covers: tensor-ops.indexing
# about: tensors/first-tensors.md#who-else-reads-this-strip
# hint: How many strips of numbers are there, and which names read them?
# hint: `*=` and `+=` write into the strip of the tensor on their left.
# hint: Which function on this page gives you a strip of your own?

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
_given = (torch.arange(64).reshape(8, 8) % 17) / 16
_kept = _given.clone()
_made = inverted(_given)
assert _made is not _given, "What comes back is the very tensor that went in. `copy = picture` gives it a second name, and a name copies nothing."
assert torch.allclose(_made, 1 - _kept), "The numbers that come back are not the inverted ones: 0 should become 1, and 1 should become 0."
_made.zero_()
assert not (_given == 0).all(), "A new tensor, and a window on the same strip. `[:]`, `view` and `t` all make windows. You want the numbers somewhere else."
assert torch.equal(_given, _kept), "What comes back has a strip of its own now. But the picture was inverted before you copied it."

# %% wrong: another window
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

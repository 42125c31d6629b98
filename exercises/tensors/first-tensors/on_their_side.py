"""Lay all 1797 pictures on their side without copying a single number: rows become columns in each of them.

`t` does it for one picture. Fill in the line for all at once.
"""
# exercise: write
# covers: tensor-ops.table.transpose
# about: tensors/first-tensors.md#three-ways-to-read-one-strip
# hint: The shape stays (1797, 8, 8). What becomes of the strides (64, 8, 1)?
# hint: `t` swaps the two axes of a table. `images` has three axes, so you have to say which two: `images.transpose(first, second)`.
# hint: The axes are numbered 0, 1 and 2. Which of them counts the pictures?

# %% start
import torch
from sklearn.datasets import load_digits

images = torch.from_numpy(load_digits().images).float() / 16
on_their_side = ...
print(on_their_side.shape, on_their_side.stride())

# %% solution
# - on_their_side = ...
# + on_their_side = images.transpose(1, 2)

# %% right: the axes in their new order
# - on_their_side = ...
# + on_their_side = images.permute(0, 2, 1)

# %% check
assert on_their_side.shape == (1797, 8, 8), "There should be 1797 pictures of 8 by 8 when you are done. Print the shape: which axes did you swap?"
assert not torch.equal(on_their_side, images), "Nothing has turned. `reshape` cuts the strip into pieces of another size, and reads it in the order in which it was."
assert torch.equal(on_their_side[5], images[5].t()), "Look at one picture: it should be `images[5].t()`."
assert on_their_side.data_ptr() == images.data_ptr(), "The pictures lie on their side, and all 115,008 numbers have been copied to a second strip. Other strides would have done it."

# %% wrong: the shape again
# - on_their_side = ...
# + on_their_side = images.reshape(1797, 8, 8)

# %% wrong: pictures swapped with columns
# - on_their_side = ...
# + on_their_side = images.transpose(0, 2)

# %% wrong: one after the other
# - on_their_side = ...
# + on_their_side = torch.stack([picture.t() for picture in images])

# %% wrong: t of everything
# error: RuntimeError: t() expects a tensor with <= 2 dimensions, but self is 3D
# hint: `t` is for tables. Here are three axes, and PyTorch asks which two of them you mean.

# - on_their_side = ...
# + on_their_side = images.t()

# %% wrong: upside down
# - on_their_side = ...
# + on_their_side = images.flip(1)

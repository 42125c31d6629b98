"""Transpose all 1,797 pictures at once, so that the rows of each picture become its columns.

Fill in the line. `t` does it for a single picture; do not copy any number.
"""
# exercise: write
# covers: tensor-ops.table.transpose
# about: tensors/first-tensors.md#one-storage-three-tensors
# hint: The shape stays (1797, 8, 8). What should become of the strides (64, 8, 1)?
# hint: `t` swaps the two axes of a table. `images` has three axes, so you have to say which two: `images.transpose(first, second)`.
# hint: The axes are numbered 0, 1 and 2. Axis 0 counts the pictures.

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
assert on_their_side.shape == (1797, 8, 8), "The result should still be 1,797 pictures of 8 by 8. Axis 0 counts the pictures, so it has to stay where it is."
assert not torch.equal(on_their_side, images), "Nothing has been transposed. `reshape` keeps the numbers in the order in which they are read."
assert torch.equal(on_their_side[5], images[5].t()), "The shape is right, but the pictures are not. Each should equal its transpose, such as `images[5].t()`."
assert on_their_side.data_ptr() == images.data_ptr(), "The pictures are transposed, but all 115,008 numbers were copied to a second storage. Other strides would have been enough."

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
# hint: `t` is for one or two axes. `images` has three, so PyTorch cannot know which two of them to swap.

# - on_their_side = ...
# + on_their_side = images.t()

# %% wrong: upside down
# - on_their_side = ...
# + on_their_side = images.flip(1)

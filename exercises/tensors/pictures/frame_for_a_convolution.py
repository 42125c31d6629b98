"""A convolution with a kernel 3 high and 5 wide makes a picture smaller, and the padding here doesn't match. Repair it: the result should have the size of the picture, 6 by 8 pixels."""
# exercise: repair
# covers: cnn.zeropad2d
# about: tensors/pictures.md#zeropad2d
# hint: A kernel 3 high removes two rows, one at the top and one at the bottom. A kernel 5 wide removes four columns.
# hint: `F.pad` counts axes from the last: left, right, top, bottom.

# %% start
import torch
import torch.nn.functional as F

kernel = torch.ones(1, 1, 3, 5)


def same_size(image):
    padded = F.pad(image, (1, 1, 2, 2))
    return F.conv2d(padded, kernel)


print(same_size(torch.ones(1, 1, 6, 8)).shape)

# %% solution
# -     padded = F.pad(image, (1, 1, 2, 2))
# +     padded = F.pad(image, (2, 2, 1, 1))

# %% right: the padding left to the convolution
# -     padded = F.pad(image, (1, 1, 2, 2))
# -     return F.conv2d(padded, kernel)
# +     return F.conv2d(image, kernel, padding=(1, 2))

# %% check
_image = torch.ones(1, 1, 6, 8)
_made = same_size(_image)
_wanted = F.conv2d(_image, torch.ones(1, 1, 3, 5), padding=(1, 2))
_height, _width = _made.shape[2:]
assert (_height, _width) != (8, 6), "There are two rows too many and two columns too few, because the two pairs of numbers are swapped."
assert (_height, _width) != (8, 8), "The columns are right, but there are two rows too many. The kernel isn't square, so the padding differs for rows and columns."
assert (_height, _width) == (6, 8), f"The result has {_height} by {_width} pixels, and the picture has 6 by 8."
assert torch.equal(_made, _wanted), "The size is right, but the padding is wider on one side than on the other, or it isn't zero."

# %% wrong: a square frame
# -     padded = F.pad(image, (1, 1, 2, 2))
# +     padded = F.pad(image, (2, 2, 2, 2))

# %% wrong: only the columns
# -     padded = F.pad(image, (1, 1, 2, 2))
# +     padded = F.pad(image, (2, 2))

# %% wrong: all on one side
# -     padded = F.pad(image, (1, 1, 2, 2))
# +     padded = F.pad(image, (4, 0, 2, 0))

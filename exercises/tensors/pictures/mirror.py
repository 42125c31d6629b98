"""The matrix below changes nothing. Set it so that it exchanges left and right: `mirrored` should equal `image.flip(3)`."""
# exercise: repair
# covers: cnn.affine-grid
# about: tensors/pictures.md#affine_grid
# hint: The first row of the matrix computes x and the second computes y. A mirror image changes only x.
# hint: The picture reaches from −1 to 1. The left edge of the result, x = −1, should be read at x = 1.

# %% start
import torch
import torch.nn.functional as F

matrix = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
image = torch.arange(12.0).view(1, 1, 3, 4)
grid = F.affine_grid(matrix, size=(1, 1, 3, 4), align_corners=True)
mirrored = F.grid_sample(image, grid, align_corners=True)
print(mirrored)

# %% solution
# - matrix = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
# + matrix = torch.tensor([[[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])

# %% check
_image = torch.arange(12.0).view(1, 1, 3, 4)
assert mirrored.shape == (1, 1, 3, 4) and not torch.allclose(mirrored, _image, atol=1e-4), "The picture hasn't changed, because each position of the result is read at the same position."
assert not torch.allclose(mirrored, _image.flip(2), atol=1e-4), "Top and bottom have changed places, so you have changed y."
assert not torch.allclose(mirrored, _image.flip((2, 3)), atol=1e-4), "Both directions have changed, which is a rotation by 180 degrees. A mirror image changes only one."
assert (mirrored != 0).sum() > 8, "Much of the result is zero, because those positions are outside the picture. A shift moves the positions beyond 1."
assert torch.allclose(mirrored, _image.flip(3), atol=1e-4), "This isn't the mirror image yet. Print `grid[0, 0]`, the positions at which the first row is read."

# %% wrong: upside down
# - matrix = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
# + matrix = torch.tensor([[[1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]])

# %% wrong: a half turn
# - matrix = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
# + matrix = torch.tensor([[[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]])

# %% wrong: a shift
# - matrix = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
# + matrix = torch.tensor([[[1.0, 0.0, 2.0], [0.0, 1.0, 0.0]]])

# %% wrong: x and y swapped
# - matrix = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
# + matrix = torch.tensor([[[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]])

"""Which matrix mirrors a picture, so that left becomes right? The matrix below changes nothing. Set it so that `mirrored` equals `image.flip(3)`."""
# exercise: repair
# covers: cnn.affine-grid
# about: tensors/sampling.md#affine_grid
# hint: The first row of the matrix makes x, the second y. Which of them changes in a mirror?
# hint: The picture reaches from −1 to 1. Where should the left edge of the result, x = −1, be read?

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
assert mirrored.shape == (1, 1, 3, 4) and not torch.allclose(mirrored, _image, atol=1e-4), "The picture is as it was. Each place of the result is read from the same place."
assert not torch.allclose(mirrored, _image.flip(2), atol=1e-4), "Top and bottom have changed places. That was y."
assert not torch.allclose(mirrored, _image.flip((2, 3)), atol=1e-4), "Both directions have changed: this is a half turn. A mirror turns one of them."
assert (mirrored != 0).sum() > 8, "Much of the result is zero: those places are read outside of the picture. A shift goes on by 1 to the right of 1."
assert torch.allclose(mirrored, _image.flip(3), atol=1e-4), "This isn't the mirror image yet. Print `grid[0, 0]`, the places that the first row reads."

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
